/** Which range of a file is read when some of its bytes are needed. */
import { expect, test } from 'vitest'
import { ReadRanges } from '../../dist/session/read-ranges.js'

const KIB = 1 << 10
const MEMORY = 64 << 20

/** Facts of a pack on a server. Its bytes are not read here. */
const pack = {
  size: 100 << 20,
  stamp: 1,
  blockSize: 4 * KIB,
  before: 24 * KIB,
  ahead: 48 * KIB,
  read: () => new Uint8Array(),
}

/** Returns the ranges, in KiB, for needs of a byte at these places in KiB. */
function rangesFor(places: readonly number[], { memory = MEMORY, file = pack } = {}) {
  const ranges = new ReadRanges(memory)
  return places.map((place) => {
    const { start, end } = ranges.rangeFor(
      { kind: 'bytes', file: 0, offset: place * KIB, length: 1 },
      file,
    )
    return [start / KIB, end / KIB]
  })
}

test('as much is read before the needed byte as after it', () => {
  expect(rangesFor([1001, 5001])).toEqual([
    [976, 1024],
    [4976, 5024],
  ])
  expect(rangesFor([102_399])).toEqual([[102_372, 102_400]])
})

test('a scan reads twice as much each time, from where it was, up to a share of memory', () => {
  expect(rangesFor([1001, 1024, 1072, 1168, 1360])).toEqual([
    [976, 1024],
    [1024, 1072],
    [1072, 1168],
    [1168, 1360],
    [1360, 1744],
  ])
  expect(rangesFor([1001, 1024, 1072, 1136], { memory: 2 << 20 })).toEqual([
    [976, 1024],
    [1024, 1072],
    [1072, 1136],
    [1136, 1200],
  ])
})

test('a chain of deltas that goes towards the beginning gets more before its next base', () => {
  expect(rangesFor([1001, 960, 880, 700])).toEqual([
    [976, 1024],
    [912, 984],
    [832, 904],
    // Too far away to belong to the same neighborhood.
    [676, 724],
  ])
})

test('what opening has read is not asked for again with bytes after it', () => {
  expect(rangesFor([45])).toEqual([[20, 48]])
  expect(rangesFor([48])).toEqual([[24, 72]])
  const { ahead: _, ...unread } = pack
  expect(rangesFor([45], { file: unread as typeof pack })).toEqual([[20, 68]])
})

test('of a range whole blocks are read, and nothing else; a scan goes on after it', () => {
  const ranges = new ReadRanges(MEMORY)
  const ask = (kind: 'bytes' | 'range', place: number, length: number) => {
    const { start, end } = ranges.rangeFor({ kind, file: 0, offset: place * KIB, length }, pack)
    return [start / KIB, end / KIB]
  }
  expect(ask('bytes', 1001, 1)).toEqual([976, 1024])
  expect(ask('range', 5001, 1)).toEqual([5000, 5004])
  expect(ask('range', 5001, 4 * KIB)).toEqual([5000, 5008])
  expect(ask('range', 102_399, 4 * KIB)).toEqual([102_396, 102_400])
  expect(ask('bytes', 1024, 1)).toEqual([1024, 1072])
})

/** Facts of a file of a folder, whose blocks grow. */
const { before: _before, ahead: _ahead, ...unmoved } = pack
const picked = { ...unmoved, blockSize: 8 * KIB, largestBlock: 128 * KIB }

/** Returns the lengths of the blocks, in KiB, that are read of files in turn, each far from the last. */
function lengthsOf(count: number, sizes: readonly number[], memory = MEMORY): number[] {
  const ranges = new ReadRanges(memory)
  return Array.from({ length: count }, (_, at) => {
    const file = at % sizes.length
    const size = (sizes[file] ?? 0) * KIB * KIB
    const offset = (at * 7_654_321) % (size - KIB * KIB)
    const asked = { kind: 'bytes', file, offset, length: 1 } as const
    const { start, end } = ranges.rangeFor(asked, { ...picked, size })
    return (end - start) / KIB
  })
}

const first = Array.from({ length: 8 }, () => 8)
const grown = [...first, 16, 16, 32, 64, 128, 256]

test('the blocks of a file that stays in memory grow sooner, and further', () => {
  expect(lengthsOf(16, [16])).toEqual([...grown, 512, 512])
  expect(lengthsOf(16, [16], MEMORY - 1)).toEqual([...first, ...first])
})

test('the blocks of files that stay grow as if all were one', () => {
  expect(lengthsOf(16, [4, 4, 4, 4])).toEqual([...grown, 512, 512])
  // The first is too long.
  const lengths = lengthsOf(32, [90, 4])
  expect(lengths.filter((_, at) => at % 2 === 0)).toEqual([...first, ...first])
  expect(lengths.at(-1)).toBe(512)
})

test('once more was read than stays, the blocks of each file grow with what was read of it', () => {
  const sizes = Array.from({ length: 64 }, () => 16)
  const lengths = lengthsOf(128, sizes)
  const total = (until: number) => lengths.slice(0, until).reduce((sum, length) => sum + length)
  const full = lengths.findIndex((_, at) => at > 0 && total(at) > (12 * MEMORY) / 32 / KIB)
  expect(full).toBeLessThan(64)
  expect(lengths[full - 1]).toBe(512)
  expect(lengths.slice(full, 64)).toEqual(Array.from({ length: 64 - full }, () => 8))
})

test('the blocks of a file most of which stays grow sooner than those of others', () => {
  const sum = (size: number) => lengthsOf(100, [size]).reduce((all, length) => all + length)
  expect(lengthsOf(100, [42]).at(-1)).toBe(256)
  expect(lengthsOf(100, [43]).at(-1)).toBe(32)
  expect(sum(42)).toBeGreaterThan(5 * sum(43))
})
