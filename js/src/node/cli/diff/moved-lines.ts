/** Finds lines that were moved: `--color-moved`. */
import { longestShared, type SignedLine } from '../text/longest-shared.js'
import type { MovedArgs, MovedSpace } from './moved-args.js'

/** How a line is colored: as others, as a moved one, or as one of a block beside another block. */
export type Moved = 'not' | 'moved' | 'alternative'

/** A line of patches. */
export interface MovedLine {
  readonly sign: string
  /** How it is colored. */
  moved: Moved
  /** Whether no other block is beside it. */
  isDimmed: boolean
}

/** A block has so many letters and digits at least. */
const LEAST = 20

/**
 * Marks the lines of all patches of a comparison, which begin with their signs. A line counts as
 * moved if the other side of a change has it, and with its neighbors it has enough letters.
 */
export function markMoved(
  lines: readonly string[],
  { mode, space }: MovedArgs['moved'],
): MovedLine[] {
  const marked = lines.map((line): MovedLine => {
    return { sign: line.charAt(0), moved: 'not', isDimmed: false }
  })
  const shared = longestShared(lines.map((line) => signedLine(line, space)))
  if (mode === 'plain') {
    for (const [at, line] of marked.entries()) if (shared[at]) line.moved = 'moved'
    return marked
  }
  const letters = lettersBefore(lines)
  let last = { end: -1, sign: '', moved: 'not' as Moved }
  for (let at = 0; at < marked.length; ) {
    const [line, length = 0] = [marked[at], shared[at]]
    const end = at + length
    const hasEnough = (letters[end] ?? 0) - (letters[at] ?? 0) >= LEAST
    if (!line || length === 0 || !hasEnough) {
      at++
      continue
    }
    const isBeside = last.end === at && last.sign === line.sign
    const moved = isBeside && mode !== 'blocks' && last.moved === 'moved' ? 'alternative' : 'moved'
    for (const one of marked.slice(at, end)) one.moved = moved
    last = { end, sign: line.sign, moved }
    at = end
  }
  if (mode === 'dimmed-zebra') dim(marked)
  return marked
}

/** Dims lines that are not at the border of two blocks. */
function dim(lines: readonly MovedLine[]): void {
  for (const [at, line] of lines.entries()) {
    const isOther = (next: MovedLine | undefined) =>
      next !== undefined && next.moved !== 'not' && next.moved !== line.moved
    const isBorder = isOther(lines[at - 1]) || isOther(lines[at + 1])
    line.isDimmed = line.moved !== 'not' && !isBorder
  }
}

/** Returns how many letters and digits are before each line, and after the last. */
function lettersBefore(lines: readonly string[]): Float64Array {
  const sums = new Float64Array(lines.length + 1)
  for (const [at, line] of lines.entries()) {
    sums[at + 1] = (sums[at] ?? 0) + (line.match(/[0-9A-Za-z]/g)?.length ?? 0)
  }
  return sums
}

/** Returns what counts of a line. */
function signedLine(line: string, space: MovedSpace): SignedLine {
  const [sign, text] = [line.charAt(0), line.slice(1)]
  return space === 'indentation' ? [sign, ...indented(text)] : [sign, keyOf(text, space)]
}

/** The columns of a tab. */
const TAB = 8

/** Returns a line without its indentation, and how wide that is; an empty line has none. */
function indented(line: string): readonly [text: string, indent?: number] {
  const [whole, blanks] = /^[\v\f\r]*([ \t]*)/.exec(line) ?? ['', '']
  const text = line.slice(whole.length)
  if (text === '' || text === '\r') return ['']
  let width = 0
  for (const one of blanks ?? '') width += one === '\t' ? TAB - (width % TAB) : 1
  return [text, width]
}

function keyOf(text: string, space: Exclude<MovedSpace, 'indentation'>): string {
  if (space === null) return text
  if (space === 'all') return text.replace(/[ \t\r]/g, '')
  const rest = text.replace(/[ \t\r]+$/, '')
  return space === 'amount' ? rest.replace(/[ \t\r]+/g, ' ') : rest
}
