/** The header `Range` of RFC 9110, section 14. */

/** The bytes from `start` to before `end`. */
export interface Range {
  readonly start: number
  readonly end: number
}

/** More ranges are no reader's request: the header is ignored, as the RFC allows. */
const MOST_RANGES = 200

/**
 * Returns the ranges of a file of `size` bytes that a header names: `null` to answer with the
 * whole file, none if there are no such bytes.
 */
export function parseRanges(header: string | undefined, size: number): readonly Range[] | null {
  const [, list] = /^bytes=(.*)$/i.exec(header ?? '') ?? []
  if (list === undefined) return null
  const specs = list.split(',').map((spec) => spec.trim())
  if (specs.length > MOST_RANGES) return null
  const ranges: Range[] = []
  for (const spec of specs) {
    const [all, first = '', last = ''] = /^(\d*)-(\d*)$/.exec(spec) ?? []
    if (all === undefined || all === '-') return null
    const range = rangeOf(first, last, size)
    if (range === null) return null
    if (range.start < range.end) ranges.push(range)
  }
  // Ranges that overlap could ask for a file any number of times.
  const sum = ranges.reduce((sum, { start, end }) => sum + end - start, 0)
  return sum > size ? null : ranges
}

function rangeOf(first: string, last: string, size: number): Range | null {
  if (first === '') return { start: Math.max(0, size - Number(last)), end: size }
  const start = Number(first)
  if (last === '') return { start, end: size }
  return Number(last) < start ? null : { start, end: Math.min(Number(last) + 1, size) }
}
