/** Suggests known names for one that is not known. */

/** The longest name to compare: longer ones are no typos, and comparing takes square time. */
const LONGEST = 40

/** Returns the known names that are nearest to a name; none if all are too different, or it is known. */
export function nearest(given: string, known: Iterable<string>): string[] {
  const names = new Set(known)
  if (given.length > LONGEST || names.has(given)) return []
  let best = Math.max(1, Math.floor(given.length / 3))
  let found: string[] = []
  for (const name of names) {
    // A prefix of a name counts as one typo.
    const distance = given.length > 1 && name.startsWith(given) ? 1 : distanceOf(given, name)
    if (distance > best) continue
    if (distance < best) found = []
    best = distance
    found.push(name)
  }
  return found
}

/** Returns a line that asks whether one of some names was meant; empty if there are none. */
export function didYouMean(names: readonly string[]): string {
  const quoted = names.map((name) => `'${name}'`)
  const last = quoted.pop()
  if (last === undefined) return ''
  return `Did you mean ${quoted.length > 0 ? `${quoted.join(', ')} or ` : ''}${last}?\n`
}

/** Returns how many letters are added, removed, changed, or swapped with the next one. */
function distanceOf(one: string, other: string): number {
  let before: number[] = []
  let row = Array.from({ length: other.length + 1 }, (_, at) => at)
  for (let i = 1; i <= one.length; i++) {
    const next = [i]
    for (let j = 1; j <= other.length; j++) {
      const same = one[i - 1] === other[j - 1]
      let least = Math.min(
        (row[j] ?? 0) + 1,
        (next[j - 1] ?? 0) + 1,
        (row[j - 1] ?? 0) + (same ? 0 : 1),
      )
      const swapped = i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1]
      if (swapped) least = Math.min(least, (before[j - 2] ?? 0) + 1)
      next.push(least)
    }
    before = row
    row = next
  }
  return row[other.length] ?? 0
}
