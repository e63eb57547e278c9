/** Repositories that are read in a worker give the same answers as without one. */
import type { BatchRow, OpenOptions, PacksSource, RepoSource, Repository } from 'packlens'
import { open, openSync, PacklensError } from 'packlens'
import { describe, expect, test } from 'vitest'
import {
  asyncBuffer,
  asyncRandomAccess,
  asyncStoreOf,
  type Bytes,
  filesOf,
  inTheMiddle,
  packs,
  randomAccess,
  storeOf,
} from './sources.ts'
import {
  codeOf,
  collect,
  type Expected,
  errorOf,
  fixture,
  fixtures,
  folderOf,
  gitDirectoryOf,
  sha256,
} from './support.ts'

const main = fixture('main')

function openIt(source: RepoSource, options: OpenOptions = {}): Promise<Repository> {
  return open(source, { ...options, worker: true })
}

/** Returns the answer of a call, or what it throws. */
async function outcome<T>(ask: () => T | Promise<T>): Promise<unknown> {
  try {
    return await ask()
  } catch (error) {
    if (!(error instanceof PacklensError)) throw error
    return reported(error)
  }
}

function reported({ name, code, message, file, offset, subject }: PacklensError) {
  return { name, code, message, file, offset, subject }
}

function plainRow(row: BatchRow): unknown {
  if (row.type === 'failed') return { ...row, error: reported(row.error) }
  if (!('oid' in row)) return row
  const { type, index, oid, size, dataOffset, more, deltaDepth, diskSize, deltaBase, data } = row
  const content = sha256(data)
  return { type, index, oid, size, dataOffset, more, deltaDepth, diskSize, deltaBase, content }
}

async function bytesOf(stream: ReadableStream<Uint8Array>): Promise<string> {
  return sha256(Buffer.concat(await collect(stream as unknown as AsyncIterable<Uint8Array>)))
}

/** The answers of every call. */
async function everything(repo: Repository, of: Expected): Promise<unknown> {
  const oids = of.objects.map(({ oid }) => oid)
  const some = oids.filter((_, at) => at % 7 === 0).slice(0, 40)
  const names = [...Object.keys(of.resolve), ...Object.keys(of.resolveMore), 'no such', 'HEAD@{1}']
  const batches: unknown[] = []
  for (let start: { index: number; skip: number } | null | undefined; start !== null; ) {
    const specs = [...oids.slice(0, 300), 'no such', oids[0]?.slice(0, 4) ?? '']
    const batch = await repo.readMany(specs, { start, size: 50_000, fields: 'both' })
    batches.push([...batch].map(plainRow), batch.next, batch.bytes.byteLength)
    start = batch.next
  }
  const rows = async (options: Parameters<Repository['objects']>[0]) =>
    (await collect(repo.objects(options))).map(plainRow)
  return {
    batches,
    resolved: await Promise.all(names.map((name) => outcome(() => repo.resolve(name)))),
    infos: await Promise.all(some.map((oid) => outcome(() => repo.info(oid)))),
    streams: await Promise.all(
      some.map((oid) => outcome(() => bytesOf(repo.stream(oid, { chunkSize: 1000 })))),
    ),
    refs: await collect(repo.refs.list({ peel: true })),
    heads: await collect(repo.refs.list({ prefix: 'refs/heads/' })),
    head: await repo.refs.get('HEAD'),
    none: [await repo.refs.get('refs/none'), await repo.find('no such')],
    commits: await outcome(() => collect(repo.revList('HEAD', { all: true, limit: 50 }))),
    reached: await outcome(() => collect(repo.revListObjects('HEAD', { limit: 5 }))),
    walks: await Promise.all(
      Object.keys(of.lsTree).map((spec) =>
        outcome(() => collect(repo.walk(spec, { recursive: true, sizes: true }))),
      ),
    ),
    unordered: await rows({ unordered: true, fields: 'both' }),
    objects: await rows({}),
  }
}

async function expectSame(source: RepoSource, of: Expected, options?: OpenOptions): Promise<void> {
  await using direct = await open(source, options)
  await using repo = await openIt(source, options)
  expect(await everything(repo, of)).toEqual(await everything(direct, of))
}

async function expectObjects(repo: Repository, { objects }: Expected): Promise<void> {
  const found = await Promise.all(objects.map(({ oid }) => repo.read(oid)))
  expect(found.map(({ oid, type, size, data }) => [oid, type, size, sha256(data)])).toEqual(
    objects.map(({ oid, type, size, sha256 }) => [oid, type, size, sha256]),
  )
  repo.close()
}

/**
 * Both hashes, all kinds of refs, worktrees, and objects in packs, loose, or missing. Other fixtures
 * have other formats of packs and indexes, which the session reads in the same way in a worker.
 */
const different = fixtures.filter(({ name }) =>
  [
    ...['mixed', 'loose', 'sha256-loose', 'big-chain', 'packs-sha256', 'hostile'],
    ...['worktree-linked', 'reftable-sha256', 'reftable-linked', 'unborn', 'empty'],
  ].includes(name),
)

test('The fixtures of workers exist', () => expect(different.length).toBe(11))

describe.each(different)('$name in a worker', (of) => {
  test('has the objects of git, and all other answers as without a worker', async () => {
    await expectObjects(await openIt(folderOf(of)), of)
    await expectSame(folderOf(of), of)
  })
})

