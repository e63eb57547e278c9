// Builds dist from js/src, and checks the types of everything that uses dist.
import { chmodSync, copyFileSync, existsSync, mkdirSync, rmSync } from 'node:fs'
import path from 'node:path'
import { filesUnder, fingerprint, recall, remember } from './fingerprint.mjs'
import { distDir, glueDir, inRoot, targetDir, viewerArchive } from './paths.mjs'
import { note } from './report.mjs'
import { Failure, runNode } from './shell.mjs'

const tsc = inRoot('node_modules', 'typescript', 'bin', 'tsc')
const sourceDir = inRoot('js', 'src')
const distGlueDir = path.join(distDir, 'wasm')

export async function buildPackage() {
  const sources = fingerprint([...filesUnder(sourceDir), ...settings()])
  if (recall('typescript').sources !== sources || !existsSync(path.join(distDir, 'index.js'))) {
    note('TypeScript (js/src to dist)')
    await compile()
    remember('typescript', { sources })
  }
  copyGlue()
  await bundle()
}

/** Checks the types of the tests and the demo, which use the package through dist. */
export async function checkTypes() {
  for (const project of [
    'tests/node',
    'tests/browser',
    'tests/environments',
    'tests/demo',
    'tests/site',
    'demo',
  ]) {
    const hasSources = filesUnder(inRoot(project)).some((file) => file.endsWith('.ts'))
    note(hasSources ? `types of ${project}` : `no TypeScript in ${project}: nothing to check`)
    // Kept from run to run, because most checks find few changes.
    const known = path.join(targetDir, 'types', `${project.replaceAll('/', '-')}.tsbuildinfo`)
    if (hasSources) await checkTypesOf(inRoot(project, 'tsconfig.json'), known)
  }
}

/** An incremental check may report errors that a full check does not: only a full one counts. */
async function checkTypesOf(project, known) {
  const check = [project, '--incremental', '--tsBuildInfoFile', known]
  const wasKept = existsSync(known)
  try {
    await runNode(tsc, ['-p', ...check])
  } catch (error) {
    rmSync(known, { force: true })
    if (!wasKept) throw error
    await runNode(tsc, ['-p', ...check])
  }
}

async function compile() {
  if (!existsSync(path.join(sourceDir, 'index.ts'))) throw new Failure('js/src/index.ts is missing')
  await runNode(tsc, ['-p', inRoot('tsconfig.json')])
  removeOrphans()
  chmodSync(command, 0o755)
  // No package may be installed yet when this file is read.
  const { publishTypes } = await import('./published-types.mjs')
  publishTypes(distDir, path.join(distDir, 'api'), TYPE_ENTRIES)
}

/** The declarations that package.json names. */
const TYPE_ENTRIES = [
  'index.d.ts',
  'index.node.d.ts',
  'isomorphic-git/index.d.ts',
  'wasm-asset.d.ts',
  'worker/worker.d.ts',
]

/**
 * The published scripts. Each is one file, because opening some seventy takes Node longer than
 * most reads, and a page a request for each; those with `chunks` have the code that few calls
 * need in files that are loaded on demand. Node's worker imports its code from `packlens.js`. In
 * a browser it is a file of its own: bundlers make another bundle of it, most without chunks. Code
 * above the package imports it by its name, and so runs on every platform. All
 * are in folders from which they find the modules and the worker at the same relative paths.
 */
const BUNDLES = [
  { from: ['index.js'], to: ['packlens.js'], platform: 'browser', chunks: 'packlens-[name].js' },
  { from: ['worker', 'worker.js'], to: ['packlens-worker.js'], platform: 'browser' },
  { from: ['index.js'], to: ['packlens-slim.js'], platform: 'browser', isSlim: true },
  {
    from: ['index.node.js'],
    to: ['node', 'packlens.js'],
    worker: { from: ['node', 'worker.js'], to: 'packlens-worker.js' },
  },
  {
    from: ['isomorphic-git', 'index.js'],
    to: ['packlens-isomorphic-git.js'],
    platform: 'browser',
    isAbove: true,
  },
  {
    from: ['node', 'cli', 'program.js'],
    to: ['node', 'cli', 'packlens-program.cjs'],
    chunks: 'packlens-[name].cjs',
  },
]

