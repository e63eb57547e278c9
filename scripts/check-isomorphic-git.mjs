#!/usr/bin/env node
// Runs isomorphic-git's own reading tests with packlens in place of its reading functions, from a
// copy of its repository. What writes is its own: tests prepare repositories with it.
//
//   npm run check:isomorphic-git -- --suite DIR [--browser] [--peer] [--show] [name ...]
//
// `--browser` runs them in Chromium; the copy then needs the packages `buffer` and
// `path-browserify`, which isomorphic-git's users install as well. `--peer` runs the same tests with
// isomorphic-git's own functions, `--show` prints the errors; names limit the run to files such as
// `readBlob`.
import { existsSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { startVitest } from 'vitest/node'
import { pageOptions } from './lib/isomorphic-git/in-page.mjs'
import { inRoot } from './lib/paths.mjs'

/** The files that test functions that read; each has a twin for repositories of submodules. */
const READING = [
  ...['currentBranch', 'expandOid', 'expandRef', 'findMergeBase', 'findRoot', 'isDescendent'],
  ...['listBranches', 'listFiles', 'listNotes', 'listRefs', 'listTags', 'log', 'log-file'],
  ...['readBlob', 'readCommit', 'readNote', 'readObject', 'readTag', 'readTree', 'resolveRef'],
  ...['walk', 'config', 'isIgnored', 'listRemotes', 'status', 'statusMatrix'],
]

const { values, positionals } = parseArgs({
  options: {
    suite: { type: 'string' },
    browser: { type: 'boolean', default: false },
    peer: { type: 'boolean', default: false },
    show: { type: 'boolean', default: false },
  },
  allowPositionals: true,
})
const suite = path.resolve(values.suite ?? '')
if (values.suite === undefined || !existsSync(path.join(suite, '__tests__'))) {
  console.error("--suite DIR: a copy of isomorphic-git's repository")
  process.exit(2)
}

const MIXED = 'virtual:mixed'
const theirs = path.join(suite, 'src', 'index.js')

/** The functions that tests get: those that read are of packlens, unless the peer is tested. */
async function mixedModule() {
  const ours = inRoot('dist', 'packlens-isomorphic-git.js')
  const names = Object.keys(await import(pathToFileURL(ours).href))
  const writing = Object.keys(await import('../dist/isomorphic-git/writing.js'))
  const readers = names.filter((name) => name !== 'default' && !writing.includes(name))
  return `
    export * from ${JSON.stringify(theirs)}
    export { clone } from '${CLONE}'
    ${values.peer ? '' : `export { ${readers.join(', ')} } from ${JSON.stringify(ours)}`}
  `
}

/**
 * Replaces packages that only the development of isomorphic-git needs, and that the copy does not
 * have: one test verifies signatures, and fails without the plug-in.
 */
const STAND_INS = {
  'find-up': `
    import { existsSync } from 'node:fs'
    import path from 'node:path'
    export default async function findUp(name, { cwd }) {
      for (let at = cwd; ; at = path.dirname(at)) {
        if (existsSync(path.join(at, name))) return path.join(at, name)
        if (path.dirname(at) === at) return undefined
      }
    }`,
  'signal-exit': 'export default function onExit(callback) { process.on("exit", callback) }',
  '@isomorphic-git/pgp-plugin': 'export const pgp = {}',
  '@zenfs/core':
    'export const fs = {}, configureSingle = null, CopyOnWrite = null, Fetch = null, InMemory = null',
}

/**
 * Tests of submodules clone a superproject from a server, of which they read nothing. Their
 * fixtures are repositories of submodules in a directory of it.
 */
const CLONE = 'virtual:clone'
const HTTP = 'isomorphic-git/http'

const plugin = {
  name: 'suite',
  enforce: 'pre',
  async resolveId(id, importer) {
    if (id === 'isomorphic-git') return `\0${MIXED}`
    if (id === CLONE || id === HTTP) return `\0${id}`
    if (id in STAND_INS) return (await this.resolve(id, importer)) ?? `\0stand-in:${id}`
    if (id.startsWith('isomorphic-git/')) return path.join(suite, 'src', `${id.slice(15)}.js`)
    // Its dependencies are those of the package that is installed here.
    if (/^[@a-z]/.test(id) && importer?.startsWith(suite)) {
      return this.resolve(id, inRoot('node_modules', 'isomorphic-git', 'index.js'))
    }
    return undefined
  },
  load(id) {
    if (id === `\0${MIXED}`) return mixedModule()
    if (id === `\0${HTTP}`) return 'export default {}'
    if (id === `\0${CLONE}`) return 'export const clone = ({ fs, gitdir }) => fs._mkdir(gitdir)'
    return id.startsWith('\0stand-in:') ? STAND_INS[id.slice(10)] : undefined
  },
}

const filters = positionals.length > 0 ? positionals : READING
const files = filters.flatMap((name) => [`test-${name}.js`, `test-${name}-in-submodule.js`])
const inNode = {
  test: {
    root: suite,
    environment: 'node',
    include: files.map((file) => `__tests__/${file}`),
    server: { deps: { inline: [/isomorphic-git\/src/, /__tests__/] } },
  },
  vite: { plugins: [plugin], root: suite },
}
const options = values.browser ? await pageOptions(suite, files, plugin) : inNode
const vitest = await startVitest(
  'test',
  [],
  {
    ...options.test,
    config: false,
    watch: false,
    globals: true,
    // `undefined` and `toMatchInlineSnapshot` are compared as Jest does; nothing is written.
    update: 'none',
    snapshotFormat: { printBasicPrototype: false, escapeString: false },
    maxWorkers: 1,
    testTimeout: 60_000,
    reporters: [{}],
  },
  { ...options.vite, server: { fs: { strict: false } } },
)

let [passed, failed] = [0, 0]
for (const module of vitest.state.getTestModules()) {
  const tests = [...module.children.allTests()]
  const failing = tests.filter((one) => one.result().state === 'failed')
  const skipped = tests.filter((one) => one.result().state === 'skipped').length
  passed += tests.length - failing.length - skipped
  failed += failing.length + module.errors().length
  const name = path.basename(module.moduleId)
  console.log(`${name}: ${tests.length - failing.length - skipped} of ${tests.length} passed`)
  for (const error of module.errors()) console.log(`  ${error.message.slice(0, 300)}`)
  for (const one of failing) {
    console.log(`  ${one.fullName}`)
    const [error] = one.result().errors ?? []
    if (values.show) console.log(`${error?.message}\n${error?.diff ?? ''}`.replace(/^/gm, '    '))
  }
}
console.log(`${passed} passed, ${failed} failed`)
await vitest.close()
process.exit(failed > 0 || passed === 0 ? 1 : 0)
