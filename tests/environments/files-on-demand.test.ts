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
    ['upkeep'],
  ],
  ['a plan of refs', '(await open({ packs: [] })).refs.plan([]).then(() => 1)', ['upkeep']],
  [
    'a comparison of trees',
    '(await open({ packs: [] })).diff(null, null).next().then(() => 1)',
    ['changes'],
  ],
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

test('a file that does not load is an error that says what to do', async () => {
  await served.page.route('**/packlens-*.js', (route) => route.abort())
  const { answer } = await run("open(new URL('/nothing/', location.href))")
  expect(answer).toEqual({
    code: 'NETWORK',
    message:
      'could not be loaded: serve all files of node_modules/packlens/dist together: packlens-servers.js',
  })
})
