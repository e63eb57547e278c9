/** The published package in bundlers of pinned versions: builds are read in a Chromium. */
import { cpSync, mkdirSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import type * as Vite from 'vite'
import { describe, expect, test } from 'vitest'
import type { Site } from './page.ts'
import { page, script, serve, useBrowser } from './page.ts'
import { expected, makeProject, run, tool } from './support.ts'

/** The command of a bundler in a project; it writes the page to `out`. */
interface Bundler {
  readonly command: readonly string[]
  /** Files beside the page and its script. */
  readonly files?: Readonly<Record<string, string>>
  /** True if the bundler leaves `index.html` alone. */
  readonly copiesPage?: boolean
  /** True if the bundler ignores files that are named by `import.meta.url`. */
  readonly leavesFiles?: boolean
}

const bundlers: Readonly<Record<string, Bundler>> = {
  'vite-5': vite('vite-5'),
  'vite-6': vite('vite-6'),
  'vite-7': vite('vite-7'),
  'vite-8': vite('vite'),
  webpack: {
    command: ['build.mjs'],
    files: { 'build.mjs': likeWebpack(tool('webpack', 'lib', 'index.js')) },
    copiesPage: true,
  },
  rspack: {
    command: ['build.mjs'],
    files: { 'build.mjs': likeWebpack(tool('@rspack', 'core', 'dist', 'index.js')) },
    copiesPage: true,
  },
  parcel: {
    command: [
      tool('parcel', 'lib', 'bin.js'),
      ...['build', 'index.html', '--dist-dir', 'out', '--cache-dir', 'cache', '--no-autoinstall'],
    ],
  },
  rolldown: {
    command: [
      tool('rolldown', 'bin', 'cli.mjs'),
      ...['page.js', '--dir', 'out', '--format', 'esm', '--platform', 'browser'],
    ],
    copiesPage: true,
    leavesFiles: true,
  },
  rollup: {
    command: [tool('rollup', 'dist', 'bin', 'rollup'), '--config', 'rollup.config.js'],
    files: {
      'rollup.config.js': `
import { nodeResolve } from ${JSON.stringify(tool('@rollup', 'plugin-node-resolve', 'dist', 'es', 'index.js'))}
export default {
  input: 'page.js',
  output: { dir: 'out', format: 'es' },
  plugins: [nodeResolve({ browser: true })],
}
`,
    },
    copiesPage: true,
    leavesFiles: true,
  },
  esbuild: {
    command: ['build.mjs'],
    files: {
      'build.mjs': `
import { build } from ${JSON.stringify(tool('esbuild', 'lib', 'main.js'))}
await build({ entryPoints: ['page.js'], bundle: true, format: 'esm', outdir: 'out' })
`,
    },
    copiesPage: true,
    leavesFiles: true,
  },
}

function vite(name: string): Bundler {
  const command = [tool(name, 'bin', 'vite.js'), 'build', '--outDir', 'out', '--base', './']
  return { command: [...command, '--logLevel', 'warn'] }
}

/** For webpack, and bundlers with its command line. */
function likeWebpack(file: string): string {
  return `
import bundler from ${JSON.stringify(file)}
import path from 'node:path'
const make = bundler.webpack ?? bundler.rspack ?? bundler
make({
  mode: 'production',
  entry: './page.js',
  performance: { hints: false },
  output: { path: path.resolve('out'), filename: 'page.js', publicPath: 'auto' },
}, (error, stats) => {
  if (error || stats.hasErrors() || stats.hasWarnings()) {
    console.error(error ?? stats.toString())
    process.exitCode = 1
  }
})
`
}

const open = useBrowser()

async function build(name: string, { command, files = {}, copiesPage }: Bundler) {
  const folder = makeProject(name, { 'index.html': page, 'page.js': script(), ...files })
  const { status, stderr } = await run(folder, process.execPath, command)
  expect({ status, stderr }).toEqual({ status: 0, stderr: expect.any(String) })
  const out = path.join(folder, 'out')
  mkdirSync(out, { recursive: true })
  if (copiesPage) cpSync(path.join(folder, 'index.html'), path.join(out, 'index.html'))
  return { folder, out }
}

async function answerOf(site: Site): Promise<unknown> {
  try {
    return await open(site.url)
  } finally {
    site.close()
  }
}

const COPY = 'copy wasm/ and packlens-worker.js of node_modules/packlens/dist beside the bundle'
const EXCLUDE = "optimizeDeps: { exclude: ['packlens'] }"

const LOAD = 'await load({ reader: url, wasm: url, rest: url, worker: url })'

/** Checks that the package does not load, and that the error shows the response and the remedies. */
function expectFailure(answer: unknown, code: string, came: string): void {
  expect(answer).toMatchObject({ failed: { name: 'PacklensError', code } })
  const { message } = (answer as { failed: { message: string } }).failed
  for (const part of [came, COPY, EXCLUDE, LOAD]) expect(message).toContain(part)
}

describe.each(Object.entries(bundlers))('%s', (name, bundler) => {
  test('builds a page that reads, here and in a worker', async () => {
    const { folder, out } = await build(name, bundler)
    if (bundler.leavesFiles) {
      const published = path.join(folder, 'node_modules', 'packlens', 'dist')
      const wasm =
        'wasm/packlens_reader.wasm answered 404, text/plain, beginning with "nothing here"'
      expectFailure(await answerOf(await serve(out)), 'NETWORK', wasm)
      const other =
        'wasm/packlens_reader.wasm answered 200, text/html, beginning with "<!doctype html>"'
      expectFailure(await answerOf(await serve(out, 'page')), 'BAD_INPUT', other)
      // As the message of these errors says.
      cpSync(path.join(published, 'wasm'), path.join(out, 'wasm'), { recursive: true })
      const script = 'packlens-worker.js is not a worker script that starts here, it answered 404'
      expectFailure(await answerOf(await serve(out)), 'NETWORK', script)
      cpSync(path.join(published, 'packlens-worker.js'), path.join(out, 'packlens-worker.js'))
    }
    expect(await answerOf(await serve(out))).toEqual({ page: expected, worker: expected })
  })

  test('builds a page that uses the functions of isomorphic-git', async () => {
    // Without this setting Parcel knows only the first export of a package. It reads the settings
    // of the folder with the lock file.
    const setting = { '@parcel/resolver-default': { packageExports: true } }
    const settings = JSON.stringify({ name: 'bridge', private: true, type: 'module', ...setting })
    const files = {
      ...bundler.files,
      'page.js': likeIsomorphicGit,
      'package.json': settings,
      'yarn.lock': '',
    }
    const { folder, out } = await build(`${name}-bridge`, { ...bundler, files })
    if (bundler.leavesFiles) {
      const published = path.join(folder, 'node_modules', 'packlens', 'dist')
      cpSync(path.join(published, 'wasm'), path.join(out, 'wasm'), { recursive: true })
    }
    expect(await answerOf(await serve(out))).toEqual(readLikeIsomorphicGit)
  })
})

/** A page that reads by the functions of isomorphic-git, and by the package itself. */
const likeIsomorphicGit = `
import { isPacklensError, open } from 'packlens'
import git from 'packlens/isomorphic-git'
const missing = async () => { throw Object.assign(new Error(), { code: 'ENOENT' }) }
const fs = { promises: { readFile: missing, readdir: missing, stat: missing } }
const codeOf = (call) => call.catch(({ name, code }) => [name, code])
const answer = async () => [
  await codeOf(git.log({ fs, gitdir: '/none' })),
  isPacklensError(await git.commit({}).catch((error) => error)),
  await codeOf((await open({ packs: [] })).read('HEAD')),
]
window.answer = answer()
`

/** Errors of the functions, and that both files are about one copy of the package. */
const readLikeIsomorphicGit = [
  ['NotFoundError', 'NotFoundError'],
  true,
  ['PacklensError', 'NOT_FOUND'],
]

/** The development server of Vite during a test. */
async function development(name: string, config: object, text = script()): Promise<Site> {
  const folder = makeProject(`${name}-dev`, { 'index.html': page, 'page.js': text })
  const vite: typeof Vite = await import(pathToFileURL(tool(name, 'dist', 'node', 'index.js')).href)
  const server = await vite.createServer({
    root: folder,
    configFile: false,
    logLevel: 'silent',
    server: { host: '127.0.0.1', port: 0 },
    ...config,
  })
  await server.listen()
  return { url: server.resolvedUrls?.local[0] as string, close: () => void server.close() }
}

describe("Vite's dev server", () => {
  const excluding = { optimizeDeps: { exclude: ['packlens'] } }

  test.each(['vite-5', 'vite-6', 'vite-7'])(
    'of %s needs one setting, and an error says so',
    async (name) => {
      const answer = await answerOf(await development(name, {}))
      expectFailure(answer, 'BAD_INPUT', 'wasm/packlens_reader.wasm answered 200, text/html')
      const read = await answerOf(await development(name, excluding))
      expect(read).toEqual({ page: expected, worker: expected })
      const other = await answerOf(await development(name, excluding, likeIsomorphicGit))
      expect(other).toEqual(readLikeIsomorphicGit)
    },
  )

  test('of vite-8 serves the package without configuration', async () => {
    const read = await answerOf(await development('vite', {}))
    expect(read).toEqual({ page: expected, worker: expected })
    const other = await answerOf(await development('vite', {}, likeIsomorphicGit))
    expect(other).toEqual(readLikeIsomorphicGit)
  })
})

test('load names the module and the script of the worker', async () => {
  const given =
    "{ wasm: './elsewhere/core.wasm', rest: './elsewhere/rest.wasm', worker: './elsewhere/worker.js' }"
  const bundler = bundlers.esbuild as Bundler
  const files = { ...bundler.files, 'page.js': script(given) }
  const { folder, out } = await build('esbuild-load', { ...bundler, files })
  const missing = await answerOf(await serve(out))
  expectFailure(missing, 'NETWORK', 'elsewhere/core.wasm answered 404')
  const published = path.join(folder, 'node_modules', 'packlens', 'dist')
  const wasm = (name: string) => path.join(published, 'wasm', name)
  cpSync(wasm('packlens_bg.wasm'), path.join(out, 'elsewhere', 'core.wasm'))
  const noRest = 'the rest of the full module, which did not load: '
  expectFailure(await answerOf(await serve(out)), 'NETWORK', noRest)
  cpSync(wasm('packlens_rest.wasm'), path.join(out, 'elsewhere', 'rest.wasm'))
  const noScript = 'elsewhere/worker.js is not a worker script that starts here'
  expectFailure(await answerOf(await serve(out)), 'NETWORK', noScript)
  cpSync(path.join(published, 'packlens-worker.js'), path.join(out, 'elsewhere', 'worker.js'))
  expect(await answerOf(await serve(out))).toEqual({ page: expected, worker: expected })
})
