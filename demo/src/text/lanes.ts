/** Places commits and the lines between them for a graph. */

/** A row of the graph: a commit, and the lines that come to its row and leave it. */
export interface GraphRow {
  /** The lane of the commit, from 0. */
  readonly lane: number
  /** Lines from the top of the row to its middle, from lane to lane. */
  readonly above: readonly (readonly [from: number, to: number])[]
  /** Lines from the middle of the row to its bottom. */
  readonly below: readonly (readonly [from: number, to: number])[]
}

/** Places commits in the order in which they are given. */
export class Lanes {
  /** The commit that each lane leads to; `null` for a free lane. */
  #lanes: (string | null)[] = []

  add(oid: string, parents: readonly string[]): GraphRow {
    const known = this.#lanes.indexOf(oid)
    const lane = known >= 0 ? known : this.#free()
    const next = this.#lanes.map((expected) => (expected === oid ? null : expected))
    const above: [number, number][] = []
    const below: [number, number][] = []
    for (const [at, expected] of this.#lanes.entries()) {
      if (expected === null) continue
      above.push([at, expected === oid ? lane : at])
      if (expected !== oid) below.push([at, at])
    }
    for (const [at, parent] of parents.entries()) {
      const known = next.indexOf(parent)
      if (at === 0 && (known < 0 || known > lane)) {
        // The first parent continues the lane; another line to it ends there.
        const other = below.find(([from]) => from === known)
        if (other) other[1] = lane
        if (known >= 0) next[known] = null
        next[lane] = parent
        below.push([lane, lane])
      } else {
        const to = known < 0 ? freeIn(next, lane) : known
        next[to] = parent
        below.push([lane, to])
      }
    }
    while (next.at(-1) === null) next.pop()
    this.#lanes = next
    return { lane, above, below }
  }

  #free(): number {
    return freeIn(this.#lanes, -1)
  }
}

/** Returns the first free lane but `taken`. */
function freeIn(lanes: readonly (string | null)[], taken: number): number {
  for (let at = 0; ; at++) if (at !== taken && (lanes[at] ?? null) === null) return at
}
