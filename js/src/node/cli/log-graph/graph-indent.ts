/**
 * How far a graph moves commits without parents to the right. A commit of another history may be
 * in the same lane directly below; the two would look like parent and child.
 */

/** The commits after one that a graph looks at. */
export const LOOK_AHEAD = 2

/** Roots that follow each other move further with each; the first of so many is not moved. */
const MOST_IN_A_ROW = 4

/** Where a commit is, and what is below it. */
export interface RootPlace {
  readonly oid: string
  readonly isRoot: boolean
  /** The commit below, and whether a lane leads to it; `undefined` at the end. */
  readonly next:
    | { readonly isRoot: boolean; readonly hasLane: boolean; readonly isLast: boolean }
    | undefined
}

export class RootIndents {
  /** Parents of merges but the first ones: they are beside another parent, which tells them apart. */
  readonly #mergeParents = new Set<string>()
  /** How many roots in a row were before this commit; -1 where none is. */
  #row = -1

  /** Takes the parents of a commit that lanes lead to from now on. */
  addParents(parents: readonly string[]): void {
    for (const parent of parents.slice(1)) this.#mergeParents.add(parent)
  }

  /** Returns how many lanes a commit is moved by. */
  indentOf({ oid, isRoot, next }: RootPlace): number {
    const isBeside = this.#mergeParents.delete(oid)
    if (!isRoot || isBeside || !next) {
      this.#row = -1
      return 0
    }
    // The last commit is not moved, so it does not continue a row.
    const isRow = !next.hasLane && next.isRoot && !next.isLast
    if (this.#row >= 0) {
      this.#row++
      const indent = this.#row % MOST_IN_A_ROW
      return indent === 0 && !next.hasLane && !isRow ? 1 : indent
    }
    if (isRow) this.#row = 0
    return isRow || next.hasLane ? 0 : 1
  }
}
