/** Repositories that change while they are open. */
import fs, { cpSync, mkdtempSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import os from 'node:os'
import path from 'node:path'
import type { Store } from 'packlens'
import { isPacklensError, open, openSync } from 'packlens'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { asyncStoreOf, bytesOf, packFiles, storeOf } from './sources.ts'
import { codeOf, collect, errorOf, filesBelow, fixture, folderOf, sha256 } from './support.ts'

const unborn = fixture('unborn')
const loose = fixture('loose')
const tiny = fixture('tiny')
const main = fixture('main')
const repacked = fixture('repacked')

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'packlens-'))
})
afterAll(() => {
  rmSync(folder, { recursive: true, force: true })
})

/** A copy of a fixture that may be changed. */
function copyOf(of: typeof unborn): string {
  const copy = mkdtempSync(path.join(folder, 'repository-'))
  cpSync(folderOf(of), copy, { recursive: true })
  return copy
}

type Moment = '0-loose' | '1-packed' | '2-grown' | '3-repacked' | '4-last'

/** Makes a folder equal to an earlier state of the repository; new files come first, as in git. */
function become(copy: string, moment: Moment): string {
  const from = folderOf({ path: `repacked/${moment}` })
  cpSync(from, copy, { recursive: true })
  const kept = new Set(filesBelow(from))
  for (const name of filesBelow(copy)) if (!kept.has(name)) rmSync(path.join(copy, name))
  return copy
}

function copyAt(moment: Moment): string {
  return become(mkdtempSync(path.join(folder, 'repository-')), moment)
}

/** Returns git's facts about the objects of a folder. */
async function objectsOf(copy: string) {
  using repo = openSync(copy)
  const oids = new Set([...repo.objects({ fields: 'info' })].map((row) => 'oid' in row && row.oid))
  return repacked.objects.filter(({ oid }) => oids.has(oid))
}

const missing = '0'.repeat(40)
const large = repacked.objects.find(({ size }) => size === 120_000)?.oid ?? ''

function addObjects(copy: string, of: typeof unborn): void {
  cpSync(path.join(folderOf(of), 'objects'), path.join(copy, 'objects'), { recursive: true })
}

const { readFile, readdir, stat } = fs
const ways: [string, (copy: string) => Promise<Awaited<ReturnType<typeof open>>>][] = [
  ['a path', (copy) => open(copy)],
  ['a store that answers at once', (copy) => open(storeOf(copy))],
  ['a store that promises', (copy) => open(asyncStoreOf(copy))],
  ['promises of fs', (copy) => open({ fs: { promises: fs.promises }, gitdir: copy })],
  ['fs that reads whole files', (copy) => open({ fs: { readFile, readdir, stat }, gitdir: copy })],
]

