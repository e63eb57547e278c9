/** Walks over commits on a server, with and without a commit-graph. */
import {
  chmodSync,
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
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
  makeSpreadHistory(path.join(folder, 'below.git'), 48, 'one/two/')
  makeLongHistory(path.join(folder, 'long.git'), 600)
  makeLongHistory(path.join(folder, 'graph.git'), 2000)
  git(path.join(folder, 'graph.git'), ['commit-graph', 'write', '--reachable', '--no-progress'])
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
function makeSpreadHistory(gitDir: string, count: number, directory = ''): void {
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
    const name = directory + (at % 3 === 0 ? 'wanted' : `other-${at}`)
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
  // A tree for each commit that changed the path, with which the one before it is compared, too.
  expect(objects).toBe(16)
  expect(requests).toBeLessThan(15)
})

test('so are the trees on the way to a path', async () => {
  await using repo = await open(`${server.url}/own/below.git`)
  const found = await collect(repo.revList('main', { path: 'one/two/wanted' }))
  const expected = ['rev-list', 'main', '--', 'one/two/wanted']
  expect(found).toEqual(git(path.join(folder, 'below.git'), expected))
  expect(found.length).toBe(16)
  expect(repo.stats().requests).toBeLessThan(15)
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

/** Commits that git writes as deltas, too: their messages have most lines in common. */
function makeLongHistory(gitDir: string, count: number): void {
  const shared = Array.from({ length: 30 }, (_, at) => `line ${at} ${(at * 7919) ** 3}`).join('\n')
  const commits = Array.from({ length: count }, (_, at) => {
    const message = `${(at * 104_729) ** 2} ${(at + 7) ** 5}\n${at % 2 === 0 ? shared : at ** 4}\n`
    const head = `commit refs/heads/main\ncommitter A <a@x> ${1_700_000_000 + at} +0000\n`
    return `${head}data ${message.length}\n${message}\nM 100644 inline file\ndata 4\n${1000 + at}\n`
  })
  git(gitDir, ['init', '-q', '--bare', '-b', 'main', gitDir])
  git(gitDir, ['fast-import', '--quiet', '--done'], Buffer.from(`${commits.join('')}done\n`))
  git(gitDir, ['repack', '-adfq'])
  git(gitDir, ['update-server-info'])
}

/** Returns the file of the only pack in a folder of those that are served. */
function packOf(name: string): string {
  const packs = path.join(folder, `${name}.git`, 'objects', 'pack')
  const [pack = ''] = readdirSync(packs).filter((file) => file.endsWith('.pack'))
  return path.join(packs, pack)
}

test('a graph that is longer than one range is one request', async () => {
  const asked: string[] = []
  const noting = (address: string | URL | Request, init?: RequestInit) => {
    asked.push(String(address))
    return fetch(address, init)
  }
  const options = { memory: 1 << 20, http: { fetch: noting } }
  await using repo = await open(`${server.url}/own/graph.git`, options)
  const found = await collect(repo.revList('main', { path: 'file' }))
  expect(found).toEqual(git(path.join(folder, 'graph.git'), ['rev-list', 'main', '--', 'file']))
  // Its beginning, of which the core learns how long it is, and the rest.
  expect(asked.filter((address) => address.endsWith('/commit-graph')).length).toBe(2)
})

test('the newest commits are found in the beginning of the pack', async () => {
  const gitDir = path.join(folder, 'long.git')
  const ids = git(gitDir, ['rev-list', 'main'])
  const deltas = git(
    gitDir,
    ['cat-file', '--batch-check=%(deltabase)'],
    Buffer.from(ids.join('\n')),
  )
  expect(deltas.filter((base) => !/^0+$/.test(base)).length).toBeGreaterThan(100)
  await using repo = await open(`${server.url}/own/long.git`)
  const before = repo.stats().requests
  await repo.read('main')
  expect(repo.stats().requests - before).toBe(0)
  const listed = []
  for await (const { oid } of repo.log('main', { limit: 300 })) listed.push(oid)
  expect(listed).toEqual(ids.slice(0, 300))
  expect(repo.stats().requests - before).toBeLessThan(12)
})

test('trees and blobs are not looked for among the commits', async () => {
  await using repo = await open(`${server.url}/own/long.git`)
  await repo.read('main')
  const before = repo.stats().hashedBytes
  await repo.readTree('main')
  await repo.readBlob('main:file')
  // The beginning of the pack has some 90 KB of commits, in memory or requested already.
  expect(repo.stats().hashedBytes - before).toBeLessThan(1000)
})

test('a damaged commit in the beginning of the pack costs no other', async () => {
  const ids = git(path.join(folder, 'long.git'), ['rev-list', 'main'])
  cpSync(path.join(folder, 'long.git'), path.join(folder, 'damaged.git'), { recursive: true })
  const entries = git(folder, ['verify-pack', '-v', packOf('damaged').replace(/pack$/, 'idx')])
  // A whole commit: id, type, size, size in the pack, offset.
  const [damaged = '', , , , offset] =
    entries
      .map((line) => line.split(/ +/))
      .find((row) => ids.indexOf(row[0] ?? '') > 20 && row.length === 5) ?? []
  const bytes = readFileSync(packOf('damaged'))
  bytes.writeUInt8(bytes.readUInt8(Number(offset) + 40) ^ 0xff, Number(offset) + 40)
  chmodSync(packOf('damaged'), 0o644)
  writeFileSync(packOf('damaged'), bytes)
  await using repo = await open(`${server.url}/own/damaged.git`)
  const isWhole = async (id: string) =>
    repo.read(id).then(
      () => true,
      ({ code }: { code: string }) => code,
    )
  expect(await isWhole(damaged)).toBe('CORRUPT')
  const outcomes = await Promise.all(ids.map(isWhole))
  using copy = openSync(path.join(folder, 'damaged.git'))
  const expected = ids.map((id) => {
    try {
      return copy.read(id) !== undefined
    } catch (error) {
      return (error as { code: string }).code
    }
  })
  expect(outcomes).toEqual(expected)
  expect(outcomes.filter((outcome) => outcome === true).length).toBeGreaterThan(400)
})
