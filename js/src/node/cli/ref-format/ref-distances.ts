/** How far the commits of refs are from others, counted for all listed refs in one walk. */

import { numbersIn } from '../../../questions/ahead-behind.js'
import type { Reader } from '../repository/reader.js'

/** How many commits only one of two commits reaches. */
export interface Distance {
  readonly ahead: number
  readonly behind: number
}

/** Distances that are known; the first one that is not is counted together with all like it. */
export class RefDistances {
  readonly #reader: Reader
  readonly #known = new Map<string, Distance>()

  constructor(reader: Reader) {
    this.#reader = reader
  }

  /** Returns the distance of two commits. `all` returns the pairs that are asked for next. */
  between(one: string, other: string, all: () => Iterable<readonly [string, string]>): Distance {
    if (one === other) return { ahead: 0, behind: 0 }
    const key = `${one} ${other}`
    const known = this.#known.get(key)
    if (known) return known
    this.#count([[one, other], ...all()])
    return this.#known.get(key) ?? { ahead: 0, behind: 0 }
  }

  #count(pairs: readonly (readonly [string, string])[]): void {
    const unknown = new Map(pairs.map((pair) => [pair.join(' '), pair]))
    for (const [key, [one, other]] of unknown) {
      if (one === other || this.#known.has(key)) unknown.delete(key)
    }
    const keys = [...unknown.keys()]
    const specs = this.#reader.specs([...unknown.values()].flat())
    let at = 0
    this.#reader.pages({ kind: 'aheadBehind', specs }, (page) => {
      for (const distance of numbersIn(page)) {
        const key = keys[at++]
        if (key !== undefined) this.#known.set(key, distance)
      }
    })
  }
}
