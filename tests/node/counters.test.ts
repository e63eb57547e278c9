/** Counts the work that is done, independent of the machine's speed. */
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import type { Batch, BatchPlace, BatchRow, Stats, Store } from 'packlens'
import { open, openSync } from 'packlens'
import { afterEach, describe, expect, test, vi } from 'vitest'
import {
  asyncRandomAccess,
  asyncStoreOf,
  bytesOf,
  packFiles,
  packs,
  randomAccess,
} from './sources.ts'
import { fixture, folderOf } from './support.ts'

const chain = fixture('big-chain')
const main = fixture('main')
const BLOCK = 64 << 10

/** Opening reads `packed-refs` to look for replace refs: not counted here. */
const plain = { replace: false } as const

function grown(before: Stats, after: Stats): Stats {
  const changes = Object.entries(after).map(([name, value]) => [
    name,
    value - before[name as keyof Stats],
  ])
  return Object.fromEntries(changes)
}

function sizesOf(of: typeof main): { pack: number; idx: number } {
  const [files] = packFiles(of)
  if (!files) throw new Error('no pack')
  return { pack: bytesOf(files.pack).length, idx: bytesOf(files.idx).length }
}

test('All objects, bases first: each delta is inflated and applied once', () => {
  for (const of of [chain, main]) {
    using repo = openSync(folderOf(of), plain)
    const rows = [...repo.objects({ unordered: true, lend: true })]
    expect(rows).toHaveLength(of.objects.length)
    const deltas = of.objects.filter(({ deltabase }) => !/^0*$/.test(deltabase ?? '')).length
    const { deltasApplied, baseCacheHits } = repo.stats()
    expect({ deltasApplied, baseCacheHits }).toEqual({ deltasApplied: deltas, baseCacheHits: 0 })
  }
})

test('A synchronous read makes no AbortController, because nothing could abort it', () => {
  const made = vi.spyOn(globalThis, 'AbortController')
  try {
    using repo = openSync(folderOf(main), plain)
    const [first] = main.objects
    repo.read(first?.oid ?? '')
    repo.refs.checkAvailable(['refs/heads/new'])
    expect(made).not.toHaveBeenCalled()
    new AbortController()
    expect(made).toHaveBeenCalledTimes(1)
  } finally {
    made.mockRestore()
  }
})

test('A batch in pack order: each delta is inflated and applied once', () => {
  for (const of of [chain, main]) {
    using repo = openSync(folderOf(of), plain)
    const ids = of.objects.map(({ oid }) => oid)
    const deltas = of.objects.filter(({ deltabase }) => !/^0*$/.test(deltabase ?? '')).length
    // Repeats some objects, in buffers that hold a few of them.
    const specs = [...ids, ...ids.slice(0, 20)]
    let rows = 0
    for (let start: BatchPlace | null = { index: 0, skip: 0 }; start !== null; ) {
      const batch: Batch = repo.readMany(specs, { order: 'pack', size: 100_000, start })
      rows += [...batch].filter((row: BatchRow) => !('more' in row && row.more)).length
      start = batch.next
    }
    expect(rows).toBe(specs.length)
    const { deltasApplied, baseCacheHits, flushes } = repo.stats()
    expect({ deltasApplied, baseCacheHits }).toEqual({ deltasApplied: deltas, baseCacheHits: 0 })
    expect(flushes).toBeGreaterThan(1)
  }
})

test('Every fourth object of a delta chain: each base between them is made once', () => {
  using repo = openSync(folderOf(chain))
  const specs = chain.objects.map(({ oid }) => oid).filter((_, at) => at % 4 === 0)
  const depths = specs.map((spec) => repo.info(spec).deltaDepth)
  expect([...repo.readMany(specs, { order: 'pack' })]).toHaveLength(specs.length)
  expect(repo.stats().deltasApplied).toBe(Math.max(...depths))
})

