/** Which part of a file to read when some of its bytes are needed. */
import type { StoredFile } from './source/store.js'

/**
 * The largest part that is fetched at once, as a share of the ceiling. The core
 * keeps an eighth for parts: room for those of an index, a pack and two more.
 */
const PART_SHARE = 32

/**
 * The share of what was read of a file that its blocks grow to. So each read brings little
 * beside what there was need for, and reading a file whole takes hundreds of reads, not
 * one for each of the smallest blocks.
 */
const GROWTH_SHARE = 256

interface Ahead {
  /** Where the last part ended. */
  end: number
  /** How long the next one is if it begins there. */
  length: number
}

export class Parts {
  readonly #most: number
  readonly #ahead = new Map<number, Ahead>()
  /** How many bytes were read of each file whose blocks grow. */
  readonly #read = new Map<number, number>()

  constructor(memory: number) {
    this.#most = Math.floor(memory / PART_SHARE)
  }

  /**
   * Returns whole blocks around what is needed. A scan that goes on where it was
   * gets parts twice as long each time, from sources that take time to answer.
   */
  around(
    { file, offset, length }: { file: number; offset: number; length: number },
    stored: StoredFile,
  ): { start: number; end: number } {
    const block = Math.min(this.#blockOf(file, stored), this.#most)
    const down = (place: number) => Math.floor(place / block) * block
    const longest = Math.max(block, down(this.#most))
    const wanted = down(offset + length + block - 1)
    if (!('read' in stored)) {
      // Parts of one length take the place of each other, and leave no gaps.
      const start = down(offset)
      return { start, end: Math.min(stored.size, start + block) }
    }
    const ahead = this.#ahead.get(file)
    const goesOn = ahead?.end === down(offset)
    const before = goesOn ? 0 : Math.min(stored.before ?? 0, down(longest / 2))
    const start = Math.max(0, down(offset - before))
    const least = goesOn ? ahead.length : block
    const end = Math.min(Math.max(wanted, start + least), stored.size, start + longest)
    this.#ahead.set(file, { end, length: Math.min(2 * (end - start), longest) })
    if (stored.largestBlock) this.#read.set(file, (this.#read.get(file) ?? 0) + end - start)
    return { start, end }
  }

  #blockOf(file: number, { blockSize, largestBlock = blockSize }: StoredFile): number {
    const share = (this.#read.get(file) ?? 0) / GROWTH_SHARE
    // By powers of two, so that a longer block covers shorter ones whole.
    const grown = share < blockSize ? blockSize : 2 ** Math.floor(Math.log2(share))
    return Math.min(grown, largestBlock)
  }

  forget(file: number): void {
    this.#ahead.delete(file)
    this.#read.delete(file)
  }
}