describe.each(ways)('A repository that is open from %s', (_, openIt) => {
  test('sees loose objects that were added', async () => {
    const copy = copyOf(unborn)
    using repo = await openIt(copy)
    const oid = loose.head.oid ?? ''
    expect(await repo.find(oid)).toBeNull()
    expect(await collect(repo.objects())).toHaveLength(unborn.objects.length)
    addObjects(copy, loose)
    expect((await repo.read(oid)).type).toBe('commit')
    expect(await repo.resolve(oid.slice(0, 9))).toBe(oid)
    expect(await collect(repo.objects())).toHaveLength(loose.objects.length + unborn.objects.length)
  })

  test('sees packs that were added', async () => {
    const copy = copyOf(unborn)
    using repo = await openIt(copy)
    const oid = tiny.head.oid ?? ''
    expect(await codeOf(() => repo.read(oid))).toBe('NOT_FOUND')
    addObjects(copy, tiny)
    expect((await repo.info(oid)).pack).toMatch(/^objects\/pack\/pack-11cbf/)
    // When a repack replaces a pack, the objects are in both packs for a moment.
    addObjects(copy, main)
    for (const object of tiny.objects) expect((await repo.read(object.oid)).size).toBe(object.size)
    expect((await repo.read(main.head.oid ?? '')).type).toBe('commit')
  })

  test('sees refs that were added, changed and deleted', async () => {
    const copy = copyOf(loose)
    using repo = await openIt(copy)
    const [first, second] = [loose.resolve['main~1'], loose.resolve['main~2']] as string[]
    const file = path.join(copy, 'refs', 'heads', 'fresh')
    const names = async () => (await collect(repo.refs.list())).map(({ name }) => name)
    expect(await repo.refs.get('refs/heads/fresh')).toBeNull()
    expect(await names()).not.toContain('refs/heads/fresh')
    writeFileSync(file, `${first}\n`)
    expect(await repo.resolve('fresh')).toBe(first)
    expect(await names()).toContain('refs/heads/fresh')
    // Replaces the file as git does, by another one of the same length.
    writeFileSync(`${file}.lock`, `${second}\n`)
    renameSync(`${file}.lock`, file)
    expect(await repo.resolve('fresh')).toBe(second)
    expect((await repo.refs.get('refs/heads/fresh'))?.oid).toBe(second)
    rmSync(file)
    writeFileSync(path.join(copy, 'packed-refs'), `${first} refs/heads/packed\n`)
    expect(await codeOf(() => repo.resolve('fresh'))).toBe('NOT_FOUND')
    expect(await repo.resolve('packed')).toBe(first)
    writeFileSync(path.join(copy, 'HEAD'), 'ref: refs/heads/packed\n')
    expect((await repo.refs.get('HEAD'))?.target).toBe('refs/heads/packed')
    expect(await repo.resolve('HEAD')).toBe(first)
  })
})

test('A ref that is replaced within a tick of the file system is seen', async () => {
  const copy = copyOf(loose)
  using repo = await open(copy)
  const file = path.join(copy, 'refs', 'heads', 'fresh')
  for (const name of ['main~1', 'main~2'] as const) {
    const oid = loose.resolve[name]
    writeFileSync(`${file}.lock`, `${oid}\n`)
    utimesSync(`${file}.lock`, 1000, 1000)
    renameSync(`${file}.lock`, file)
    expect(await repo.resolve('fresh')).toBe(oid)
  }
})