describe('A look-up', () => {
  test('is counted for each object that is looked up by id', async () => {
    using repo = openSync(folderOf(main))
    const ids = main.objects.map(({ oid }) => oid)
    const counts: Stats[] = [repo.stats()]
    const ways = [
      () => ids.map((id) => repo.read(id)),
      () => ids.map((id) => repo.info(id)),
      () => [...repo.readMany(ids)],
      () => [...repo.objects()],
    ]
    for (const way of ways) {
      expect(way()).toHaveLength(ids.length)
      counts.push(repo.stats())
    }
    const lookups = counts.slice(1).map((after, at) => grown(counts[at] as Stats, after).lookups)
    expect(lookups).toEqual(ways.map(() => ids.length))
    expect(repo.stats().objects).toBe(3 * ids.length)
  })

  test('is counted once, even if it waited for bytes', async () => {
    await using repo = await open(packs(main, asyncRandomAccess), plain)
    const before = repo.stats()
    await repo.read(main.objects[5]?.oid ?? '')
    expect(grown(before, repo.stats())).toMatchObject({ lookups: 1, objects: 1, flushes: 1 })
  })

  test('of one object reads one block of the index and one of the pack', () => {
    const { pack, idx } = sizesOf(chain)
    expect(Math.max(pack, idx)).toBeLessThan(BLOCK)
    using repo = openSync(
      packs(chain, (bytes) => bytes),
      plain,
    )
    expect(repo.stats()).toMatchObject({ blocksRead: 0, bytesRead: 0 })
    repo.read(chain.objects[0]?.oid ?? '')
    expect(repo.stats()).toMatchObject({
      lookups: 1,
      blocksRead: 2,
      bytesRead: pack + idx,
      filesOpened: 2,
      blocksEvicted: 0,
    })
  })

  test('of another object does not read blocks again', () => {
    using repo = openSync(packs(chain, (bytes) => bytes))
    repo.read(chain.objects[0]?.oid ?? '')
    const before = repo.stats()
    for (const { oid } of chain.objects) repo.read(oid)
    expect(grown(before, repo.stats())).toMatchObject({
      blocksRead: 0,
      bytesRead: 0,
      filesOpened: 0,
      lookups: chain.objects.length,
    })
  })
})

describe('A byte', () => {
  test('is read once, with its block, and no other block is read', () => {
    const { pack, idx } = sizesOf(main)
    expect(pack).toBeGreaterThan(BLOCK)
    for (const { oid } of main.objects) {
      using repo = openSync(
        packs(main, (bytes) => bytes),
        plain,
      )
      repo.read(oid)
      const { blocksRead, bytesRead } = repo.stats()
      expect(blocksRead).toBeLessThanOrEqual(Math.ceil(pack / BLOCK) + Math.ceil(idx / BLOCK))
      expect(bytesRead).toBeLessThanOrEqual(pack + idx)
    }
    using repo = openSync(
      packs(main, (bytes) => bytes),
      plain,
    )
    for (const { oid } of main.objects) repo.read(oid)
    expect(repo.stats().bytesRead).toBe(pack + idx)
    expect(repo.stats().blocksRead).toBe(Math.ceil(pack / BLOCK) + Math.ceil(idx / BLOCK))
  })

  test('is requested from a source once, even if many calls wait for it', async () => {
    const asked: string[] = []
    const source = packs(main, (bytes) => ({
      size: bytes.length,
      read: async (offset, length) => {
        asked.push(`${bytes.length}:${offset}+${length}`)
        return bytes.slice(offset, offset + length)
      },
    }))
    await using repo = await open(source, plain)
    await Promise.all(main.objects.map(({ oid }) => repo.read(oid)))
    const { pack, idx } = sizesOf(main)
    expect(asked.sort()).toEqual([`${pack}:0+${pack}`, `${idx}:0+${idx}`].sort())
    expect(repo.stats().bytesRead).toBe(pack + idx)
  })

  test('of a file that many calls open is read from one opened file', async () => {
    const opened: string[] = []
    const store = asyncStoreOf(folderOf(main))
    const get: Store['get'] = async (name) => {
      opened.push(name)
      return store.get(name)
    }
    await using repo = await open({ ...store, get })
    await Promise.all(main.objects.map(({ oid }) => repo.read(oid)))
    const inPacks = opened.filter((name) => name.startsWith('objects/pack/'))
    expect(inPacks).toHaveLength(new Set(inPacks).size)
    expect(inPacks).toHaveLength(2)
  })

  test('is returned once, in the frame', async () => {
    using repo = openSync(packs(main, randomAccess))
    const ids = main.objects.map(({ oid }) => oid)
    const frame = (size: number) => 120 + Math.ceil(size / 8) * 8
    const all = main.objects.reduce((sum, { size }) => sum + frame(size), 0)
    const before = repo.stats()
    for (const id of ids) repo.read(id)
    const read = repo.stats()
    expect(grown(before, read)).toMatchObject({ bytesOut: all, flushes: ids.length })
    for (const id of ids) repo.info(id)
    const described = repo.stats()
    expect(grown(read, described)).toMatchObject({
      bytesOut: ids.length * 120,
      flushes: ids.length,
    })
    const batch = repo.readMany(ids)
    const after = grown(described, repo.stats())
    expect(batch.bytes.byteLength).toBe(all)
    // The number of the task is returned as well: 4 bytes.
    expect([after.bytesOut, after.flushes]).toEqual([all + 4, 2])
  })
})

