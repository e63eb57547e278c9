/** Finds paths by letters that they have in this order. */

export interface FoundPath {
  readonly path: string
  /** Which characters of the path are those of the search. */
  readonly marks: ReadonlySet<number>
}

/** Returns the paths that fit best: those with letters in a row, in their last name, and short. */
export function bestPaths(paths: readonly string[], text: string, most: number): FoundPath[] {
  const letters = Array.from(text.toLowerCase().replaceAll(/\s/g, ''))
  const found: (FoundPath & { score: number })[] = []
  for (const path of paths) {
    const marks = marksIn(Array.from(path.toLowerCase()), letters)
    if (marks) found.push({ path, marks: new Set(marks), score: scoreOf(path, marks) })
  }
  return found.sort((one, other) => other.score - one.score).slice(0, most)
}

/** Looks from the end, because the last name tells most. */
function marksIn(path: readonly string[], letters: readonly string[]): number[] | null {
  const marks: number[] = []
  let at = path.length - 1
  for (const letter of [...letters].reverse()) {
    while (at >= 0 && path[at] !== letter) at--
    if (at < 0) return null
    marks.push(at--)
  }
  return marks.reverse()
}

function scoreOf(path: string, marks: readonly number[]): number {
  const name = path.lastIndexOf('/') + 1
  let score = -path.length / 100
  for (const [at, mark] of marks.entries()) {
    if (mark >= name) score += 1
    if (mark === (marks[at - 1] ?? -2) + 1) score += 1
    if (mark === 0 || /[/._-]/.test(path[mark - 1] ?? '')) score += 0.5
  }
  return score
}
