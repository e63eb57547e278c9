/** Repositories on a real server: nginx. */
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { HttpFetch, HttpOptions, Repository } from 'packlens'
import { open, openSync } from 'packlens'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startNginx } from '../../scripts/lib/nginx-server.mjs'
import { makeScene, withOtherPacks, writeScene } from './servers/scene.ts'
import { infoRefs, packList, type Served, serveFixtures } from './servers/served.ts'
import {
  codeOf,
  collect,
  type Expected,
  errorOf,
  fixture,
  folderOf,
  sha256,
  whole,
} from './support.ts'

let withInfo: Served
let withoutInfo: Served
let elsewhere: string
const scene = makeScene(1)
let server: { url: string; stop: () => Promise<void> }

beforeAll(async () => {
  withInfo = serveFixtures(whole)
  withoutInfo = serveFixtures(whole, { info: false })
  elsewhere = mkdtempSync(path.join(tmpdir(), 'packlens-url-'))
  cpSync(folderOf(fixture('served')), path.join(elsewhere, 'worktree', '.git'), { recursive: true })
  writeScene(scene, path.join(elsewhere, 'scene'))
  writeScene(withOtherPacks(scene), path.join(elsewhere, 'two'))
  server = await startNginx([
    { prefix: '/worktree/', folder: path.join(elsewhere, 'worktree') },
    { prefix: '/scene/', folder: path.join(elsewhere, 'scene') },
    { prefix: '/two/', folder: path.join(elsewhere, 'two') },
    { prefix: '/one-range/', folder: path.join(elsewhere, 'scene'), lines: ['max_ranges 1;'] },
    {
      prefix: '/gzip/',
      folder: withInfo.folder,
      lines: ['gzip on;', 'gzip_types *;', 'gzip_min_length 0;'],
    },
    { prefix: '/info/', folder: withInfo.folder },
    { prefix: '/plain/', folder: withoutInfo.folder },
  ])
})

afterAll(async () => {
  await server?.stop()
  withInfo?.remove()
  withoutInfo?.remove()
  rmSync(elsewhere, { recursive: true, force: true })
})

function urlOf({ name }: { name: string }, kind: 'info' | 'plain' = 'info'): string {
  return `${server.url}/${kind}/${name}.git`
}

test('The server files of the tests equal those of git', () => {
  const of = fixture('served')
  const file = (name: string) => readFileSync(path.join(folderOf(of), name), 'utf8')
  expect(infoRefs(of)).toBe(file('info/refs'))
  const sorted = (text: string) => text.split('\n').sort()
  expect(sorted(packList(folderOf(of)))).toEqual(sorted(file('objects/info/packs')))
})

describe.each(whole.map((of) => [of.name, of] as const))('%s', (_, of) => {
  test('has the same objects as on disk', async () => {
    await using repo = await open(urlOf(of))
    for (const { oid, type, size, sha256: digest } of of.objects) {
      const object = await repo.read(oid)
      expect([object.oid, object.type, object.size]).toEqual([oid, type, size])
      expect(sha256(object.data), oid).toBe(digest)
    }
  })

  test('has the same refs', async () => {
    await using repo = await open(new URL(urlOf(of)))
    const refs = await collect(repo.refs.list())
    const seen = refs.map(({ name, oid, peeled }) => ({ name, oid, peeled }))
    expect(seen).toEqual(of.refs.map(({ name, oid, peeled }) => ({ name, oid, peeled })))
    await hasEachRef(repo, of)
  })

  test('has the same refs without `info/refs`, but lists them only from reftables', async () => {
    await using repo = await open(`${urlOf(of, 'plain')}/`)
    await hasEachRef(repo, of)
    if (of.name.startsWith('reftable')) {
      const names = (await collect(repo.refs.list())).map(({ name }) => name)
      return expect(names).toEqual(of.refs.map(({ name }) => name))
    }
    const error = await errorOf(() => collect(repo.refs.list()))
    expect([error.code, error.message]).toEqual([
      'UNSUPPORTED',
      expect.stringContaining('git update-server-info'),
    ])
  })
})

