/**
 * Counts the needs of one question. A question is repeated whenever data is missing; the counts
 * end the repeats, whatever a source answers.
 */
import { PacklensError } from '../base/errors.js'
import { hex } from '../base/hex.js'
import { text } from '../base/utf8.js'
import type { Need } from '../objects/records.js'

/** The most times that the same bytes may be needed; also the most needs per different need. */
const MOST_REPEATS = 12

/** The bytes of the longest id. The first id of a need stands for all of its ids. */
const LONGEST_ID = 32

interface Seen {
  file: number
  times: number
}

export class Needs {
  readonly #pathOf: (file: number) => string | undefined
  /** Counts by path and offset, because a file that changes gets a new number each time. */
  readonly #seen = new Map<string, Seen>()
  #total = 0

  constructor(pathOf: (file: number) => string | undefined) {
    this.#pathOf = pathOf
  }

  /**
   * Records a need and returns how often the same bytes of the same file were needed; 0 for a
   * need of anything but bytes.
   *
   * @throws `LIMIT` if memory is too small to keep the bytes, `INTERNAL` if the question repeats
   * the same needs without end
   */
  count(need: Need): number {
    const path = 'offset' in need ? this.#pathOf(need.file) : undefined
    const key = keyOf(need, path)
    const file = 'offset' in need ? need.file : -1
    const seen = this.#seen.get(key)
    const times = seen?.file === file ? seen.times + 1 : 1
    this.#seen.set(key, { file, times })
    this.#total++
    if ('offset' in need && times > MOST_REPEATS) {
      const what = 'this needs more memory at once than `memory` allows: raise it'
      throw new PacklensError('LIMIT', what)
    }
    if (this.#total > MOST_REPEATS * (this.#seen.size + 1)) {
      const what = 'the same data was requested again and again'
      throw new PacklensError('INTERNAL', what, { subject: key })
    }
    return 'offset' in need ? times : 0
  }
}

function keyOf(need: Need, path: string | undefined): string {
  switch (need.kind) {
    case 'bytes':
    case 'range':
      return `${path ?? need.file} at offset ${need.offset}`
    case 'file':
      return text(need.path)
    case 'directory':
      return `${text(need.path)}/`
    case 'objects':
      return `objects ${hex(need.ids.subarray(0, LONGEST_ID))}`
    default:
      return need.kind
  }
}
