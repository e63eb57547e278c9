/** The files of the package that a page loads, and the error for a missing one. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { readmeHints } from '../../scripts/lib/readme-hints.mjs'
import { openServedPage } from '../../scripts/lib/served-page.mjs'

let served: Awaited<ReturnType<typeof openServedPage>>
beforeAll(async () => {
  served = await openServedPage({})
})
afterAll(() => served?.close())

// A new page has nothing that an earlier one imported.
beforeEach(async () => {
  await served.page.reload()
})

/** Runs a script with the package in the page; returns its answer and the scripts it loaded. */
async function run(script: string) {
  const answer = await served.page.evaluate(
    `import('/dist/packlens.js').then(async (packlens) => {
      const { open } = packlens
      return ${script}
    }).catch(({ code, message }) => ({ code, message }))`,
  )
  const loaded: string[] = await served.page.evaluate(
    `performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname)`,
  )
  return { answer, scripts: loaded.filter((name) => name.endsWith('.js')).sort() }
}

const MAIN = '/dist/packlens.js'

test.each([
  ['a pack in memory', 'open({ packs: [] }).then(() => 1)', []],
  ['a server', "open(new URL('/nothing/', location.href))", ['servers']],
  ['a file system', "open({ fs: { promises: {} }, dir: '/' })", ['folders']],
  ['a list of files', "open([new File([], 'none')])", ['folders']],
  [
    'a hook for missing objects',
    'open({ packs: [] }, { missing: () => null }).then(() => 1)',
    ['full'],
  ],
  ['a bundle', 'open({ bundle: new Uint8Array(9) })', ['full']],
  ['a plan of refs', '(await open({ packs: [] })).refs.plan([]).then(() => 1)', ['full']],
  ['a comparison of trees', '(await open({ packs: [] })).diff(null, null).next()', ['full']],
  ['a merge base', "(await open({ packs: [] })).mergeBase('a', 'b')", ['full']],
  ['a list of all objects', '(await open({ packs: [] })).objects().next()', ['full']],
  ['an index of a pack', 'packlens.indexPack(new Uint8Array(9))', ['full']],
  ['loading the full module', "packlens.load({ preload: 'full' })", ['full']],
  ['a read', "(await open({ packs: [] })).find('HEAD')", []],
  ['workers', 'open({ packs: [] }, { workers: 1 }).then(() => 1)', ['workers']],
])('%s loads what it needs', async (_, script, names) => {
  const { scripts } = await run(script)
  const expected = names.map((name) => `/dist/packlens-${name}.js`)
  expect(scripts).toEqual([MAIN, ...expected].sort())
})

test('the files that README.md names for the head of a page are loaded once', async () => {
  const head = readmeHints('/dist/')
  expect(head.match(/<link/g)).toHaveLength(3)
  const asked: string[] = []
  served.page.on('request', (request) => asked.push(new URL(request.url()).pathname))
  await served.page.evaluate((head) => document.head.insertAdjacentHTML('beforeend', head), head)
  await run("open(new URL('/nothing/', location.href))")
  const loaded = asked.filter((name) => name.startsWith('/dist/')).sort()
  const names = ['packlens-servers.js', 'packlens.js', 'wasm/packlens_reader.wasm']
  expect(loaded).toEqual(names.map((name) => `/dist/${name}`))
})

test.each([
  'open({ bundle: new Uint8Array(9) })',
  'packlens.storeOf({ bundle: new Uint8Array(9) })',
])('%s loads the module that reads bundles', async (script) => {
  expect((await run(script)).answer).toMatchObject({ code: 'CORRUPT' })
})

test('the full module and its code load at the same time', async () => {
  const requests = { script: '', module: '' }
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  const names = { script: '**/packlens-full.js', module: '**/packlens_bg.wasm' }
  const both = Object.entries(names).map(
    ([kind, name]) =>
      new Promise<void>((resolve) => {
        served.page.route(name, async (route) => {
          requests[kind as keyof typeof requests] = route.request().url()
          resolve()
          await held
          await route.continue()
        })
      }),
  )
  const answer = run('(await open({ packs: [] })).countCommits([])')
  // Neither file arrives before both were requested.
  await Promise.all(both)
  release()
  expect((await answer).answer).toBe(0)
  for (const name of Object.values(names)) await served.page.unroute(name)
})

test('a synchronous call in a page says how to load the full module and its code', async () => {
  const { answer } = await run(`(async () => {
    await packlens.load()
    const repo = packlens.openSync({ packs: [] })
    const outcome = (ask) => {
      try {
        return ask()
      } catch ({ code, message }) {
        return [code, message]
      }
    }
    const ask = () => outcome(() => repo.countCommits([]))
    const openBundle = () => outcome(() => packlens.openSync({ bundle: new Uint8Array(9) }))
    const before = [ask(), openBundle()]
    await packlens.load({ preload: 'full' })
    return { before, after: [ask(), openBundle()[0]] }
  })()`)
  const advice = [
    'BAD_INPUT',
    "this needs the full module: await load({ preload: 'full' }) before synchronous calls",
  ]
  expect(answer).toEqual({ before: [advice, advice], after: [0, 'CORRUPT'] })
})

test('once the full module is loaded, synchronous calls that need it are answered', async () => {
  const { answer } = await run(`packlens
    .load({ preload: 'full' })
    .then(() => packlens.openSync({ packs: [] }).countCommits([]))`)
  expect(answer).toBe(0)
})

test('a file that does not load is an error that says what to do', async () => {
  await served.page.route('**/packlens-*.js', (route) => route.abort())
  const { answer } = await run("open(new URL('/nothing/', location.href))")
  expect(answer).toEqual({
    code: 'NETWORK',
    message:
      'could not be loaded: serve all files of node_modules/packlens/dist together: packlens-servers.js',
  })
})
