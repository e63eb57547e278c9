/** Objects of a large pack, asked for in any order: what is read of the pack. */
import fs, { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import type { Batch, BatchPlace, SyncRepository } from 'packlens'
import { indexPack, openSync } from 'packlens'
import { afterAll, expect, test, vi } from 'vitest'
import { packOfChains, randomAccess } from './sources.ts'

/** Each chain has a whole blob and five deltas. */
const LENGTH = 6

const folder = mkdtempSync(path.join(os.tmpdir(), 'packlens-exact-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** Writes a repository of one pack; returns its folder. */
function repositoryOf(name: string, pack: Uint8Array, idx: Uint8Array): string {
  const gitDir = path.join(folder, name)
  const packs = path.join(gitDir, 'objects', 'pack')
  mkdirSync(packs, { recursive: true })
  mkdirSync(path.join(gitDir, 'refs'))
  writeFileSync(path.join(gitDir, 'HEAD'), 'ref: refs/heads/main\n')
  writeFileSync(path.join(packs, 'pack-1.pack'), pack)
  writeFileSync(path.join(packs, 'pack-1.idx'), idx)
  return gitDir
}

/** Returns the numbers of `count` objects, in steps that are any order for the pack. */
const scattered = (count: number, all: number) =>
  Array.from({ length: count }, (_, at) => (at * 503 * 7) % all)

/** Reads objects in buffers of 100,000 bytes; returns what each row says. */
function rowsOf(repo: SyncRepository, oids: readonly string[]): string[] {
  const rows: string[] = []
  for (let start: BatchPlace | null = { index: 0, skip: 0 }; start !== null; ) {
    const batch: Batch = repo.readMany(oids, { size: 100_000, start })
    for (const row of batch) {
      const what = row.type === 'failed' ? row.error.code : 'oid' in row ? row.oid : ''
      rows.push(`${row.index} ${row.type} ${what}`)
    }
    start = batch.next
  }
  return rows
}

test('Of a pack larger than a quarter of `memory` the entries of these objects are read, each once', async () => {
  const made = packOfChains(1500, LENGTH)
  const { idx } = await indexPack(made.pack)
  const asked = scattered(1200, made.oids.length)
  const oids = asked.map((at) => made.oids[at] ?? '')
  const memory = 16 << 20
  expect(made.pack.length).toBeGreaterThan(memory / 4)
  using repo = openSync(repositoryOf('whole', made.pack, idx), { memory })
  expect(rowsOf(repo, oids)).toEqual(oids.map((oid, at) => `${at} blob ${oid}`))
  const entries = asked.flatMap((at) => {
    const first = at - (at % LENGTH)
    return Array.from({ length: at - first + 1 }, (_, nth) => first + nth)
  })
  const needed = [...new Set(entries)].reduce((sum, at) => sum + (made.lengths[at] ?? 0), 0)
  const { bytesRead } = repo.stats()
  expect(bytesRead).toBeLessThan(1.3 * needed + idx.length)
})

test('A pack that fits in `memory` is read in blocks while many objects are left to read', async () => {
  const made = packOfChains(1500, LENGTH)
  const { idx } = await indexPack(made.pack)
  const oids = scattered(4000, made.oids.length).map((at) => made.oids[at] ?? '')
  using repo = openSync(repositoryOf('blocks', made.pack, idx), { memory: 16 << 20 })
  expect(rowsOf(repo, oids)).toEqual(oids.map((oid, at) => `${at} blob ${oid}`))
  const { bytesRead, blocksRead } = repo.stats()
  expect(bytesRead).toBeLessThan(1.2 * made.pack.length + idx.length)
  expect(blocksRead).toBeLessThan(1000)
})

test('Damage costs the same objects as where the pack is read in blocks', async () => {
  const made = packOfChains(400, LENGTH)
  const { idx } = await indexPack(made.pack)
  const oids = scattered(1200, made.oids.length).map((at) => made.oids[at] ?? '')
  const options = { memory: 1 << 20, objectFormat: 'sha1' } as const
  let failed = 0
  for (let nth = 0; nth < 6; nth++) {
    const pack = made.pack.slice()
    for (let at = 100 + nth * 999; at < pack.length - 20; at += 90_001)
      pack[at] = 255 - (pack[at] ?? 0)
    using exact = openSync(repositoryOf(`damaged-${nth}`, pack, idx), options)
    using blocks = openSync(
      { packs: [{ pack: randomAccess(pack), idx: randomAccess(idx) }] },
      options,
    )
    const rows = rowsOf(exact, oids)
    expect(rows).toEqual(rowsOf(blocks, oids))
    failed += rows.filter((row) => row.includes(' failed ')).length
    expect(exact.stats().blocksRead).not.toBe(blocks.stats().blocksRead)
  }
  expect(failed).toBeGreaterThan(6)
})

test('An index with offsets outside of the pack costs the objects at these', async () => {
  const made = packOfChains(400, LENGTH)
  const { idx } = await indexPack(made.pack)
  const count = made.oids.length
  const wrong = idx.slice()
  const view = new DataView(wrong.buffer, wrong.byteOffset)
  // The offsets are after the header, the fan-out, the ids and the checksums.
  for (const nth of [5, 600, 1700]) {
    view.setUint32(8 + 1024 + 24 * count + 4 * nth, made.pack.length + 1000 * nth)
  }
  const oids = scattered(1200, count).map((at) => made.oids[at] ?? '')
  const options = { memory: 1 << 20, objectFormat: 'sha1' } as const
  using exact = openSync(repositoryOf('wrong-index', made.pack, wrong), options)
  const files = { pack: randomAccess(made.pack), idx: randomAccess(wrong) }
  using blocks = openSync({ packs: [files] }, options)
  const rows = rowsOf(exact, oids)
  expect(rows).toEqual(rowsOf(blocks, oids))
  const failed = rows.filter((row) => row.includes(' failed ')).length
  expect([failed > 0, failed < 20]).toEqual([true, true])
})

test('A range that cannot be read costs no object before it', async () => {
  const made = packOfChains(1500, LENGTH)
  const { idx } = await indexPack(made.pack)
  const asked = scattered(1200, made.oids.length)
  const oids = asked.map((at) => made.oids[at] ?? '')
  const tenth = asked[10] ?? 0
  const start = made.lengths.slice(0, tenth).reduce((sum, length) => sum + length, 12)
  const end = start + (made.lengths[tenth] ?? 0)
  using repo = openSync(repositoryOf('unreadable', made.pack, idx), { memory: 16 << 20 })
  const { readSync } = fs
  const read = vi.spyOn(fs, 'readSync')
  const failing = (...args: unknown[]) => {
    const [, , , length, position] = args as [number, Uint8Array, number, number, number]
    const isPack = position + length > idx.length
    if (isPack && position < end && position + length > start)
      throw Object.assign(new Error('EIO'), { code: 'EIO' })
    return Reflect.apply(readSync, fs, args) as number
  }
  read.mockImplementation(failing as unknown as typeof readSync)
  try {
    const rows = [...repo.readMany(oids, { size: 8000 })].map((row) => row.type)
    expect(rows).toEqual(['blob', 'blob', 'blob'])
    expect(() => repo.read(oids[10] ?? '')).toThrow('EIO')
  } finally {
    read.mockRestore()
  }
})