describe.each(ways)('A repository that is repacked while it is open from %s', (_, openIt) => {
  const steps: [Moment, Moment][] = [
    ['0-loose', '1-packed'],
    ['2-grown', '3-repacked'],
    ['1-packed', '4-last'],
  ]

  test.each(steps)('%s, then %s: lists all its objects', async (from, to) => {
    for (const unordered of [false, true]) {
      const copy = copyAt(from)
      using repo = await openIt(copy)
      const before = await objectsOf(copy)
      expect(await collect(repo.objects({ unordered, fields: 'info' }))).toHaveLength(before.length)
      become(copy, to)
      const after = await objectsOf(copy)
      const rows = await collect(repo.objects({ unordered }))
      const found = rows.map((row) => (row.type === 'blob' ? sha256(row.data) : ''))
      const blobs = after.filter(({ type }) => type === 'blob')
      expect(rows).toHaveLength(after.length)
      expect(found.filter(Boolean).sort()).toEqual(blobs.map((blob) => blob.sha256).sort())
    }
  })

  test.each(steps)('%s, then %s: skips packs that were known and not read', async (from, to) => {
    const source = copyAt(from)
    const before = await objectsOf(source)
    using known = openSync(source)
    const ofEach = new Map(before.map(({ oid }) => [known.info(oid).pack, oid]))
    // The search for a missing object reads indexes, but no pack, and not even the indexes of packs
    // that were added after the opening.
    for (const asked of [...ofEach.values(), missing]) {
      for (const opened of [from, '0-loose'] as const) {
        for (const unordered of [false, true]) {
          const copy = copyAt(opened)
          using repo = await openIt(copy)
          become(copy, from)
          await repo.find(asked)
          become(copy, to)
          const rows = await collect(repo.objects({ unordered, fields: 'info' }))
          const oids = rows.map((row) => ('oid' in row ? row.oid : row.type))
          const after = (await objectsOf(copy)).map(({ oid }) => oid)
          expect(oids.sort(), `${asked}, ${opened}, ${unordered}`).toEqual(after.sort())
        }
      }
    }
  })

  test.each(steps)('%s, then %s: finds shortened ids', async (from, to) => {
    const copy = copyAt(from)
    using repo = await openIt(copy)
    const [first, ...others] = await objectsOf(copy)
    expect((await repo.read(first?.oid ?? '')).size).toBe(first?.size)
    become(copy, to)
    // The first of these look-ups makes packlens list the packs again.
    for (const { oid } of others.slice(0, 5)) {
      expect(await repo.resolve(oid.slice(0, 12))).toBe(oid)
    }
  })

  test('resumes streams that are half read', async () => {
    const copy = copyAt('2-grown')
    using repo = await openIt(copy)
    const whole = repo.stream(large, { chunkSize: 1000 }).getReader()
    const range = { start: 50_000, end: 110_000 }
    const part = repo.stream(large, { chunkSize: 1000, range }).getReader()
    const chunks = { whole: [await next(whole)], part: [await next(part)] }
    become(copy, '3-repacked')
    // A look-up of a missing object finds the new pack, and closes the old ones.
    expect(await repo.find('0'.repeat(40))).toBeNull()
    const opened = repo.stats().filesOpened
    for (let at = 0; at < 200; at++) {
      chunks.whole.push(await next(whole))
      chunks.part.push(await next(part))
    }
    const content = Buffer.concat(chunks.whole)
    expect(sha256(content)).toBe(repacked.objects.find(({ oid }) => oid === large)?.sha256)
    const { start, end } = range
    expect(Buffer.concat(chunks.part).equals(content.subarray(start, end))).toBe(true)
    // Both streams and the next call share one open pack and its index.
    expect((await repo.read(large)).size).toBe(120_000)
    expect(repo.stats().filesOpened - opened).toBeLessThanOrEqual(2)
  })

  test('resumes batches and listings that are half read', async () => {
    for (const unordered of [false, true]) {
      const copy = copyAt('2-grown')
      using repo = await openIt(copy)
      const objects = await objectsOf(copy)
      const specs = objects.map(({ oid }) => oid)
      const first = await repo.readMany(specs, { size: 4096 })
      const listing = repo.objects({ unordered })
      const rows = [await listing.next()]
      become(copy, '3-repacked')
      const after = await objectsOf(copy)
      expect(await repo.find('0'.repeat(40))).toBeNull()
      const found = new Set([...first].map((row) => 'oid' in row && row.oid))
      for (let start = first.next; start; ) {
        const batch = await repo.readMany(specs, { start })
        for (const row of batch) found.add('oid' in row && row.oid)
        start = batch.next
      }
      expect([...found].sort()).toEqual([...specs].sort())
      for await (const row of listing) rows.push({ done: false, value: row })
      const oids = rows.map(({ value }) => (value && 'oid' in value ? value.oid : value?.type))
      expect(new Set(oids).size).toBe(oids.length)
      // The listing may include objects that git pruned meanwhile.
      expect(oids).toEqual(expect.arrayContaining(after.map(({ oid }) => oid)))
    }
  })
})

