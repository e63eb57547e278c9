/** Finds which part of a line changed. */
import type { HunkLine } from 'packlens'

/** The part of a line that changed: from `start`, `end` excluded. */
export interface Span {
  readonly start: number
  readonly end: number
}

/** The longest line whose change is looked for. */
const LONGEST = 2000

/**
 * Returns the changed parts of the lines of a hunk. Removed lines are paired with the added lines
 * that follow them; what a pair has in common at both ends did not change.
 */
export function changedSpans(lines: readonly HunkLine[]): Map<HunkLine, Span> {
  const spans = new Map<HunkLine, Span>()
  for (const { removed, added } of changedRuns(lines)) {
    if (removed.length !== added.length) continue
    for (const [at, before] of removed.entries()) {
      const after = added[at]
      const pair = after && spansOf(before.text, after.text)
      if (!pair) continue
      spans.set(before, pair[0])
      spans.set(after, pair[1])
    }
  }
  return spans
}

/** Lists the removed lines, each time with the added lines that follow them. */
export function* changedRuns(lines: readonly HunkLine[]) {
  for (let at = 0; at < lines.length; ) {
    const removed = runOf(lines, at, 'removed')
    const added = runOf(lines, at + removed.length, 'added')
    if (removed.length + added.length > 0) yield { removed, added }
    at += removed.length + added.length || 1
  }
}

function runOf(lines: readonly HunkLine[], start: number, kind: HunkLine['kind']): HunkLine[] {
  let end = start
  while (lines[end]?.kind === kind) end++
  return lines.slice(start, end)
}

/** Returns `null` if the lines have too little in common. */
function spansOf(before: string, after: string): readonly [Span, Span] | null {
  const shorter = Math.min(before.length, after.length)
  if (shorter === 0 || Math.max(before.length, after.length) > LONGEST) return null
  let start = 0
  while (start < shorter && before[start] === after[start]) start++
  while (isInWord(before, start) || isInWord(after, start)) start--
  let same = 0
  while (same < shorter - start && before.at(-1 - same) === after.at(-1 - same)) same++
  while (
    same > 0 &&
    (isInWord(before, before.length - same) || isInWord(after, after.length - same))
  )
    same--
  const common =
    before.slice(0, start).trim().length + before.slice(before.length - same).trim().length
  if (common * 3 < shorter) return null
  return [
    { start, end: before.length - same },
    { start, end: after.length - same },
  ]
}

/** Returns whether the characters on both sides belong to one word. */
function isInWord(text: string, at: number): boolean {
  return at > 0 && /^[\p{L}\p{N}_]{2}$/u.test(text.slice(at - 1, at + 1))
}
