/**
 * The header lines at the start of commits and tags. Reading one header scans the lines
 * for it and keeps no list: an object that is small when packed may have millions.
 */
import { PacklensError } from '../base/errors.js'
import type { Header } from '../base/types.js'
import { text } from '../base/utf8.js'

const encoder = new TextEncoder()

const LF = 10
const SPACE = 32

/** The most lines that `decodeHeaders` returns. */
const MOST_LINES = 100_000

/** The position of a header line; lines that begin with a space continue its value. */
interface Line {
  readonly start: number
  readonly keyEnd: number
  readonly valueStart: number
  /** The end of the value, continuation lines included. */
  readonly end: number
}

/**
 * Returns all header lines, with their values unfolded.
 *
 * @throws `LIMIT` if there are more than 100,000
 */
export function decodeHeaders(content: Uint8Array): Header[] {
  const lines: Header[] = []
  for (let line = lineAt(content, 0); line; line = lineAt(content, line.end + 1)) {
    if (lines.length === MOST_LINES) {
      const what = `more than ${MOST_LINES} header lines: take them from \`data\``
      throw new PacklensError('LIMIT', what)
    }
    lines.push({
      key: text(content.subarray(line.start, line.keyEnd)),
      value: unfolded(content, line),
    })
  }
  return lines
}

/** Returns the value of the first header line with a key. */
export function findHeader(content: Uint8Array, key: string): Uint8Array | undefined {
  const bytes = encoder.encode(key)
  for (let line = lineAt(content, 0); line; line = lineAt(content, line.end + 1)) {
    if (hasKey(content, line, bytes)) return unfolded(content, line)
  }
  return undefined
}

/** Returns the value of the first header line, if it has this key. */
export function firstHeader(content: Uint8Array, key: string): Uint8Array | undefined {
  const line = lineAt(content, 0)
  return line && hasKey(content, line, encoder.encode(key)) ? unfolded(content, line) : undefined
}

/** Returns the values of the lines with a key that follow the first line, up to another. */
export function headersAfterFirst(content: Uint8Array, key: string): Uint8Array[] {
  const values: Uint8Array[] = []
  const bytes = encoder.encode(key)
  const first = lineAt(content, 0)
  let line = first && lineAt(content, first.end + 1)
  while (line && hasKey(content, line, bytes)) {
    values.push(unfolded(content, line))
    line = lineAt(content, line.end + 1)
  }
  return values
}

/** Returns where the message begins: after the empty line that ends the headers. */
export function messageStart(content: Uint8Array): number {
  let at = 0
  while (at < content.length && content[at] !== LF) at = lineEnd(content, at) + 1
  return Math.min(at + 1, content.length)
}

/** Returns the header line at an offset, `null` at the end of the headers. */
function lineAt(content: Uint8Array, start: number): Line | null {
  if (start >= content.length || content[start] === LF) return null
  const first = lineEnd(content, start)
  let end = first
  while (end < content.length && content[end + 1] === SPACE) end = lineEnd(content, end + 1)
  let keyEnd = start
  while (keyEnd < first && content[keyEnd] !== SPACE) keyEnd++
  return { start, keyEnd, valueStart: Math.min(keyEnd + 1, first), end }
}

function hasKey(content: Uint8Array, { start, keyEnd }: Line, key: Uint8Array): boolean {
  if (keyEnd - start !== key.length) return false
  for (let at = 0; at < key.length; at++) {
    if (content[start + at] !== key[at]) return false
  }
  return true
}

function lineEnd(content: Uint8Array, from: number): number {
  const end = content.indexOf(LF, from)
  return end < 0 ? content.length : end
}

/** Returns a value without the spaces that git puts before continuation lines. */
function unfolded(content: Uint8Array, { valueStart, end }: Line): Uint8Array {
  const folded = content.subarray(valueStart, end)
  if (!folded.includes(LF)) return folded
  const value = new Uint8Array(folded.length)
  let to = 0
  for (let from = 0; from < folded.length; ) {
    const next = Math.min(lineEnd(folded, from) + 1, folded.length)
    value.set(folded.subarray(from, next), to)
    to += next - from
    // Every line but the first begins with a space.
    from = next + 1
  }
  return value.subarray(0, to)
}
