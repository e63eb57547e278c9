/** Cuts hunks of a patch down to lines of the new file that are followed. */
import type { Span } from './line-spans.js'

const MOVED = /^(similarity index|rename from|rename to) .*\n/gm
/** What is shown of a file beside its lines. */
const EXTENDED = /^(old mode|new file mode|deleted file mode|rename from|copy from) /m
const POSITION = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@(.*)$/s

/** A hunk: its place between `@@`, the rest of this line, and its lines. */
export interface LineHunk {
  readonly position: string
  readonly heading: string
  readonly lines: readonly string[]
}

/** The lines of a hunk that are in a range. */
interface Cut {
  readonly lines: string[]
  /** The numbers of the first lines. */
  old: number
  new: number
  oldCount: number
  newCount: number
  isChanged: boolean
}

/**
 * Returns a patch with one hunk for each range in which something changed. Its hunks must have as
 * many lines around changes as the longest range has.
 *
 * @param show returns a hunk as it is printed
 */
export function cutPatch(
  patch: string,
  spans: readonly Span[],
  show: (hunk: LineHunk) => string = plainHunk,
): string {
  const start = patch.indexOf('\n@@ ') + 1
  if (start === 0) return patch
  // git does not say here how similar a renamed file is.
  const head = patch.slice(0, start).replace(MOVED, '')
  let text = ''
  for (const hunk of patch.slice(start).split(/^(?=@@ )/m)) {
    for (const span of spans) {
      const cut = cutHunk(hunk.split('\n').slice(0, -1), span)
      if (cut) text += show(cut)
    }
  }
  // A file of which nothing is shown, such as white space that does not count, is not named.
  return text !== '' || EXTENDED.test(patch.slice(0, start)) ? head + text : ''
}

function plainHunk({ position, heading, lines }: LineHunk): string {
  return `${position}${heading}\n${lines.map((line) => `${line}\n`).join('')}`
}

function cutHunk(
  [header = '', ...lines]: readonly string[],
  { start, end }: Span,
): LineHunk | null {
  const [, oldStart = '0', newStart = '0', heading = ''] = POSITION.exec(header) ?? []
  let [old, now] = [Number(oldStart), Number(newStart)]
  const cut: Cut = { lines: [], old, new: now, oldCount: 0, newCount: 0, isChanged: false }
  let isInside = false
  for (const line of lines) {
    const sign = line.charAt(0)
    if (sign === '\\') {
      if (isInside) cut.lines.push(line)
      continue
    }
    // Removed lines are before the next new line, or after the last one.
    isInside = sign === '-' ? start < now && now <= end + 1 : start < now && now <= end
    if (isInside) take(cut, line, sign, old, now)
    if (sign !== '+') old++
    if (sign !== '-') now++
  }
  if (!cut.isChanged) return null
  const position = `@@ -${cut.old},${cut.oldCount} +${cut.new},${cut.newCount} @@`
  return { position, heading, lines: cut.lines }
}

function take(cut: Cut, line: string, sign: string, old: number, now: number): void {
  if (cut.lines.length === 0) {
    cut.old = old
    cut.new = now
  }
  cut.lines.push(line)
  if (sign !== '+') cut.oldCount++
  if (sign !== '-') cut.newCount++
  cut.isChanged ||= sign !== ' '
}