const kinds: [string, (of: Expected) => RepoSource][] = [
  ['a file: URL', (of) => new URL(`file://${folderOf(of)}`)],
  ['a store that answers at once', (of) => storeOf(gitDirectoryOf(of))],
  ['a store that promises', (of) => asyncStoreOf(gitDirectoryOf(of))],
  ['a list of files', (of) => filesOf(gitDirectoryOf(of))],
  ['packs in ArrayBuffers', (of) => packs(of, (bytes) => bytes.buffer)],
  ['packs in the middle of memory', (of) => packs(of, inTheMiddle)],
  ['packs in Blobs', (of) => packs(of, (bytes) => new Blob([bytes]))],
  ['packs of AsyncBuffers', (of) => packs(of, asyncBuffer)],
  ['packs of RandomAccess', (of) => packs(of, randomAccess)],
  ['packs of RandomAccess that promise', (of) => packs(of, asyncRandomAccess)],
  ['packs in memory that is shared', (of) => packs(of, shared)],
]

function shared(bytes: Bytes): Bytes {
  const memory = new Uint8Array(new SharedArrayBuffer(bytes.byteLength))
  memory.set(bytes)
  return memory as never
}

test.each(kinds)('From %s all answers equal those without a worker', async (_, make) => {
  const of = fixture('mixed')
  // With little memory files are read in ranges. Answers about objects that are in no pack
  // of the source are equal as well.
  await expectSame(make(of), of, { memory: 2 << 20 })
})

test('The source still belongs to the caller', async () => {
  const given = (source: PacksSource) => source.packs.map(({ pack }) => pack as Bytes)
  const source = packs(main, inTheMiddle)
  const sums = given(source).map(sha256)
  await using repo = await openIt(source)
  expect(given(source).map(sha256)).toEqual(sums)
  // The bytes were copied, so changing them has no effect. Shared memory was not.
  const inCommon = packs(main, shared)
  await using other = await openIt(inCommon)
  for (const bytes of [...given(source), ...given(inCommon)]) bytes.fill(0)
  expect((await repo.read(main.head.oid ?? '')).oid).toBe(main.head.oid)
  expect(await codeOf(() => other.read(main.head.oid ?? ''))).toBe('CORRUPT')
  const into = new ArrayBuffer(100_000)
  const batch = await repo.readMany(['HEAD^{tree}', main.head.oid ?? ''], { into })
  expect(batch.buffer).toBe(into)
  expect(into.byteLength).toBe(100_000)
  const part = new Uint8Array(into, 1000, 5000)
  const second = await repo.readMany([main.head.oid ?? ''], { into: part })
  expect([second.buffer, second.bytes.byteOffset]).toEqual([into, 1000])
  expect([...second].map((row) => 'oid' in row && row.oid)).toEqual([main.head.oid])
})

test('The counters equal those of the same reads without a worker', async () => {
  for (const source of [folderOf(main), storeOf(folderOf(main)), packs(main, (bytes) => bytes)]) {
    await using direct = await open(source)
    await using repo = await openIt(source)
    const { instanceMemory: _, ...before } = direct.stats()
    expect(repo.stats()).toMatchObject(before)
    for (const { oid } of main.objects.slice(0, 50)) {
      await direct.read(oid)
      await repo.read(oid)
      const { instanceMemory: _, ...counters } = direct.stats()
      expect(repo.stats()).toMatchObject(counters)
    }
    await collect(direct.objects())
    await collect(repo.objects())
    expect(repo.stats().bytesOut).toBe(direct.stats().bytesOut)
  }
})

test('Progress of opening is reported', async () => {
  const source = packs(main, (bytes) => bytes, { idx: false })
  const seen = async (worker: boolean) => {
    const progress: unknown[] = []
    const repo = await open(source, { worker, onProgress: (step) => progress.push(step) })
    repo.close()
    return progress
  }
  expect((await seen(true)).length).toBeGreaterThan(0)
  expect(await seen(true)).toEqual(await seen(false))
})

test('Two repositories are read concurrently, 200 objects each', async () => {
  const both = [main, fixture('sha256')]
  const repos = await Promise.all(both.map((of) => openIt(folderOf(of), { memory: 1 << 20 })))
  const expected = both.map((of) => Array.from({ length: 200 }, (_, at) => objectAt(of, at * 7)))
  const found = await Promise.all(
    repos.map((repo, at) => Promise.all((expected[at] ?? []).map(({ oid }) => repo.read(oid)))),
  )
  expect(found.map((objects) => objects.map(({ data }) => sha256(data)))).toEqual(
    expected.map((objects) => objects.map((object) => object.sha256)),
  )
  for (const repo of repos) expect(repo.stats().memoryHighWater).toBeLessThanOrEqual(1 << 20)
  for (const repo of repos) repo.close()
})

function objectAt({ objects }: Expected, at: number) {
  const object = objects[at % objects.length]
  if (!object) throw new Error('no object')
  return object
}

test.each([{ worker: true }, { workers: 2 }])('openSync refuses %j', async (options) => {
  const error = await errorOf(() => openSync(folderOf(main), options))
  const what = 'workers answer with promises: use `open`'
  expect([error.code, error.message]).toEqual(['BAD_INPUT', what])
})

test('openSync refuses a hook for missing objects', async () => {
  const error = await errorOf(() => openSync(folderOf(main), { missing: () => null }))
  const what = '`missing` is asked with promises: use `open`'
  expect([error.code, error.message]).toEqual(['BAD_INPUT', what])
})
