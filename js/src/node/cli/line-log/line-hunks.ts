/** Cuts hunks of a patch down to lines of the new file that are followed. */
import type { Span } from './line-spans.js'

const MOVED = /^(similarity index|rename from|rename to) .*\n/gm
const POSITION = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@(.*)$/s

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
 */
export function cutPatch(patch: string, spans: readonly Span[]): string {
  const start = patch.indexOf('\n@@ ') + 1
  if (start === 0) return patch
  // git does not say here how similar a renamed file is.
  let text = patch.slice(0, start).replace(MOVED, '')
  for (const hunk of patch.slice(start).split(/^(?=@@ )/m)) {
    for (const span of spans) text += cutHunk(hunk.split('\n').slice(0, -1), span)
  }
  return text
}

function cutHunk([header = '', ...lines]: readonly string[], { start, end }: Span): string {
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
  if (!cut.isChanged) return ''
  const position = `-${cut.old},${cut.oldCount} +${cut.new},${cut.newCount}`
  return `@@ ${position} @@${heading}\n${cut.lines.map((line) => `${line}\n`).join('')}`
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
