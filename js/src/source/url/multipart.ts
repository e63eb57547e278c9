/** Parses an answer of several ranges: RFC 9110, multipart/byteranges. */
import type { ContentRange } from './content-range.js'
import { parseContentRange } from './content-range.js'

export interface Part extends ContentRange {
  readonly bytes: Uint8Array<ArrayBuffer>
}

/** The most bytes of a boundary and the headers of a part. */
export const PART_OVERHEAD = 1024

/** Returns the boundary of a `Content-Type`; `null` if that is not of several ranges. */
export function boundaryOf(contentType: string | null): string | null {
  const parameters = /^\s*multipart\/byteranges\s*;(.*)$/i.exec(contentType ?? '')?.[1] ?? ''
  const found = /(?:^|;)\s*boundary=(?:"([^"\r\n]{1,70})"|([^\s";]{1,70}))\s*(?:;|$)/i.exec(
    parameters,
  )
  return found?.[1] ?? found?.[2] ?? null
}

/** Returns the parts in their order; `null` if the body is malformed. */
export function parseParts(bytes: Uint8Array<ArrayBuffer>, boundary: string): Part[] | null {
  const parts: Part[] = []
  const text = (start: number, end: number) =>
    String.fromCharCode(...bytes.subarray(start, Math.min(end, bytes.byteLength)))
  // A line break before the first boundary is optional.
  let at = bytes[0] === 13 && bytes[1] === 10 ? 2 : 0
  for (;;) {
    const open = `--${boundary}`
    if (text(at, at + open.length) !== open) return null
    at += open.length
    const after = text(at, at + PART_OVERHEAD)
    if (after.startsWith('--')) return /^--\s*$/.test(after) ? parts : null
    const headers = /^[ \t]*\r\n((?:[^\r\n]+\r\n)*)\r\n/.exec(after)
    const value = /^content-range:[ \t]*(.*)$/im.exec(headers?.[1] ?? '')?.[1]
    const range = value === undefined ? null : parseContentRange(value)
    if (!headers || !range) return null
    const start = at + headers[0].length
    const end = start + range.end - range.start
    if (text(end, end + 2) !== '\r\n') return null
    parts.push({ ...range, bytes: bytes.subarray(start, end) })
    at = end + 2
  }
}
