/** White space that git calls an error by default: `core.whitespace` and attributes are not read. */

/** The white space of a line that is an error. */
export interface SpaceErrors {
  /** Where the white space at the end begins; the length of the line if there is none. */
  readonly end: number
  /** Spaces before a tab in the indent: where each run begins and ends. */
  readonly beforeTab: readonly (readonly [start: number, end: number])[]
}

/** Returns the errors of a line without its line feed. */
export function spaceErrorsOf(line: string): SpaceErrors {
  const end = line.length - (/[ \t\r]*$/.exec(line)?.[0].length ?? 0)
  const [indent = ''] = /^[ \t]*/.exec(line.slice(0, end)) ?? []
  const beforeTab = [...indent.matchAll(/ +(?=\t)/g)].map(({ 0: spaces, index }) => {
    return [index, index + spaces.length] as const
  })
  return { end, beforeTab }
}

export const isBlank = (line: string): boolean => /^[ \t\r]*$/.test(line)

/**
 * Returns the lines, from 1, at which blank lines at the end begin, in the old and the new text;
 * `null` unless the new one has more of them.
 */
export function newBlankEnd(old: string, now: string): readonly [number, number] | null {
  const [before, after] = [old, now].map(blankEndOf)
  if (!before || !after || after.blank <= before.blank) return null
  return [before.lines - before.blank + 1, after.lines - after.blank + 1]
}

function blankEndOf(text: string): { lines: number; blank: number } {
  const lines = text.split('\n')
  if (lines.at(-1) === '') lines.pop()
  let blank = 0
  let end = text.endsWith('\n') ? text.length - 1 : text.length
  // A line counts only after another; git does not look at a line feed that begins the text.
  while (end > 1) {
    const feed = text.lastIndexOf('\n', end - 1)
    if (feed < 0 || !isBlank(text.slice(feed + 1, end))) break
    blank++
    end = feed
  }
  return { lines: lines.length, blank }
}
