/** Divides a long text into parts of whole lines, of which the browser lays out those near the view. */

export interface Part {
  readonly text: string
  readonly lines: number
}

/** The length at which a part of a text ends with its line: its layout takes a few milliseconds. */
const TEXT_PART = 4 << 10
/** The same of numbers, whose lines are short: about 100 of them. */
const NUMBERS_PART = 512

/** Longer texts have longer parts: for each frame, the browser looks at where every part is. */
const MOST_PARTS = 150

/** Returns the parts of a text in order; one, if the text is short. */
export function partsOf(text: string, least = TEXT_PART): readonly Part[] {
  const length = Math.max(least, text.length / MOST_PARTS)
  const parts: Part[] = []
  for (let at = 0; at < text.length; ) {
    const feed = text.indexOf('\n', at + length)
    const end = feed < 0 ? text.length : feed + 1
    const part = text.slice(at, end)
    parts.push({ text: part, lines: countLines(part) })
    at = end
  }
  return parts
}

/** Returns the parts of the numbers from 1, each in its line. */
export function numbersTo(count: number): readonly Part[] {
  return partsOf(Array.from({ length: count }, (_, at) => at + 1).join('\n'), NUMBERS_PART)
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
    const [first = '', ...others] = line.split('\t')
    let columns = first.length
    for (const piece of others) columns += TAB - (columns % TAB) + piece.length
    most = Math.max(most, columns)
  }
  return most
}

/** The initial value of the CSS property tab-size. */
const TAB = 8
