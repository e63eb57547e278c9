/** Ranges of lines in the order of the file. */
import type { BlamedLines } from '../../../base/types.js'
import { fromBytes } from '../text/bytes.js'

/** Lines that follow each other in the file and in that of their commit. */
export interface BlamedRange {
  /** The first line, from 1, in the file and in that of the commit. */
  readonly start: number
  readonly oldStart: number
  readonly count: number
  readonly commit: string
  /** The path in the commit, one character per byte. */
  readonly path: string
  readonly isBoundary: boolean
  /** Lines of an ignored commit that were guessed to come from this one; no such guess. */
  readonly isGuessed: boolean
  readonly isIgnored: boolean
  /** The parent that the commit was compared with, and the path there. */
  readonly previous: { readonly commit: string; readonly path: string } | null
}

/** Returns a range that the core found; commits without parents are boundaries unless `roots`. */
export function rangeOf(lines: BlamedLines, roots: boolean): BlamedRange {
  const { start, oldStart, count, commit, previous, previousPathBytes } = lines
  const { isGuessed, isIgnored } = lines
  const isBoundary = lines.isCut || (lines.isBoundary && !roots)
  const before = previous && {
    commit: previous.commit,
    path: fromBytes(previousPathBytes ?? new Uint8Array(0)),
  }
  const path = fromBytes(lines.pathBytes)
  const flags = { isBoundary, isGuessed, isIgnored }
  return { start, oldStart, count, commit, path, ...flags, previous: before }
}

/** Sorts ranges, and joins those that continue each other. */
export function inOrder(ranges: readonly BlamedRange[]): BlamedRange[] {
  const sorted = [...ranges].sort((one, other) => one.start - other.start)
  const joined: BlamedRange[] = []
  for (const range of sorted) {
    const last = joined[joined.length - 1]
    if (last && continues(last, range)) {
      joined[joined.length - 1] = { ...last, count: last.count + range.count }
    } else joined.push(range)
  }
  return joined
}

function continues(last: BlamedRange, range: BlamedRange): boolean {
  return (
    last.start + last.count === range.start &&
    last.oldStart + last.count === range.oldStart &&
    last.commit === range.commit &&
    last.isGuessed === range.isGuessed &&
    last.isIgnored === range.isIgnored &&
    last.path === range.path
  )
}
