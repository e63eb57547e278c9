/**
 * Finds the commit that halves a history, by the algorithm that git explains:
 * https://git-scm.com/docs/git-bisect-lk2009#_bisection_algorithm_discussed
 */
import { type ReachedCommit, reachOfMerges } from './reach.js'

/**
 * A commit of a bisected history: its parents in the history, and whether it is one of those among
 * which one is looked for; others only connect these.
 */
export interface BisectedCommit extends ReachedCommit {
  readonly oid: string
}

/** A commit with the number of those that count and that it reaches, itself included. */
export interface Weighed {
  readonly oid: string
  readonly counts: boolean
  /** -1 if git does not find it. */
  readonly reached: number
}

export class Bisection {
  readonly #commits: readonly BisectedCommit[]
  /** How many commits count. */
  readonly all: number
  readonly #reached: Int32Array

  /** @param commits in the order of the list */
  constructor(commits: readonly BisectedCommit[]) {
    this.#commits = commits
    this.all = commits.filter(({ counts }) => counts).length
    this.#reached = reachOfMerges(commits)
  }

  /** Returns how many commits are left if the found one is in the wrong half. */
  distance({ reached }: Weighed): number {
    return Math.min(reached, this.all - reached)
  }

  /**
   * Returns the commit to try next; `null` without commits. As in git it is the last of the list,
   * which may be none that counts, if what the others reach was not found.
   */
  best(): Weighed | null {
    const half = this.#weigh((number) => this.#isHalf(number))
    if (half !== null) return this.#weighed(half)
    let [best, most] = [this.last(), -1]
    for (const one of this.#counted()) {
      const distance = this.distance(one)
      if (distance > most) [best, most] = [one, distance]
    }
    return best
  }

  /** Returns the last commit of the list; `null` without commits. */
  last(): Weighed | null {
    const count = this.#commits.length
    return count === 0 ? null : this.#weighed(count - 1)
  }

  /** Returns all commits that count, the best first. */
  sorted(): Weighed[] {
    this.#weigh(() => false)
    const all = [...this.#counted()]
    const byId = (one: Weighed, other: Weighed) => (one.oid < other.oid ? -1 : 1)
    return all.sort((one, other) => this.distance(other) - this.distance(one) || byId(one, other))
  }

  /** Yields the commits that count, the last of the list first. */
  *#counted(): Generator<Weighed, undefined> {
    for (let number = this.#commits.length - 1; number >= 0; number--) {
      if (this.#commits[number]?.counts) yield this.#weighed(number)
    }
  }

  #weighed(number: number): Weighed {
    const { oid = '', counts = false } = this.#commits[number] ?? {}
    return { oid, counts, reached: this.#reached[number] ?? 0 }
  }

  /**
   * Finds what each commit reaches. Returns a commit that is good enough as soon as `isEnough` says
   * so: first merges are looked at, as in git, the last of the list first.
   */
  #weigh(isEnough: (number: number) => boolean): number | null {
    const last = this.#commits.length - 1
    const merges: number[] = []
    const waiting: number[] = []
    let known = 0
    for (let number = last; number >= 0; number--) {
      const { counts = false, parents = [] } = this.#commits[number] ?? {}
      if (parents.length === 0) known += this.#reached[number] = counts ? 1 : 0
      else if (parents.length === 1) waiting.push(number)
      else merges.push(number)
    }
    for (const number of merges) if (isEnough(number)) return number
    // git ends once as many are known as count, and among these it takes every merge.
    known += merges.length
    // With wrong dates a parent may come later than its child.
    for (let left = waiting; left.length > 0 && known < this.all; ) {
      const next: number[] = []
      for (const number of left) {
        const { counts = false, parents = [] } = this.#commits[number] ?? {}
        const reached = this.#reached[parents[0] ?? -1] ?? -1
        if (reached < 0) {
          next.push(number)
          continue
        }
        this.#reached[number] = reached + (counts ? 1 : 0)
        if (counts) known++
        if (isEnough(number)) return number
      }
      if (next.length === left.length) break
      left = next
    }
    return null
  }

  /** Whether a commit halves the history well enough: in a long one nearly does. */
  #isHalf(number: number): boolean {
    if (!this.#commits[number]?.counts) return false
    const difference = Math.abs(2 * (this.#reached[number] ?? 0) - this.all)
    return difference <= 1 || difference < Math.trunc(this.all / 1024)
  }
}

/** Returns how many times the rest has to be halved, as git estimates. */
export function stepsLeft(all: number): number {
  if (all < 3) return 0
  const whole = Math.floor(Math.log2(all))
  const rest = all - 2 ** whole
  return 2 ** whole < 3 * rest ? whole : whole - 1
}
