/** Calls by the module that they need: each returns comparable values of its answer. */
import type { Repo } from './module-pages.ts'
import { collect, fixture, sha256 } from './support.ts'

const head = fixture('main').head.oid ?? ''
const inHex = (bytes: Uint8Array) => sha256(bytes)

type Call = readonly [name: string, ask: (repo: Repo) => unknown]

const FOLLOWED = { path: 'README.md', follow: true }

/** The calls of a first page. */
export const FIRST: readonly Call[] = [
  ['read', async (repo) => inHex((await repo.read('HEAD')).data)],
  ['readCommit', async (repo) => (await repo.readCommit('HEAD~1')).toJSON()],
  ['info', async (repo) => repo.info('HEAD^{tree}')],
  ['resolve', async (repo) => repo.resolve(head.slice(0, 9))],
  ['refs', async (repo) => (await collect(repo.refs.list())).map(({ name, oid }) => [name, oid])],
  ['walk', async (repo) => (await collect(repo.walk('HEAD', { recursive: true }))).map(String)],
  ['log', async (repo) => (await collect(repo.log('HEAD', { limit: 20 }))).map(({ oid }) => oid)],
  ['readMany', async (repo) => inHex((await repo.readMany(['HEAD', 'HEAD^{tree}'])).bytes)],
  [
    'stream',
    async (repo) =>
      inHex(Buffer.concat(await collect(repo.stream('HEAD') as AsyncIterable<Uint8Array>))),
  ],
]

/** Calls that need the full module. */
export const FULL: readonly Call[] = [
  ['countCommits', async (repo) => repo.countCommits('HEAD')],
  ['revList', async (repo) => collect(repo.revList('HEAD'))],
  ['excluded commits', async (repo) => collect(repo.revList(['HEAD', '^HEAD~2'], { limit: 5 }))],
  ['topological order', async (repo) => collect(repo.revList('HEAD', { order: 'topo', limit: 5 }))],
  ['order of authors', async (repo) => collect(repo.revList('HEAD', { order: 'author-date' }))],
  ['aheadBehind', async (repo) => repo.aheadBehind('HEAD', ['HEAD~1'])],
  ['mergeBase', async (repo) => repo.mergeBase('HEAD', 'HEAD~1')],
  ['patterns of refs', async (repo) => collect(repo.refs.list({ pattern: 'refs/heads/*' }))],
  ['reflog', async (repo) => collect(repo.refs.log('HEAD'))],
  ['reflog selector', async (repo) => repo.resolve('HEAD@{0}')],
  ['message', async (repo) => repo.resolve('HEAD^{/.}')],
  [
    'objects',
    async (repo) => (await collect(repo.objects())).map((row) => 'oid' in row && row.oid),
  ],
  ['pack order', async (repo) => inHex((await repo.readMany(['HEAD'], { order: 'pack' })).bytes)],
  ['config', async (repo) => (await repo.config()).list().map(({ name, value }) => [name, value])],
]

/** Calls that need its rest, too. */
export const REST: readonly Call[] = [
  ['diff', async (repo) => (await collect(repo.diff('HEAD~2', 'HEAD'))).map(({ path }) => path)],
  ['checkAttr', async (repo) => repo.checkAttr('a', { source: 'HEAD' })],
  ['submodules', async (repo) => await collect(repo.submodules())],
  ['index', async (repo) => (await collect(repo.index())).map(({ path }) => path)],
  ['grep', async (repo) => (await collect(repo.grep('HEAD', 'e'))).map(({ path }) => path)],
  [
    'archive',
    async (repo) => inHex(Buffer.concat(await collect(repo.archive('HEAD', { mtime: 1 })))),
  ],
  [
    'blame',
    async (repo) => (await collect(repo.blame('HEAD', 'README.md'))).map(({ commit }) => commit),
  ],
  ['combinedPatches', async (repo) => (await collect(repo.combinedPatches('HEAD'))).map(String)],
  ['nameRev', async (repo) => repo.nameRev(['HEAD'])],
  ['describe', async (repo) => `${await repo.describe('HEAD', { always: true })}`],
  [
    'lastModified',
    async (repo) => (await collect(repo.lastModified('HEAD'))).map(({ commit }) => commit),
  ],
  ['patches', async (repo) => (await collect(repo.patches('HEAD~2', 'HEAD'))).map(String)],
  ['diffText', async (repo) => (await repo.diffText('a', 'b')).toJSON()],
  ['fsck', async (repo) => repo.fsck()],
  ['storage', async (repo) => repo.storage()],
  ['renames', async (repo) => (await collect(repo.log('HEAD', FOLLOWED))).map(({ oid }) => oid)],
  ['same patches', async (repo) => collect(repo.revList(['HEAD...HEAD~2'], { cherryPick: true }))],
]
