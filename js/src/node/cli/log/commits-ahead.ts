/** Passes on commits of a list, each with some of those after it. */
import type { ListedCommit } from './log-printer.js'

export class CommitsAhead {
  readonly #use: (commit: ListedCommit) => unknown
  readonly #count: number
  #left: number
  readonly #waiting: ListedCommit[] = []

  /**
   * @param use returns `false` if it has not shown the commit
   * @param count how many of the commits after it each one waits for
   * @param left how many commits are shown; others are not looked at
   */
  constructor(
    use: (commit: ListedCommit) => unknown,
    count: number,
    left = Number.POSITIVE_INFINITY,
  ) {
    this.#use = use
    this.#count = count
    this.#left = left
  }

  /** Takes the next commit; returns whether more can be shown. */
  add(commit: ListedCommit): boolean {
    this.#waiting.push(commit)
    while (this.#waiting.length > Math.min(this.#count, this.#left - 1)) {
      if (!this.#pass()) return false
    }
    return true
  }

  /** Passes on the commits that have waited for others. */
  end(): void {
    while (this.#left > 0 && this.#waiting.length > 0) this.#pass()
  }

  #pass(): boolean {
    const [commit, ...others] = this.#waiting.splice(0, 1).concat(this.#waiting)
    if (!commit) return true
    const following = others.slice(0, this.#left - 1)
    if (this.#use(this.#count > 0 ? { ...commit, following } : commit) !== false) this.#left--
    return this.#left > 0
  }
}
