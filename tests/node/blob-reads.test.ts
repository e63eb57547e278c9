/** Counts the bytes that are read of a file whose reads take time, as in a picked folder. */
import type { Batch, BatchPlace } from 'packlens'
import { open } from 'packlens'
import { describe, expect, test } from 'vitest'
import { indexedPackOf } from './blob-pack.ts'
import { noise } from './sources.ts'
import { servedTrees } from './spread-blobs.ts'

const { files, sizes } = servedTrees(4, 40)
const total = Array.from(files.values(), ({ bytes }) => bytes.length).reduce((a, b) => a + b)

/** Returns a file as `<input webkitdirectory>` gives it. */
const picked = Array.from(files, ([path, { bytes }]) => {
  const file = new File([new Uint8Array(bytes)], path.replace(/.*\//, ''))
  return Object.defineProperty(file, 'webkitRelativePath', { value: path.slice(1) })
}).filter(({ webkitRelativePath }) => !webkitRelativePath.includes('info/'))
/** Returns a copy in a blob. */
const blobOf = (bytes: Uint8Array) => new Blob([new Uint8Array(bytes)])
const refs = new File(['ref: refs/heads/main\n'], 'HEAD')

describe('A picked folder with a repository of 14 MB', () => {
  const commit = files.get('/repo.git/info/refs')?.bytes.subarray(0, 40).toString() ?? ''

  test('shows a commit, its tree, a folder and its sizes with few bytes read', async () => {
    expect(total).toBeGreaterThan(14_000_000)
    await using repo = await open([...picked, refs])
    const { tree } = await repo.readCommit(commit)
    const { entries } = await repo.readTree(tree)
    const folder = await repo.readTree(entries[2]?.oid ?? '')
    const shown = folder.entries.slice(0, 20)
    const batch = await repo.readMany(
      shown.map(({ oid }) => oid),
      { fields: 'size' },
    )
    const found = Array.from(batch, (row) => ('size' in row ? row.size : row.type))
    expect(found).toEqual(shown.map(({ name }) => sizes.get(`02/${name}`)))
    // Each blob is in a block of its own, at first of 8 KiB.
    const { blocksRead, bytesRead } = repo.stats()
    expect(blocksRead).toBeLessThan(30)
    expect(bytesRead).toBeLessThan(250_000)
  })

  test('is read whole in few reads, also in random order', async () => {
    await using repo = await open([...picked, refs], { memory: 256 << 20 })
    const spread = Array.from(sizes.keys(), (path) => `${commit}:${path}`)
    spread.sort((a, b) => (a.slice(-1) < b.slice(-1) ? -1 : 1))
    for (const path of spread) await repo.readBlob(path)
    const { blocksRead, bytesRead } = repo.stats()
    // Contents of 90 kB each: a block is as long as the rest of a content, or longer.
    expect(blocksRead).toBeLessThan(4 * sizes.size)
    expect(bytesRead).toBeLessThan(1.2 * total)
  })
})

describe('Random reads of a picked pack of 6 MB', () => {
  const contents = Array.from({ length: 6000 }, (_, at) => noise(at, 1000))
  const { pack, idx, oids } = indexedPackOf(...contents)
  const size = pack.length + idx.length
  const blobs = [{ pack: blobOf(pack), idx: blobOf(idx) }]
  const some = oids.filter((_, at) => at % 10 === 0).sort()

  async function read(memory: number, specs: readonly string[]) {
    await using repo = await open({ packs: blobs }, { memory })
    for (const oid of specs) await repo.read(oid)
    return repo.stats()
  }

  test('take few reads if it stays in memory, and hardly read anything twice', async () => {
    const { blocksRead, bytesRead } = await read(64 << 20, some)
    expect(blocksRead).toBeLessThan(70)
    expect(bytesRead).toBeLessThan(1.25 * size)
  })

  test('read short blocks at first, and if it does not stay in memory', async () => {
    const first = await read(64 << 20, some.slice(0, 1))
    expect(first.bytesRead).toBeLessThan(50_000)
    const { blocksRead, bytesRead } = await read(8 << 20, some)
    expect(bytesRead / blocksRead).toBeLessThan(64_000)
  })

  test('take fewer than four reads for each of twelve packs', async () => {
    const packs = Array.from({ length: 12 }, (_, nth) =>
      indexedPackOf(...contents.filter((_, at) => at % 12 === nth)),
    )
    const blobs = packs.map(({ pack, idx }) => ({ pack: blobOf(pack), idx: blobOf(idx) }))
    await using repo = await open({ packs: blobs }, { memory: 64 << 20 })
    for (const oid of some) await repo.read(oid)
    const { blocksRead, bytesRead } = repo.stats()
    expect(blocksRead).toBeLessThan(45)
    expect(bytesRead).toBeLessThan(1.25 * size)
  })
})

/** Counts the reads of a blob, and how many there are at the same time. */
class CountedBlob extends Blob {
  static now = 0
  static most = 0
  override slice(start?: number, end?: number): Blob {
    const part = super.slice(start, end)
    part.arrayBuffer = async () => {
      CountedBlob.most = Math.max(CountedBlob.most, ++CountedBlob.now)
      try {
        return await Blob.prototype.arrayBuffer.call(part)
      } finally {
        CountedBlob.now--
      }
    }
    return part
  }
}

describe('Objects in the order of a picked pack that does not stay in memory', () => {
  const contents = Array.from({ length: 6000 }, (_, at) => noise(at, 1000))
  const { pack, idx, oids } = indexedPackOf(...contents)
  const isNear = (at: number) => at % 1000 < 200 && at % 10 === 0

  async function read(memory: number) {
    const some = oids.filter((_, at) => isNear(at))
    const blob = new CountedBlob([new Uint8Array(pack)])
    CountedBlob.most = 0
    await using repo = await open({ packs: [{ pack: blob, idx: blobOf(idx) }] }, { memory })
    const rows: string[] = []
    for (let start: BatchPlace | null = { index: 0, skip: 0 }; start !== null; ) {
      const batch: Batch = await repo.readMany([...some].reverse(), { order: 'pack', start })
      for (const row of batch) rows.push('oid' in row ? row.oid : row.type)
      start = batch.next
    }
    expect(rows).toEqual(some)
    const { blocksRead, bytesRead } = repo.stats()
    return { blocksRead, bytesRead, most: CountedBlob.most }
  }

  test('are asked for together, and what is far apart is read at the same time', async () => {
    const { blocksRead, bytesRead, most } = await read(16 << 20)
    expect(most).toBeGreaterThan(2)
    expect(blocksRead).toBeLessThan(30)
    // Six stretches of 200 kB.
    expect(bytesRead).toBeLessThan(1_550_000 + idx.length)
  })
})

test('Types and sizes are read without the order of the whole pack', async () => {
  const contents = Array.from({ length: 10_000 }, (_, at) => Buffer.from(`${at}`))
  const { pack, idx, oids } = indexedPackOf(...contents)
  const blobs = [{ pack: blobOf(pack), idx: blobOf(idx) }]
  const some = oids.filter((_, at) => at % 5000 === 0)
  const read = async (fields: 'size' | 'info') => {
    await using repo = await open({ packs: blobs })
    const rows = [...(await repo.readMany(some, { fields }))]
    const known = rows.map((row) =>
      'oid' in row ? [row.oid, row.type, row.size, row.deltaDepth] : row.type,
    )
    return { known, rows, bytesRead: repo.stats().bytesRead }
  }
  const size = await read('size')
  const info = await read('info')
  expect(size.known).toEqual(some.map((oid, at) => [oid, 'blob', `${at * 5000}`.length, 0]))
  expect(info.known).toEqual(size.known)
  expect(size.rows.map((row) => 'diskSize' in row && row.diskSize)).toEqual(
    some.map(() => undefined),
  )
  // Reading the order takes 4 bytes for each object.
  expect(size.bytesRead).toBeLessThan(60_000)
  expect(info.bytesRead).toBeGreaterThan(size.bytesRead + 30_000)
})
