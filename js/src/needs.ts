/**
 * What one question needed so far. A question is asked again whenever something is
 * missing; here it is made sure that this comes to an end, whatever a source answers.
 */
import { PacklensError } from './errors.js'
import { hex } from './hex.js'
import type { Need } from './records.js'
import { text } from './utf8.js'

/** How often the same bytes, or as many other needs for each different one, may be needed. */
const MOST_REPEATS = 12

/** Bytes; the first id stands for all of a need. */
const LONGEST_ID = 32

interface Seen {
  file: number
  times: number
}

export class Needs {
  readonly #pathOf: (file: number) => string | undefined
  /** By path and offset: a file that changes gets another number each time. */
  readonly #seen = new Map<string, Seen>()
  #total = 0

  constructor(pathOf: (file: number) => string | undefined) {
    this.#pathOf = pathOf
  }

  /**
   * Takes a need down and returns how often the same bytes of the same file were needed,
   * 0 for what is not bytes.
   *
   * @throws `LIMIT` if memory is too little to keep them, `INTERNAL` if the question asks
   * for the same things again and again
   */
  count(need: Need): number {
    const path = need.kind === 'bytes' ? this.#pathOf(need.file) : undefined
    const key = keyOf(need, path)
    const file = need.kind === 'bytes' ? need.file : -1
    const seen = this.#seen.get(key)
    const times = seen?.file === file ? seen.times + 1 : 1
    this.#seen.set(key, { file, times })
    this.#total++
    if (need.kind === 'bytes' && times > MOST_REPEATS) {
      const what = 'this needs more memory at once than allowed: raise `memory`'
      throw new PacklensError('LIMIT', what)
    }
    if (this.#total > MOST_REPEATS * (this.#seen.size + 1)) {
      const what = 'the source was asked for the same things again and again, without an end'
      throw new PacklensError('INTERNAL', what, { subject: key })
    }
    return need.kind === 'bytes' ? times : 0
  }
}

function keyOf(need: Need, path: string | undefined): string {
  switch (need.kind) {
    case 'bytes':
      return `${path ?? need.file} at offset ${need.offset}`
    case 'file':
      return text(need.path)
    case 'directory':
      return `${text(need.path)}/`
    case 'turn':
    case 'module':
      return need.kind
    case 'objects':
      return `objects ${hex(need.ids, 0, Math.min(need.ids.byteLength, LONGEST_ID))}`
  }
}
