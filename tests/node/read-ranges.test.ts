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

test('the blocks of a file that stays in memory grow sooner, and twice as far', () => {
  const { before: _, ahead: __, ...others } = pack
  const file = { ...others, size: 16 << 20, blockSize: 8 * KIB, largestBlock: 128 * KIB }
  const places = Array.from({ length: 16 }, (_, at) => 1000 * (at + 1))
  const lengths = (memory: number) =>
    rangesFor(places, { memory, file: file as unknown as typeof pack }).map(
      ([start = 0, end = 0]) => end - start,
    )
  const first = Array.from({ length: 8 }, () => 8)
  expect(lengths(MEMORY)).toEqual([...first, 16, 16, 32, 64, 128, 256, 256, 256])
  expect(lengths(MEMORY - 1)).toEqual([...first, ...first])
})
