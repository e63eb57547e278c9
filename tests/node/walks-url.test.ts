/** Walks over commits on a server, with and without a commit-graph. */
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { open, openSync } from 'packlens'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { git } from '../../scripts/lib/git-oracle.mjs'
import { startNginx } from '../../scripts/lib/nginx-server.mjs'
import { type Served, serveFixtures } from './servers/served.ts'
import { collect, fixture, folderOf } from './support.ts'

const kinds = ['plain', 'dates', 'chain']
const of = fixture('walks')
const served: Served[] = []
const folder = mkdtempSync(path.join(tmpdir(), 'packlens-walks-url-'))
let server: { url: string; stop: () => Promise<void> }

beforeAll(async () => {
  const places = kinds.map((kind) => {
    const one = serveFixtures([of])
    served.push(one)
    const info = path.join(one.folder, 'walks.git', 'objects', 'info')
    if (kind !== 'plain') {
      cpSync(path.join(folderOf(of), 'graphs', kind), info, { recursive: true })
    }
    return { prefix: `/${kind}/`, folder: one.folder }
  })
  makeSpreadHistory(path.join(folder, 'spread.git'), 48)
  makeSpreadHistory(path.join(folder, 'small.git'), 24)
  server = await startNginx([...places, { prefix: '/own/', folder }])
})

afterAll(async () => {
  await server?.stop()
  for (const one of served) one.remove()
  rmSync(folder, { recursive: true })
})

test.each(kinds)('the answers from a URL are equal, graph: %s', async (kind) => {
  using local = openSync(folderOf(of))
  await using repo = await open(`${server.url}/${kind}/walks.git`)
  for (const specs of [['main'], ['main~2...cross/left'], ['--all', '^main~3']]) {
    expect(await collect(repo.revList(specs))).toEqual([...local.revList(specs)])
  }
  const asked = repo.stats().requests
  expect(await repo.mergeBase('main~4', 'tips/000')).toBe(local.mergeBase('main~4', 'tips/000'))
  expect(repo.stats().requests - asked).toBeLessThanOrEqual(2)
  expect(repo.stats().requests).toBeLessThan(20)
  // Tags are read from the pack, and commits only without a graph.
  const { objects } = repo.stats()
  if (kind === 'dates') expect(objects).toBeLessThan(20)
  else expect(objects).toBeGreaterThan(kind === 'plain' ? 500 : 100)
})

/** Commits, the trees of which are far apart in the pack: large files are between them. */
function makeSpreadHistory(gitDir: string, count: number): void {
  let seed = 1
  const noise = () => {
    const bytes = new Uint32Array(50_000)
    for (const at of bytes.keys()) {
      seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0
      bytes[at] = seed
    }
    return Buffer.from(bytes.buffer)
  }
  const commits = Array.from({ length: count }, (_, at) => {
    const large = noise()
    const name = at % 3 === 0 ? 'wanted' : `other-${at}`
    const head = `commit refs/heads/main\ncommitter A <a@x> ${1_700_000_000 + at} +0000\ndata 0\n`
    const first = `M 100644 inline large\ndata ${large.length}\n`
    return [head, first, large, `\nM 100644 inline ${name}\ndata 3\n${at + 100}\n`]
  })
  git(gitDir, ['init', '-q', '--bare', '-b', 'main', gitDir])
  git(gitDir, ['config', 'fastimport.unpackLimit', '1'])
  const parts = [...commits.flat(), 'done\n'].map((part) => Buffer.from(part))
  git(gitDir, ['fast-import', '--quiet', '--done'], Buffer.concat(parts))
  git(gitDir, ['commit-graph', 'write', '--reachable', '--changed-paths', '--no-progress'])
  git(gitDir, ['update-server-info'])
}

test('what a path history compares next is requested together', async () => {
  await using repo = await open(`${server.url}/own/spread.git`)
  const found = await collect(repo.revList('main', { path: 'wanted' }))
  expect(found).toEqual(git(path.join(folder, 'spread.git'), ['rev-list', 'main', '--', 'wanted']))
  expect(found.length).toBe(16)
  const { requests, objects } = repo.stats()
  expect(objects).toBeGreaterThanOrEqual(16)
  expect(requests).toBeLessThan(15)
})

test.each([
  ['spread', 48],
  ['small', 24],
])(
  'how far around an object is read depends on the size of the pack: %s',
  async (name, kibibytes) => {
    const lengths: number[] = []
    const noting = (address: string | URL | Request, init?: RequestInit) => {
      const range = /^bytes=(\d+)-(\d+)$/.exec(new Headers(init?.headers).get('Range') ?? '')
      if (String(address).endsWith('.pack') && range)
        lengths.push(Number(range[2]) - Number(range[1]) + 1)
      return fetch(address, init)
    }
    await using repo = await open(`${server.url}/own/${name}.git`, { http: { fetch: noting } })
    await repo.read('main~12^{tree}')
    expect(lengths.at(-1)).toBe(kibibytes << 10)
  },
)