test('A listing in the order of a pack that is lost is CHANGED', async () => {
  const copy = copyAt('2-grown')
  // Files without handles: what was not read when git deletes one cannot be read any more.
  const store: Store = {
    ...storeOf(copy),
    get: (name) => {
      const file = path.join(copy, name)
      if (!fs.existsSync(file)) return null
      const bytes = bytesOf(file)
      const read = (offset: number, length: number) =>
        fs.existsSync(file) ? bytes.subarray(offset, offset + length) : new Uint8Array()
      return { size: bytes.length, read }
    },
  }
  using repo = await open(store, { memory: 1 << 20 })
  const listing = repo.objects({ unordered: true })
  expect((await listing.next()).done).toBe(false)
  become(copy, '3-repacked')
  const oids = (await objectsOf(copy)).map(({ oid }) => oid)
  const batch = await repo.readMany(oids, { size: 1 << 20 })
  expect([...batch].every(({ type }) => type !== 'failed')).toBe(true)
  const error = await errorOf(() => collect(listing))
  expect([error.code, error.message]).toEqual([
    'CHANGED',
    expect.stringContaining('list them again'),
  ])
})

/** Returns the next bytes of a stream; an empty array at the end. */
async function next(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<Uint8Array> {
  const { value } = await reader.read()
  return value ?? new Uint8Array()
}

describe('Names of packs that arrive late', () => {
  test.each(['in the order asked', 'the other way round'])('%s', async (order) => {
    const copy = copyOf(unborn)
    const store = asyncStoreOf(copy)
    const held: (() => void)[] = []
    let holding = false
    const late: Store = {
      get: store.get,
      async list(directory) {
        const names = (await store.list?.(directory)) ?? []
        if (holding && directory === 'objects/pack') {
          await new Promise<void>((resolve) => held.push(resolve))
        }
        return names
      },
    }
    await using repo = await open(late)
    const oid = tiny.head.oid ?? ''
    expect(await repo.find(oid)).toBeNull()
    holding = true
    const until = async (count: number) => {
      while (held.length < count) await new Promise(setImmediate)
    }
    const early = repo.find(oid)
    await until(1)
    addObjects(copy, tiny)
    const listed = collect(repo.objects({ fields: 'info' }))
    await until(2)
    holding = false
    const [first, second] = held as [() => void, () => void]
    for (const release of order === 'in the order asked' ? [first, second] : [second, first]) {
      release()
      for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate)
    }
    expect(await listed).toHaveLength(unborn.objects.length + tiny.objects.length)
    await early
    expect((await repo.read(oid)).type).toBe('commit')
  })
})

test('A pack and its index are opened once for concurrent calls', async () => {
  const counts = new Map<string, number>()
  const store = asyncStoreOf(folderOf(main))
  const counting: Store = {
    list: (directory) => store.list?.(directory) ?? [],
    get(name) {
      counts.set(name, (counts.get(name) ?? 0) + 1)
      return store.get(name)
    },
  }
  await using repo = await open(counting, { memory: 4 << 20 })
  await Promise.all([
    ...main.objects.map(({ oid }) => repo.read(oid)),
    ...main.objects.map(({ oid }) => repo.info(oid)),
    ...main.objects.slice(0, 50).map(({ oid }) => collectStream(repo.stream(oid))),
    collect(repo.objects()),
  ])
  const opened = [...counts].filter(([name]) => /\.(pack|idx)$/.test(name))
  expect(opened.map(([, count]) => count)).toEqual(packFiles(main).flatMap(() => [1, 1]))
  expect(opened.length).toBeGreaterThan(0)
})

async function endOf(items: AsyncIterable<unknown>): Promise<unknown> {
  try {
    await collect(items)
    return 'ended'
  } catch (error) {
    return isPacklensError(error) ? error.code : error
  }
}

async function collectStream(stream: ReadableStream<Uint8Array>): Promise<void> {
  for await (const _ of stream as unknown as AsyncIterable<Uint8Array>);
}

