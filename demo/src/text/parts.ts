/** Divides a long text into parts of whole lines, of which the browser lays out those near the view. */

export interface Part {
  readonly text: string
  readonly lines: number
}

/** The length at which a part ends with its line: the layout of one takes a few milliseconds. */
const PART = 4 << 10

/** Returns the parts of a text in order; one, if the text is short. */
export function partsOf(text: string): readonly Part[] {
  const parts: Part[] = []
  for (let at = 0; at < text.length; ) {
    const feed = text.indexOf('\n', at + PART)
    const end = feed < 0 ? text.length : feed + 1
    const part = text.slice(at, end)
    parts.push({ text: part, lines: countLines(part) })
    at = end
  }
  return parts
}

/** Counts lines. A line feed at the end of the text begins no further line. */
export function countLines(text: string): number {
  let lines = text.endsWith('\n') ? 0 : 1
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines++
  return lines
}

/** Returns the columns of the longest line, in which a tab takes as many as browsers give it. */
export function columnsOf(text: string): number {
  let most = 0
  for (const line of text.split('\n')) {
    // Most lines are too short to be the longest one, whatever their tabs.
    if (line.length * TAB <= most) continue
    let columns = 0
    for (const character of line) columns += character === '\t' ? TAB - (columns % TAB) : 1
    most = Math.max(most, columns)
  }
  return most
}

/** The initial value of the CSS property tab-size. */
const TAB = 8
