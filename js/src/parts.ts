/** Which part of a file to read when some of its bytes are needed. */
import type { StoredFile } from './source/store.js'

/**
 * The largest part that is fetched at once, as a share of the ceiling. The core
 * keeps an eighth for parts: room for those of an index, a pack and two more.
 */
const PART_SHARE = 32

interface Ahead {
  /** Where the last part ended. */
  end: number
  /** How long the next one is if it begins there. */
  length: number
}

export class Parts {
  readonly #most: number
  readonly #ahead = new Map<number, Ahead>()

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
    const block = Math.min(stored.blockSize, this.#most)
    const start = Math.floor(offset / block) * block
    const ahead = 'readInto' in stored ? 0 : this.#lengthAhead(file, start, block)
    const wanted = Math.ceil((offset + length) / block) * block
    const longest = Math.max(1, Math.floor(this.#most / block)) * block
    const end = Math.min(Math.max(wanted, start + ahead), stored.size, start + longest)
    if (ahead > 0) this.#ahead.set(file, { end, length: Math.min(ahead * 2, longest) })
    return { start, end }
  }

  forget(file: number): void {
    this.#ahead.delete(file)
  }

  #lengthAhead(file: number, start: number, block: number): number {
    const ahead = this.#ahead.get(file)
    return ahead?.end === start ? ahead.length : block
  }
}
