/** Ranges of lines in the versions of a file, and how changes move them. */

/** Lines by their places from 0; `end` is after the last one. */
export interface Span {
  readonly start: number
  readonly end: number
}

/** Lines of the old file that others of the new file replace; either may be none. */
export interface LineChange {
  readonly old: Span
  readonly new: Span
}

/** Returns whether a change concerns lines: deleted lines were between two of them. */
export function touches({ new: { start, end } }: LineChange, span: Span): boolean {
  if (start === end) return span.start < start && start < span.end
  return start < span.end && span.start < end
}

/** Sorts ranges, and joins those that overlap or touch; those without lines are dropped. */
export function joined(spans: readonly Span[]): Span[] {
  const sorted = spans.filter(({ start, end }) => start < end)
  sorted.sort((one, other) => one.start - other.start)
  const all: Span[] = []
  for (const span of sorted) {
    const last = all[all.length - 1]
    if (!last || last.end < span.start) all.push(span)
    else if (last.end < span.end) all[all.length - 1] = { start: last.start, end: span.end }
  }
  return all
}

/** Returns the lines of the old file that became lines of the new one, with those they replaced. */
export function before(spans: readonly Span[], changes: readonly LineChange[]): Span[] {
  const found: Span[] = []
  for (const span of spans) {
    let place = span.start
    for (const change of changes) {
      if (!touches(change, span)) continue
      const shift = shiftBefore(place, changes)
      found.push({ start: place + shift, end: change.new.start + shift }, change.old)
      place = Math.max(place, change.new.end)
    }
    const shift = shiftBefore(place, changes)
    found.push({ start: place + shift, end: span.end + shift })
  }
  return joined(found)
}

/** Returns how far the unchanged line at a place is from its place in the old file. */
function shiftBefore(place: number, changes: readonly LineChange[]): number {
  let shift = 0
  for (const { old, new: now } of changes) {
    if (now.end > place) break
    shift += old.end - old.start - (now.end - now.start)
  }
  return shift
}
