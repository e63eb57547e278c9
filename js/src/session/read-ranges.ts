/** Decides which range of a file to read when some of its bytes are needed. */
import type { StoredFile } from '../source/store.js'

/**
 * The longest range that is read at once, as a share of `memory`. The core leaves at least an
 * eighth to cached ranges, so that four fit: of an index, a pack and two other files.
 */
const RANGE_SHARE = 32

/**
 * The blocks of a file grow to this share of the bytes that were read of it. So who reads little of
 * it reads few bytes that are not needed, and who reads much of it does so in few reads.
 */
const GROWTH_SHARE = 32

/**
 * A file that is at most as long as so many of the longest ranges stays in memory, so that what is
 * near a needed byte is not read again for another: its blocks grow with the square of the bytes
 * that were read, and further.
 */
const FITTING_RANGES = 8

/** Most of a file that is as long as so many of them stays: its blocks grow sooner than those of others. */
const NEARLY_FITTING = 21
const SOONER_SHARE = 8

/**
 * As much as so many of them hold stays, whatever files it is of. Until so much was read, it is as if
 * all files that stay were one: their blocks grow with what was read of all.
 */
const STAYING_RANGES = 12

/** When so many bytes were read of files that stay, their blocks are as long; at most twice as long. */
const ALL_AT_ONCE = 256 << 10

/** The needed bytes. What is near those of a `range` is of no use; its length is exact. */
interface Asked {
  readonly kind: 'bytes' | 'range'
  readonly file: number
  readonly offset: number
  readonly length: number
}

/** The last range of a file. */
interface Last {
  start: number
  end: number
  /** The length of the next range, if it begins at `end`: that of a scan. */
  length: number
  /** The bytes that were read of the file. */
  read: number
}

export class ReadRanges {
  readonly #most: number
  readonly #last = new Map<number, Last>()
  /** The bytes that were read of all files. */
  #all = 0

  constructor(memory: number) {
    this.#most = Math.floor(memory / RANGE_SHARE)
  }

  /**
   * Returns the range of whole blocks around the needed bytes. Each range of a sequential scan
   * is twice as long as the one before, if the source may take time to answer.
   */
  rangeFor(
    { kind, file, offset, length }: Asked,
    stored: StoredFile,
  ): { start: number; end: number } {
    if (kind === 'range' && !('read' in stored)) {
      return { start: offset, end: Math.min(offset + length, stored.size) }
    }
    const block = Math.min(this.#blockOf(file, stored), this.#most)
    const down = (place: number) => Math.floor(place / block) * block
    const longest = down(this.#most)
    const needed = down(offset + length + block - 1)
    if (!('read' in stored)) {
      // Ranges of equal length can replace each other in memory without gaps between them.
      const start = down(offset)
      return { start, end: Math.min(stored.size, start + block) }
    }
    if (kind === 'range') {
      const start = down(offset)
      return { start, end: Math.min(needed, stored.size, start + longest) }
    }
    const last = this.#last.get(file)
    const goesOn = last?.end === down(offset)
    const { before: usual = 0, ahead = 0 } = stored
    // A chain of deltas, whose bases lie one before the other.
    const goesBack = last && offset < last.start && offset > last.start - 4 * usual
    const before = goesOn ? 0 : Math.min(goesBack ? 2 * usual : usual, down(longest / 2))
    const start = Math.max(0, down(offset - before))
    // As much after the needed byte as usual before it, if that is said.
    const least = goesOn ? last.length : Math.max(block, usual)
    const limit = ahead < needed ? stored.size : ahead
    const end = Math.min(Math.max(needed, down(offset) + least), limit, start + longest)
    // Bytes that are read before the block do not count for a scan.
    const next = Math.min(2 * (end - down(offset)), longest)
    this.#last.set(file, { start, end, length: next, read: (last?.read ?? 0) + end - start })
    this.#all += end - start
    return { start, end }
  }

  #blockOf(file: number, { size, blockSize, largestBlock }: StoredFile): number {
    if (!largestBlock) return blockSize
    const ranges = size / this.#most
    const own = this.#last.get(file)?.read ?? 0
    const allStays = this.#all <= this.#most * STAYING_RANGES
    const isSooner = allStays && ranges <= NEARLY_FITTING
    let share = own / (isSooner ? SOONER_SHARE : GROWTH_SHARE)
    let most = isSooner ? ALL_AT_ONCE : largestBlock
    if (ranges <= FITTING_RANGES) {
      const read = allStays ? this.#all : own
      share = (read * read) / most
      most *= 2
    }
    // Powers of two, so that a longer block covers whole shorter ones.
    return Math.min(2 ** Math.floor(Math.log2(Math.max(share, blockSize))), most)
  }

  forget(file: number): void {
    this.#last.delete(file)
  }
}