async function hasEachRef(repo: Repository, of: Expected): Promise<void> {
  for (const { name, oid } of of.refs) expect((await repo.refs.get(name))?.oid, name).toBe(oid)
  expect((await repo.refs.get('HEAD'))?.oid ?? null).toBe(of.head.oid)
}

/** The names of the packs of a served fixture. */
function packsOf({ name }: Expected): string[] {
  const folder = path.join(withInfo.folder, `${name}.git`, 'objects', 'pack')
  return readdirSync(folder).filter((file) => file.endsWith('.pack'))
}

describe('Only needed bytes are requested', () => {
  const sizeOf = ({ name }: Expected, file: string) =>
    statSync(path.join(withInfo.folder, `${name}.git`, file)).size

  test('a small repository takes a request for each of its files', async () => {
    const of = fixture('tiny')
    await using repo = await open(urlOf(of))
    const [pack = ''] = packsOf(of)
    const index = `objects/pack/${pack.replace('.pack', '.idx')}`
    const files = ['HEAD', 'info/refs', 'objects/info/packs', index, `objects/pack/${pack}`]
    expect(repo.stats().requests).toBe(5)
    for (const { oid } of of.objects) await repo.read(oid)
    const bytes = files.reduce((sum, file) => sum + sizeOf(of, file), 0)
    expect(repo.stats()).toMatchObject({ requests: 5, receivedBytes: bytes })
  })

  test('a commit of a large pack takes two requests, whatever the repository holds', async () => {
    await using repo = await open(`${server.url}/scene/repo.git`)
    const opened = repo.stats()
    // The beginnings of the pack and of its index are among them.
    expect(opened.requests).toBe(5)
    await repo.read(scene.oids[300] as string)
    const { requests, receivedBytes } = repo.stats()
    // Ranges of the index, then ranges of the pack.
    expect(requests - opened.requests).toBe(2)
    expect(receivedBytes - opened.receivedBytes).toBeLessThan(120_000)
    await repo.read(scene.oids[301] as string)
    expect(repo.stats().requests - requests).toBeLessThanOrEqual(2)
  })

  test('many concurrent reads share requests', async () => {
    await using repo = await open(`${server.url}/scene/repo.git`)
    const asked = scene.oids.filter((_, at) => at % 50 === 20)
    for (const order of ['asked', 'pack'] as const) {
      const before = repo.stats().requests
      const rows = [...(await repo.readMany(asked, { order }))]
      const expected = scene.contents.filter((_, at) => at % 50 === 20)
      const found = rows.map((row) => 'data' in row && sha256(row.data))
      expect(found.sort()).toEqual(expected.map(sha256).sort())
      // One by one they take more requests; bytes in memory take none.
      expect(repo.stats().requests - before).toBeLessThanOrEqual(order === 'asked' ? 4 : 0)
    }
  })

  test('without several ranges in a request it takes more of them', async () => {
    await using repo = await open(`${server.url}/two/repo.git`, { http: { multipart: false } })
    const opened = repo.stats().requests
    await repo.read(scene.oids[300] as string)
    expect(repo.stats().requests - opened).toBe(3)
  })
})

test('A server that answers several ranges with the whole file sends one at a time', async () => {
  const receivedFrom = async (folder: string, http: HttpOptions) => {
    await using repo = await open(`${server.url}/${folder}/repo.git`, { http })
    const all = await Promise.all([0, 300, 600].map((at) => repo.read(scene.oids[at] as string)))
    expect(all.map(({ oid }) => oid)).toEqual([0, 300, 600].map((at) => scene.oids[at]))
    return repo.stats()
  }
  const apart = await receivedFrom('scene', { multipart: false })
  const { requests, receivedBytes } = await receivedFrom('one-range', {})
  expect(requests).toBe(apart.requests + 1)
  expect(receivedBytes).toBe(apart.receivedBytes)
})

test('A repository in the folder `.git` is found, and a missing one is NOT_FOUND', async () => {
  const of = fixture('served')
  await using repo = await open(`${server.url}/worktree`)
  expect((await repo.refs.get('HEAD'))?.oid).toBe(of.head.oid)
  const error = await errorOf(() => open(`${server.url}/info`))
  expect([error.code, error.subject]).toEqual(['NOT_FOUND', `${server.url}/info`])
})