test('Listing refs opens each file once, however many refs there are', () => {
  const lines = Array.from({ length: 20_000 }, (_, at) => `${'a'.repeat(40)} refs/tags/${at}\n`)
  const text = `# pack-refs with: peeled fully-peeled \n${lines.join('')}`
  const file = new TextEncoder().encode(text)
  const asked: string[] = []
  const get: Store['get'] = (name) => {
    asked.push(name)
    return name === 'packed-refs' ? file : null
  }
  using repo = openSync({ get }, { objectFormat: 'sha1', replace: false })
  expect(repo.refs.list({ peel: true })).toHaveLength(20_000)
  expect(asked).toEqual(['packed-refs'])
  expect(repo.stats().bytesRead).toBe(file.length)
})

test('A delta chain is inflated once, whatever builds on it', () => {
  using repo = openSync(packs(chain, (bytes) => bytes))
  const depths = (chain.packOrder ?? []).map((oid) => repo.read(oid).deltaDepth)
  expect(Math.max(...depths)).toBe(250)
  const { deltasApplied, baseCacheHits, hashedBytes, inflatedBytes } = repo.stats()
  expect(deltasApplied).toBe(depths.reduce((sum, depth) => sum + depth, 0))
  expect(baseCacheHits).toBeGreaterThan(deltasApplied - chain.objects.length)
  const whole = chain.objects.reduce((sum, { size }) => sum + size, 0)
  expect(hashedBytes).toBe(whole)
  expect(inflatedBytes).toBeLessThan(whole / 40)
})

test('What one patch has read is not hashed again for the next', () => {
  using repo = openSync(folderOf(main), plain)
  const commits = main.objects.filter(({ type }) => type === 'commit')
  const root = commits.find(({ oid }) => repo.readCommit(oid).parents.length === 0)
  const counted = () => {
    const before = repo.stats()
    const patches = [...repo.patches(null, root?.oid ?? '')]
    return { patches, hashed: repo.stats().hashedBytes - before.hashedBytes }
  }
  const first = counted()
  const again = counted()
  expect(again.patches).toEqual(first.patches)
  expect(first.hashed).toBeGreaterThan(again.hashed)
  // The commit is read as an object of its own.
  expect(again.hashed).toBe(root?.size)
})

test('Without verification nothing is hashed', () => {
  using repo = openSync(folderOf(main), { verify: 'none' })
  for (const { oid } of main.objects) repo.read(oid)
  expect(repo.stats().hashedBytes).toBe(0)
})

describe('From a path', () => {
  const { readSync } = fs

  afterEach(() => {
    fs.readSync = readSync
    syncBuiltinESMExports()
  })

  test('bytes are read straight into the memory of the instance', () => {
    const targets: NodeJS.ArrayBufferView[] = []
    const spy = vi.fn((...args: Parameters<typeof readSync>) => {
      targets.push(args[1])
      return readSync(...args)
    })
    fs.readSync = spy as never
    syncBuiltinESMExports()
    using repo = openSync(folderOf(chain), plain)
    const size = repo.stats().instanceMemory
    expect(repo.read(chain.objects[0]?.oid ?? '').size).toBe(chain.objects[0]?.size)
    expect(targets.length).toBeGreaterThan(0)
    for (const { buffer, byteLength } of targets) {
      // A view of memory is detached once memory grows, and its length is 0.
      expect([size, repo.stats().instanceMemory, 0]).toContain(buffer.byteLength)
      expect(byteLength).toBeLessThanOrEqual(128 << 10)
    }
    expect(size).toBeGreaterThan(1 << 20)
    expect(targets).toHaveLength(repo.stats().blocksRead)
  })

  test('a few files are opened, and each is read once', () => {
    using repo = openSync(folderOf(chain), plain)
    for (const { oid } of chain.objects) repo.read(oid)
    const { pack, idx } = sizesOf(chain)
    const config = bytesOf(`${folderOf(chain)}/config`).length
    expect(repo.stats()).toMatchObject({
      filesOpened: 3,
      blocksRead: 3,
      bytesRead: pack + idx + config,
    })
  })
})
