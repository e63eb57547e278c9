/** The headers `Range` and `Content-Range`. */

/** A range of bytes of a file, from `start` to before `end`. */
export interface Span {
  readonly start: number
  readonly end: number
}

export interface ContentRange extends Span {
  /** The size of the whole file; `undefined` if the server does not say. */
  readonly total: number | undefined
}

export function rangeOf(spans: readonly Span[]): string {
  return `bytes=${spans.map(({ start, end }) => `${start}-${end - 1}`).join(',')}`
}

/** Parses a `Content-Range`; returns `null` if it is malformed. */
export function parseContentRange(value: string): ContentRange | null {
  const parts = /^bytes (\d{1,16})-(\d{1,16})\/(\d{1,16}|\*)$/i.exec(value.trim())
  if (!parts) return null
  const start = Number(parts[1])
  const end = Number(parts[2]) + 1
  const total = parts[3] === '*' ? undefined : Number(parts[3])
  const safe = Number.isSafeInteger(end) && Number.isSafeInteger(total ?? 0)
  return safe && start < end && end <= (total ?? end) ? { start, end, total } : null
}