/**
 * The files of the program: one that each run loads, one for each command, and few that several
 * commands share. Loading a file takes as long as parsing 10 KB of code that is not run.
 */
const PROGRAM_FILES = {
  groups: [
    { name: 'base', tags: ['$initial'], priority: 3 },
    {
      name: 'shared',
      test: /[\\/](args|color|objects|refs|repository|revisions|text)[\\/][^\\/]*\.js$|[\\/]pretty[\\/](ref-contents|commit-content)\.js$/,
      minShareCount: 2,
      priority: 2,
    },
    { name: 'history', test: /[\\/]log[\\/]commit-list\.js$/, priority: 1 },
    { name: 'patches', test: /[\\/]diff[\\/][^\\/]*\.js$/ },
  ],
}

/**
 * Classes keep their names, as methods do, for those who read a stack or print an object. Other
 * functions get short names: theirs are a tenth of the text.
 */
const minify = {
  mangle: { keepNames: { function: false, class: true } },
  compress: { keepNames: { function: false, class: true } },
}

/** Escapes characters beyond ASCII: a single one makes engines store the file in two bytes each. */
const ascii = {
  name: 'ascii',
  generateBundle(_, files) {
    const escaped = (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
    for (const file of Object.values(files)) {
      if (file.type === 'chunk') file.code = file.code.replace(/[^\0-\x7f]/g, escaped)
    }
  },
}

/** Quotes addresses of files of the package: bundlers find no templates, as minifiers write. */
const quoted = {
  name: 'quoted',
  generateBundle(_, files) {
    for (const file of Object.values(files)) {
      if (file.type === 'chunk')
        file.code = file.code.replace(/new URL\(`([^`$]*)`/g, 'new URL("$1"')
    }
  },
}

/** In one file, a dynamic import would put each module into a function, which is parsed twice. */
const eager = {
  name: 'eager',
  resolveId: (id) => (id.endsWith('/lazy.js') ? path.join(distDir, 'chunks', 'eager.js') : null),
}

/** Some environments have no addresses of files: callers give modules and the worker's script. */
const slim = {
  name: 'slim',
  resolveId(id, importer) {
    const isReplaced = /\/(platform|lazy-workers|worker-beside|rest-beside)\.js$/.test(id)
    return isReplaced && path.basename(importer) !== 'slim.js'
      ? path.join(distDir, 'slim.js')
      : null
  },
}

/** The worker imports the first file, so that their shared code is in that and in no third file. */
const importsFirst = (worker, first) => ({
  name: 'imports-first',
  transform: (code, id) => (id === worker ? `import ${JSON.stringify(first)}\n${code}` : null),
})

/** The package stays outside of what is above it. */
const ownName = {
  name: 'own-name',
  resolveId: (id) => (id === '../index.js' ? { id: 'packlens', external: true } : null),
}

/** Returns whether a file is made by bundling. */
const isBundled = (file) =>
  /^packlens(-[^.]+)?\.js$|^packlens-[^.]+\.cjs$/.test(path.basename(file))

/** What npm links as the command: it loads the program. */
const command = path.join(distDir, 'node', 'cli', 'packlens.cjs')

const bundleFiles = BUNDLES.flatMap(({ to, worker }) => {
  const file = path.join(distDir, ...to)
  return worker ? [file, path.join(path.dirname(file), worker.to)] : [file]
})

async function bundle() {
  const isPart = (file) => file.endsWith('.js') && (isGlue(file) || !isBundled(file))
  // The settings of bundling are in this file.
  const made = inRoot('scripts', 'lib', 'typescript.mjs')
  const modules = fingerprint([...filesUnder(distDir).filter(isPart), made])
  if (recall('bundles').modules === modules && bundleFiles.every((file) => existsSync(file))) return
  note('what is published as one module each')
  const { build } = await import('rolldown')
  const old = filesUnder(distDir).filter((file) => isBundled(file) && !isGlue(file))
  for (const file of old) rmSync(file)
  rmSync(viewerArchive, { force: true })
  for (const { from, to, platform = 'node', chunks, worker, ...kind } of BUNDLES) {
    const file = path.join(distDir, ...to)
    const isProgram = file.endsWith('.cjs')
    const workerInput = worker && path.join(distDir, ...worker.from)
    const made = async (input, folder) => {
      const { output } = await build({
        input: worker ? { first: input, [path.parse(worker.to).name]: workerInput } : input,
        platform,
        // Shared code of chunks is in the first file: a file of its own would be one more request.
        preserveEntrySignatures: 'allow-extension',
        output: {
          dir: folder,
          entryFileNames: ({ name }) =>
            name === 'first' || !worker ? path.basename(file) : `${name}.js`,
          // Node starts a CommonJS program sooner, and a short one sooner yet. `packlens.cjs`, which
          // loads it, is not bundled.
          format: isProgram ? 'cjs' : 'esm',
          minify,
          codeSplitting: isProgram ? PROGRAM_FILES : chunks !== undefined || worker !== undefined,
          chunkFileNames: ({ name }) =>
            (chunks ?? '[name].js').replace('[name]', name.replace('packlens-', '')),
          comments: false,
        },
        plugins: [
          ...[ascii, quoted],
          ...(kind.isSlim ? [slim] : []),
          ...(chunks ? [] : [eager]),
          ...(kind.isAbove ? [ownName] : []),
          ...(worker ? [importsFirst(workerInput, input)] : []),
        ],
        logLevel: 'warn',
      })
      if (!chunks && output.length > (worker ? 2 : 1)) {
        throw new Failure(`${path.basename(file)} needs files that are not published`)
      }
    }
    const input = path.join(distDir, ...from)
    if (!chunks || isProgram) await made(input, path.dirname(file))
    else {
      // The first pass leaves a chunk beside the first file, and the second one merges it.
      const folder = path.join(targetDir, 'bundles')
      rmSync(folder, { recursive: true, force: true })
      await made(input, folder)
      await made(path.join(folder, path.basename(file)), path.dirname(file))
    }
  }
  remember('bundles', { modules })
}

/** Removes compiled files without a source: they would be published. */
function removeOrphans() {
  for (const file of filesUnder(distDir)) {
    if (isGlue(file)) continue
    const name = path
      .relative(distDir, file)
      .replace(/\.(d\.ts|js|js\.map)$/, '.ts')
      .replace(/\.(d\.cts|cjs|cjs\.map)$/, '.cts')
    if (!existsSync(path.join(sourceDir, name))) rmSync(file)
  }
}

function isGlue(file) {
  return path.dirname(file) === distGlueDir
}

function copyGlue() {
  const files = filesUnder(glueDir)
  const glue = fingerprint(files)
  if (recall('glue').glue === glue && files.every(isCopied)) return
  rmSync(distGlueDir, { recursive: true, force: true })
  mkdirSync(distGlueDir, { recursive: true })
  for (const file of files) copyFileSync(file, copyOf(file))
  remember('glue', { glue })
}

function copyOf(file) {
  return path.join(distGlueDir, path.basename(file))
}

function isCopied(file) {
  return existsSync(copyOf(file))
}

function settings() {
  const made = ['typescript.mjs', 'published-types.mjs'].map((name) => `scripts/lib/${name}`)
  const named = ['tsconfig.json', 'tsconfig.base.json', 'package.json', 'package-lock.json']
  return [...made, ...named].map((name) => inRoot(name))
}
