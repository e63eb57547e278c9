/** The header lines that commits and tags begin with. */
import { text } from '../records.js'
import type { Header } from '../types.js'

const LF = 10
const SPACE = 32

/** The header lines, and the message behind the empty line that ends them. */
export interface Headers {
  readonly lines: readonly Header[]
  readonly message: Uint8Array
}

/**
 * Takes the head of a commit or tag apart. A line that begins with a space goes
 * on with the value before it.
 */
export function decodeHeaders(content: Uint8Array): Headers {
  const lines: Header[] = []
  let at = 0
  while (at < content.length && content[at] !== LF) {
    const start = at
    const first = lineEnd(content, at)
    at = first
    const folds: number[] = []
    while (content[at + 1] === SPACE && at < content.length) {
      folds.push(at + 1)
      at = lineEnd(content, at + 1)
    }
    const space = content.subarray(start, first).indexOf(SPACE)
    const keyEnd = space < 0 ? first : start + space
    const value = unfold(content, space < 0 ? first : keyEnd + 1, at, folds)
    lines.push({ key: text(content.subarray(start, keyEnd)), value })
    at++
  }
  return { lines, message: content.subarray(Math.min(at + 1, content.length)) }
}

export function findHeader(lines: readonly Header[], key: string): Uint8Array | undefined {
  return lines.find((line) => line.key === key)?.value
}

function lineEnd(content: Uint8Array, from: number): number {
  const end = content.indexOf(LF, from)
  return end < 0 ? content.length : end
}

/** Leaves out the spaces at `folds`, which git put there. */
function unfold(content: Uint8Array, start: number, end: number, folds: number[]): Uint8Array {
  if (folds.length === 0) return content.subarray(start, end)
  const value = new Uint8Array(end - start - folds.length)
  let to = 0
  let from = start
  for (const fold of [...folds, end]) {
    value.set(content.subarray(from, fold), to)
    to += fold - from
    from = fold + 1
  }
  return value
}
