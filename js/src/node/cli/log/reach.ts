/**
 * Counts what merges reach, for a whole history at once.
 *
 * A search per merge visits every commit before it: for git.git's 21,000 merges of 82,000 commits
 * that takes minutes. Here commits are joined to chains, whose commits all reach the same rest, and
 * 32 chains at a time are followed upward through the history as the bits of one number.
 */

/** A history in numbers: for each commit its parents, and whether it counts. */
export interface ReachedCommit {
  readonly parents: readonly number[]
  readonly counts: boolean
}

/** Chains of which one pass follows the bits. */
const WIDTH = 32

/** Returns how many commits that count each merge reaches, itself included; -1 for other commits. */
export function reachOfMerges(commits: readonly ReachedCommit[]): Int32Array {
  const found = new Int32Array(commits.length).fill(-1)
  const chains = new Chains(commits)
  const { weights, merges, parents, starts } = chains
  const sums = new Int32Array(weights.length)
  const bits = new Int32Array(weights.length)
  const tables = Array.from({ length: WIDTH / 8 }, () => new Int32Array(256))
  const [low, second, third, high] = tables as [Int32Array, Int32Array, Int32Array, Int32Array]
  for (let first = 0; first < weights.length; first += WIDTH) {
    for (const [at, table] of tables.entries()) fillTable(table, weights, first + 8 * at)
    // Chains before the first followed one cannot reach it, as parents come first; those before the
    // last pass's are clear since then.
    bits.fill(0, Math.max(0, first - WIDTH), first)
    for (let chain = first; chain < weights.length; chain++) {
      let reached = chain - first < WIDTH ? 1 << (chain - first) : 0
      const end = starts[chain + 1] ?? 0
      for (let at = starts[chain] ?? 0; at < end; at++) reached |= bits[parents[at] ?? 0] ?? 0
      bits[chain] = reached
      if (reached === 0 || (merges[chain] ?? -1) < 0) continue
      sums[chain] =
        (sums[chain] ?? 0) +
        (low[reached & 255] ?? 0) +
        (second[(reached >>> 8) & 255] ?? 0) +
        (third[(reached >>> 16) & 255] ?? 0) +
        (high[reached >>> 24] ?? 0)
    }
  }
  merges.forEach((merge, chain) => {
    // A merge is the first commit of its chain: the rest of the chain has it as an ancestor.
    if (merge >= 0) found[merge] = (sums[chain] ?? 0) - (weights[chain] ?? 0) + chains.own(merge)
  })
  return found
}

/** Fills in for each 8 bits the sum of the weights of the chains that they stand for. */
function fillTable(table: Int32Array, weights: Int32Array, first: number): void {
  for (let value = 1; value < table.length; value++) {
    const lowest = 31 - Math.clz32(value & -value)
    table[value] = (table[value & (value - 1)] ?? 0) + (weights[first + lowest] ?? 0)
  }
}

/**
 * The chains of a history, parents first. A chain begins with a root, a merge, or a commit whose
 * parent has several children; every other commit continues the chain of its only parent.
 */
class Chains {
  readonly #commits: readonly ReachedCommit[]
  /** How many commits of each chain count. */
  readonly weights: Int32Array
  /** The merge that each chain begins with, or -1. */
  readonly merges: Int32Array
  /** The parents of each chain, from `starts[chain]` up to `starts[chain + 1]`. */
  readonly parents: number[] = []
  readonly starts: number[] = []

  constructor(commits: readonly ReachedCommit[]) {
    this.#commits = commits
    const children = new Int32Array(commits.length)
    for (const { parents } of commits) {
      for (const parent of parents) children[parent] = (children[parent] ?? 0) + 1
    }
    const chainOf = new Int32Array(commits.length)
    const weights: number[] = []
    const merges: number[] = []
    for (const number of parentsFirst(commits)) {
      const { parents = [] } = commits[number] ?? {}
      const [parent = -1] = parents
      if (parents.length === 1 && children[parent] === 1) {
        chainOf[number] = chainOf[parent] ?? 0
      } else {
        chainOf[number] = weights.length
        this.starts.push(this.parents.length)
        for (const each of parents) this.parents.push(chainOf[each] ?? 0)
        merges.push(parents.length > 1 ? number : -1)
        weights.push(0)
      }
      const chain = chainOf[number] ?? 0
      weights[chain] = (weights[chain] ?? 0) + this.own(number)
    }
    this.starts.push(this.parents.length)
    this.weights = Int32Array.from(weights)
    this.merges = Int32Array.from(merges)
  }

  /** What a commit adds to the number of those that count. */
  own(number: number): number {
    return this.#commits[number]?.counts ? 1 : 0
  }
}

/** Returns all commits, each after its parents, which with wrong dates a list may not be. */
function parentsFirst(commits: readonly ReachedCommit[]): Int32Array {
  const order = new Int32Array(commits.length)
  const next = new Int32Array(commits.length)
  const isVisited = new Uint8Array(commits.length)
  let length = 0
  const stack: number[] = []
  const visit = (number: number) => {
    if (isVisited[number] === 1) return
    isVisited[number] = 1
    stack.push(number)
  }
  for (let start = commits.length - 1; start >= 0; start--) {
    visit(start)
    for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
      const at = next[top] ?? 0
      const parent = commits[top]?.parents[at]
      next[top] = at + 1
      if (parent !== undefined) visit(parent)
      else order[length++] = stack.pop() ?? 0
    }
  }
  return order
}