test('Reftables on a server', async () => {
  const of = fixture('reftable')
  const folder = path.join(elsewhere, 'worktree', 'reftable.git')
  cpSync(folderOf(of), folder, { recursive: true })
  mkdirSync(path.join(folder, 'objects', 'info'), { recursive: true })
  writeFileSync(path.join(folder, 'objects', 'info', 'packs'), packList(folder))
  // The list that `git update-server-info` writes for servers lacks HEAD.
  const list = of.refs.map(({ name, oid }) => `${oid}\t${name}\n`).join('')
  for (const info of [null, list]) {
    if (info !== null) {
      mkdirSync(path.join(folder, 'info'), { recursive: true })
      writeFileSync(path.join(folder, 'info', 'refs'), info)
    }
    await using repo = await open(`${server.url}/worktree/reftable.git`)
    expect((await repo.refs.get('HEAD'))?.oid).toBe(of.head.oid)
    const names: string[] = []
    for await (const { name } of repo.refs.list()) names.push(name)
    expect(names).toEqual(of.refs.map(({ name }) => name))
    expect(await repo.resolve('v1.0')).toBe(of.resolve['v1.0'])
  }
})

test('An object of a pack that a repack deleted is found in the new pack', async () => {
  const repacked = fixture('repacked')
  const folder = path.join(elsewhere, 'worktree', 'live.git')
  const become = (moment: string) => {
    rmSync(folder, { recursive: true, force: true })
    cpSync(path.join(folderOf(repacked), '..', moment), folder, { recursive: true })
    mkdirSync(path.join(folder, 'objects', 'info'), { recursive: true })
    writeFileSync(path.join(folder, 'objects', 'info', 'packs'), packList(folder))
  }
  become('2-grown')
  // Little memory: the bytes of the old packs are soon evicted.
  await using repo = await open(`${server.url}/worktree/live.git`, { memory: 1 << 20 })
  const large = repacked.objects.reduce((one, other) => (one.size > other.size ? one : other))
  const reader = repo.stream(large.oid, { chunkSize: 1000 }).getReader()
  const chunks = [(await reader.read()).value ?? new Uint8Array()]
  become('4-last')
  for (const { oid, sha256: digest } of repacked.objects) {
    expect(sha256((await repo.read(oid)).data), oid).toBe(digest)
  }
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    chunks.push(next.value)
  }
  expect(sha256(Buffer.concat(chunks))).toBe(large.sha256)
})

describe('In a worker', () => {
  const ranges: string[] = []
  const noting: HttpFetch = (url, init) => {
    if (url.endsWith('.pack')) ranges.push(new Headers(init.headers).get('Range') ?? '')
    return fetch(url, init)
  }

  test.each([
    ['that reads itself', {}],
    ['that asks the page, where a hook stays', { fetch: noting }],
  ])('%s the answers are the same', async (_, http: HttpOptions) => {
    await using repo = await open(`${server.url}/two/repo.git`, { worker: true, http })
    const oid = scene.oids[300] as string
    expect(sha256((await repo.read(oid)).data)).toBe(sha256(scene.contents[300] as Uint8Array))
    expect(repo.stats().requests).toBeGreaterThanOrEqual(6)
    expect(await codeOf(() => repo.read('f'.repeat(40)))).toBe('NOT_FOUND')
    const none = `${server.url}/scene/none.git`
    expect(await codeOf(() => open(none, { worker: true, http }))).toBe('NOT_FOUND')
    // The offset of the first read is given at the opening.
    if (http.fetch) expect(ranges).toEqual([expect.stringMatching(/^bytes=0-\d+,\d+-\d+$/)])
  })
})

test('A URL needs promises', () => {
  expect(() => openSync(urlOf(fixture('tiny')))).toThrow('open it with `open`')
})

test('A server that compresses is asked not to', async () => {
  const of = fixture('main')
  await using repo = await open(`${server.url}/gzip/${of.name}.git`)
  const oid = of.objects[0]?.oid as string
  expect((await repo.read(oid)).oid).toBe(oid)
})
