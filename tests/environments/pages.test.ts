/** The published package in pages without a bundler, and in their workers, in each browser. */
import { createHash } from 'node:crypto'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { copyServed } from '../node/servers/served.ts'
import { fixture } from '../node/support.ts'
import { page, script, serve, useBrowser } from './page.ts'
import { expected, makeProject, run, tool } from './support.ts'
import { hasWebKit, useWebKit } from './webkit.ts'

const DIST = './node_modules/packlens/dist'

const importMap = JSON.stringify({ imports: { packlens: `${DIST}/packlens.js` } })

const withImportMap = page.replace('<script', `<script type="importmap">${importMap}</script>$&`)

const pageScript = script().replaceAll('await open(repository)', "await open('repository.git')")

/** Import maps do not count in workers. Compares the globals before and after. */
const ownWorker = `
const before = new Set(Object.getOwnPropertyNames(globalThis))
const { open } = await import('${DIST}/packlens.js')
const { readAll } = await import('./read-all.js')
const { repository } = await import('./repository.js')
const answers = {
  page: await readAll(await open(repository)),
  worker: await readAll(await open(repository, { worker: true })),
  server: await readAll(await open(new URL('repository.git', import.meta.url))),
}
const globals = Object.getOwnPropertyNames(globalThis).filter((name) => !before.has(name))
postMessage({ ...answers, globals })
`

/** A page without any file beside its script. */
const slimScript = script(`{
  wasm: await (await fetch('${DIST}/wasm/packlens_bg.wasm')).arrayBuffer(),
  rest: await (await fetch('${DIST}/wasm/packlens_rest.wasm')).arrayBuffer(),
  worker: '${DIST}/packlens-worker.js',
}`).replace("'packlens'", `'${DIST}/packlens-slim.js'`)

const startsWorker = `
const worker = new Worker('own-worker.js', { type: 'module' })
window.answer = new Promise((resolve, reject) => {
  worker.onmessage = ({ data }) => resolve(data)
  worker.onerror = ({ message }) => reject(new Error(message))
})
`

/** Service workers have neither workers nor `import()`. */
const serviceWorker = `
import { isPacklensError, load, open } from 'packlens/slim'
import { readAll } from './read-all.js'
import { repository } from './repository.js'
addEventListener('install', () => skipWaiting())
addEventListener('activate', (event) => event.waitUntil(clients.claim()))
addEventListener('fetch', (event) => {
  if (new URL(event.request.url).pathname !== '/answer') return
  event.respondWith(answer().catch(String).then((found) => Response.json(found)))
})
const failure = (call) => call.catch((error) => isPacklensError(error) && [error.code, error.message])
async function answer() {
  const without = await failure(open(repository))
  const [wasm, rest] = await Promise.all([
    fetch('${DIST}/wasm/packlens_bg.wasm'),
    fetch('${DIST}/wasm/packlens_rest.wasm'),
  ])
  await load({ wasm, rest })
  return {
    without,
    page: await readAll(await open(repository)),
    server: await readAll(await open(new URL('repository.git', location.href))),
    workers: await failure(open(repository, { worker: true })),
  }
}
`

const registers = (file: string, type: string) => `
async function answer() {
  const { serviceWorker } = navigator
  const controlled = new Promise((resolve) => {
    serviceWorker.addEventListener('controllerchange', resolve, { once: true })
  })
  await serviceWorker.register('${file}', { type: '${type}' })
  await controlled
  return (await fetch('answer')).json()
}
window.answer = answer().catch(String)
`

const build = `
import { build } from ${JSON.stringify(tool('esbuild', 'lib', 'main.js'))}
await build({
  entryPoints: ['service-worker.js'],
  outfile: 'classic.js',
  bundle: true,
  format: 'iife',
})
`

const hash = createHash('sha256').update(importMap).digest('base64')

/** What a page may do. `wasm` is the permission that WebAssembly needs. */
const policy = (wasm: string) => ({
  'Content-Security-Policy': [
    "default-src 'none'",
    `script-src 'self' 'sha256-${hash}' ${wasm}`,
    "worker-src 'self'",
    "connect-src 'self'",
    'img-src data:',
  ].join('; '),
})

const STRICT = policy("'wasm-unsafe-eval'")

async function pages(): Promise<string> {
  const folder = makeProject('pages', {
    'import-map.html': withImportMap,
    'page.js': pageScript,
    'slim.html': page.replace('page.js', 'slim.js'),
    'slim.js': slimScript,
    'own-worker.html': page.replace('page.js', 'starts-worker.js'),
    'starts-worker.js': startsWorker,
    'own-worker.js': ownWorker,
    'service-worker.js': serviceWorker,
    'module.js': serviceWorker.replace('packlens/slim', `${DIST}/packlens-slim.js`),
    ...Object.fromEntries(
      ['module', 'classic'].flatMap((type) => [
        [`${type}-page.html`, page.replace('page.js', `registers-${type}.js`)],
        [`registers-${type}.js`, registers(`${type}.js`, type)],
      ]),
    ),
    'build.mjs': build,
  })
  copyServed(fixture('tiny'), path.join(folder, 'repository.git'))
  // Warnings are errors here: the entry has nothing that a bundler cannot follow.
  const built = await run(folder, process.execPath, ['build.mjs'])
  expect(built).toEqual({ status: 0, stdout: '', stderr: '' })
  return folder
}

let made: Promise<string> | undefined

const browsers = ['chromium', 'firefox', ...(hasWebKit ? (['webkit'] as const) : [])] as const

describe.each(browsers)('%s', (name) => {
  const open = name === 'webkit' ? useWebKit() : useBrowser({ name })

  async function answerOf(file: string, headers = STRICT): Promise<unknown> {
    made ??= pages()
    const site = await serve(await made, 404, { headers })
    try {
      return await open(site.url + file)
    } finally {
      site.close()
    }
  }

  test('reads by an import map, without `unsafe-eval`', async () => {
    expect(await answerOf('import-map.html')).toEqual({ page: expected, worker: expected })
  })

  test('reads by slim, with the module and the script of its worker given', async () => {
    expect(await answerOf('slim.html')).toEqual({ page: expected, worker: expected })
  })

  test('says why, where the page forbids WebAssembly', async () => {
    expect(await answerOf('import-map.html', policy(''))).toMatchObject({
      failed: { code: 'NETWORK', message: expect.stringContaining("'wasm-unsafe-eval'") },
    })
  })

  test("reads in a worker of the page's own, and in one that this starts, without new globals", async () => {
    const read = { page: expected, worker: expected, server: expected, globals: [] }
    expect(await answerOf('own-worker.html')).toEqual(read)
  })

  test.each(['module', 'classic'])('reads in a %s service worker, by slim', async (type) => {
    const slim = 'packlens/slim has no'
    expect(await answerOf(`${type}-page.html`)).toEqual({
      without: ['BAD_INPUT', `${slim} module of its own: await load({ wasm: bytes }) first`],
      page: expected,
      server: expected,
      workers: ['BAD_INPUT', `${slim} worker script of its own: await load({ worker: url }) first`],
    })
  })
})
