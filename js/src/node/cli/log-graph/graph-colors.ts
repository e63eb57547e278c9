/** The colors of a graph: a lane has one from the commit that begins it to the one that ends it. */
import { painted } from '../color/palette.js'

export class LaneColors {
  readonly #colors: readonly string[]
  /** The color of the next lane; before the first one, the last color. */
  #next: number
  readonly #byCommit = new Map<string, string>()

  /** @param colors those that lanes have in turn; none for lanes without a color */
  constructor(colors: readonly string[]) {
    this.#colors = colors
    this.#next = colors.length - 1
  }

  /** Goes on to the next color, as git does for each parent of a merge and for a new tip. */
  advance(): void {
    this.#next = (this.#next + 1) % Math.max(this.#colors.length, 1)
  }

  /** Gives the lane to a commit the next color, unless it has one. */
  begin(commit: string): void {
    if (!this.#byCommit.has(commit)) this.#byCommit.set(commit, this.#colors[this.#next] ?? '')
  }

  /** Forgets the lanes that have ended: all but those to these commits. */
  endAllBut(commits: readonly string[]): void {
    if (this.#byCommit.size <= commits.length) return
    const kept = new Set(commits)
    for (const commit of this.#byCommit.keys()) if (!kept.has(commit)) this.#byCommit.delete(commit)
  }

  /** Paints a sign of the lane to a commit. */
  paint(sign: string, commit: string | undefined): string {
    const color = commit === undefined ? undefined : this.#byCommit.get(commit)
    return color ? painted(color, sign) : sign
  }
}
