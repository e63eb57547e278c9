// From js/src to dist, and the type check of everything that uses dist.
import { chmodSync, copyFileSync, existsSync, mkdirSync, rmSync } from 'node:fs'
import path from 'node:path'
import { filesUnder, fingerprint, recall, remember } from './fingerprint.mjs'
import { distDir, glueDir, inRoot, targetDir } from './paths.mjs'
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

/** The tests and the demo see the package as its users do: through dist. */
export async function checkTypes() {
  for (const project of [
    'tests/node',
    'tests/browser',
    'tests/environments',
    'tests/demo',
    'demo',
  ]) {
    const hasSources = filesUnder(inRoot(project)).some((file) => file.endsWith('.ts'))
    note(hasSources ? `types of ${project}` : `no TypeScript in ${project}: nothing to check`)
    // Kept from run to run: most checks find that little has changed.
    const known = path.join(targetDir, 'types', `${project.replaceAll('/', '-')}.tsbuildinfo`)
    const options = ['--incremental', '--tsBuildInfoFile', known]
    if (hasSources) await runNode(tsc, ['-p', inRoot(project, 'tsconfig.json'), ...options])
  }
}

async function compile() {
  if (!existsSync(path.join(sourceDir, 'index.ts'))) throw new Failure('js/src/index.ts is missing')
  await runNode(tsc, ['-p', inRoot('tsconfig.json')])
  removeOrphans()
  // No package may be installed yet when this file is read.
  const { publishTypes } = await import('./published-types.mjs')
  publishTypes(distDir, path.join(distDir, 'api'), TYPE_ENTRIES)
}

/** The declarations that package.json names. */
const TYPE_ENTRIES = ['index.d.ts', 'index.node.d.ts', 'wasm-asset.d.ts', 'worker/worker.d.ts']

/**
 * What is published, each as one module: opening some seventy takes Node longer than most
 * reads do, and a page a request for each. From its folder each finds the module of the
 * core and the worker, as what it is made of would.
 */
const BUNDLES = [
  { from: ['index.js'], to: ['packlens.js'], platform: 'browser' },
  { from: ['worker', 'worker.js'], to: ['packlens-worker.js'], platform: 'browser' },
  { from: ['index.node.js'], to: ['node', 'packlens.js'] },
  { from: ['node', 'worker.js'], to: ['node', 'packlens-worker.js'] },
  { from: ['node', 'cli.js'], to: ['node', 'cli', 'packlens.cjs'], isProgram: true },
]

/** One character beyond ASCII, and engines hold all of a file in two bytes for each. */
const ascii = {
  name: 'ascii',
  generateBundle(_, files) {
    const escaped = (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
    for (const file of Object.values(files)) {
      if (file.type === 'chunk') file.code = file.code.replace(/[^\0-\x7f]/g, escaped)
    }
  },
}

const bundleFiles = BUNDLES.map(({ to }) => path.join(distDir, ...to))

async function bundle() {
  const isPart = (file) => file.endsWith('.js') && !bundleFiles.includes(file)
  // How they are made stands in this file.
  const made = inRoot('scripts', 'lib', 'typescript.mjs')
  const modules = fingerprint([...filesUnder(distDir).filter(isPart), made])
  if (recall('bundles').modules === modules && bundleFiles.every((file) => existsSync(file))) return
  note('what is published as one module each')
  const { build } = await import('rolldown')
  for (const { from, to, platform = 'node', isProgram = false } of BUNDLES) {
    const file = path.join(distDir, ...to)
    await build({
      input: path.join(distDir, ...from),
      platform,
      output: {
        dir: path.dirname(file),
        entryFileNames: path.basename(file),
        // Node begins a program of CommonJS sooner, and a short one sooner yet.
        format: isProgram ? 'cjs' : 'esm',
        // Elsewhere lines stay as they are, for those who read a stack.
        minify: isProgram,
        // What the other commands need is read when one of them is wanted.
        codeSplitting: isProgram,
        chunkFileNames: 'packlens-[name].cjs',
        comments: false,
      },
      plugins: [ascii],
      logLevel: 'warn',
    })
    if (isProgram) chmodSync(file, 0o755)
  }
  remember('bundles', { modules })
}

/** What was compiled from a source file that has gone would be published all the same. */
function removeOrphans() {
  for (const file of filesUnder(distDir)) {
    if (path.dirname(file) === distGlueDir) continue
    const name = path.relative(distDir, file).replace(/\.(d\.ts|js|js\.map)$/, '.ts')
    if (!existsSync(path.join(sourceDir, name))) rmSync(file)
  }
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