describe.each(ways)('A repository from %s', (_, openIt) => {
  test('can be closed twice, during a stream, a listing and a walk', async () => {
    const repo = await openIt(copyAt('4-last'))
    const reader = repo.stream(large, { chunkSize: 1000 }).getReader()
    expect((await reader.read()).value?.byteLength).toBe(1000)
    const unread = repo.stream(large)
    const listing = repo.objects()
    const walk = repo.walk('HEAD', { recursive: true })
    await listing.next()
    await walk.next()
    repo.close()
    repo.close()
    expect(await codeOf(() => reader.read())).toBe('CLOSED')
    expect(await codeOf(() => unread.getReader().read())).toBe('CLOSED')
    expect(await codeOf(() => collect(repo.objects()))).toBe('CLOSED')
    // Bytes that were already returned may still arrive.
    for (const items of [listing, walk]) expect(['CLOSED', 'ended']).toContain(await endOf(items))
  })
})

const held: [string, (copy: string) => ReturnType<typeof open>][] = [
  // Little memory, so that most of the pack is still unread.
  ['a path', (copy) => open(copy, { memory: 5 << 19 })],
  [
    'promises of fs',
    (copy) => open({ fs: { promises: fs.promises }, gitdir: copy }, { memory: 5 << 19 }),
  ],
]

test.each(held)(
  'A pack from %s that was deleted after it was opened is still readable',
  async (_, way) => {
    const copy = copyOf(main)
    using repo = await way(copy)
    expect((await repo.read('HEAD')).oid).toBe(main.head.oid)
    for (const { pack, idx } of packFiles({ path: path.relative(folderOf({ path: '' }), copy) })) {
      rmSync(pack)
      rmSync(idx)
    }
    for (const object of main.objects) expect((await repo.read(object.oid)).size).toBe(object.size)
  },
)

test('A store that returns the same bytes again is not read again', async () => {
  const files = new Map(
    ['HEAD', 'config', 'packed-refs'].map((name) => [
      name,
      bytesOf(path.join(folderOf(main), name)),
    ]),
  )
  using repo = openSync({ get: (name) => files.get(name), list: () => [] })
  expect(repo.refs.get('HEAD')?.oid).toBe(main.head.oid)
  const before = repo.stats()
  const packed = main.refs.filter(({ symref }) => symref === null)
  for (const { name, oid } of packed) expect(repo.refs.get(name)?.oid).toBe(oid)
  expect(repo.stats().bytesRead).toBe(before.bytesRead)
})

describe('A ref that changes between the check of its stamp and the read', () => {
  const { openSync: openFile } = fs

  afterEach(() => {
    fs.openSync = openFile
    syncBuiltinESMExports()
  })

  test('is not read with the old length', async () => {
    const copy = copyOf(loose)
    using repo = openSync(copy)
    const head = path.join(copy, 'HEAD')
    fs.openSync = ((file: fs.PathLike, flags: string) => {
      // Longer: the old length would yield another ref.
      if (`${file}` === head) writeFileSync(head, 'ref: refs/heads/alias-of-alias-of-alias\n')
      return openFile(file, flags)
    }) as typeof openFile
    syncBuiltinESMExports()
    const error = await errorOf(() => repo.refs.get('HEAD'))
    expect([error.code, error.file]).toEqual(['CHANGED', 'HEAD'])
    fs.openSync = openFile
    syncBuiltinESMExports()
    expect(repo.refs.get('HEAD')?.target).toBe('refs/heads/alias-of-alias-of-alias')
  })
})

test.each([1, 2, 20])(
  'Loose objects that are packed during one page of a listing are found: %i',
  (after) => {
    const copy = copyAt('0-loose')
    const store = storeOf(copy)
    const expected = [...openSync(copy).objects({ fields: 'info' })].map(
      (row) => 'oid' in row && row.oid,
    )
    let looks = 0
    const get: Store['get'] = (name) => {
      if (/^objects\/[0-9a-f]{2}\//.test(name) && ++looks === after) become(copy, '1-packed')
      return store.get(name)
    }
    using repo = openSync({ get, list: (name) => store.list?.(name) ?? [] })
    const found = [...repo.objects({ fields: 'info' })].map((row) => 'oid' in row && row.oid)
    expect(looks).toBeGreaterThanOrEqual(after)
    expect(found).toEqual(expected)
  },
)
