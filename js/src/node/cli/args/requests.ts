/** Reads requests from standard input: lines, or records that end with NUL. */

import { fatal } from '../base/exit.js'
import type { Io } from '../base/io.js'
import { unquotePath } from '../text/bytes.js'

const CHUNK = 64 << 10
const NUL = 0
const NEWLINE = 10
const RETURN = 13

/**
 * Yields requests as soon as they are complete. Each is valid until the next.
 *
 * Drops a carriage return before a newline, as git does.
 */
export function* readRequests(io: Io, nulTerminated: boolean): Generator<Buffer, undefined> {
  for (const request of readRecords(io, nulTerminated ? NUL : NEWLINE)) {
    const isReturn = !nulTerminated && request[request.length - 1] === RETURN
    yield isReturn ? request.subarray(0, -1) : request
  }
}

/** Yields the lines of standard input as they are. Each is valid until the next. */
export const readLines = (io: Io): Generator<Buffer, undefined> => readRecords(io, NEWLINE)

function* readRecords(io: Io, delimiter: number): Generator<Buffer, undefined> {
  const chunk = Buffer.allocUnsafe(CHUNK)
  let begun: Buffer[] = []
  for (let count = io.read(chunk); count > 0; count = io.read(chunk)) {
    const data = chunk.subarray(0, count)
    let start = 0
    for (let end = data.indexOf(delimiter); end >= 0; end = data.indexOf(delimiter, start)) {
      const last = data.subarray(start, end)
      const record = begun.length > 0 ? Buffer.concat([...begun, last]) : last
      begun = []
      start = end + 1
      yield record
    }
    if (start < count) begun.push(Buffer.from(data.subarray(start)))
  }
  if (begun.length > 0) yield Buffer.concat(begun)
}

/** Yields the paths of all requests, each as a text of bytes. @throws Exit for bad quotes */
export function* pathsOfInput(io: Io, nulTerminated: boolean): Generator<string, undefined> {
  for (const request of readRequests(io, nulTerminated)) {
    const path = request.toString('latin1')
    yield !nulTerminated && path.startsWith('"') ? unquoted(path) : path
  }
}

function unquoted(text: string): string {
  const path = unquotePath(text)
  if (path === null) throw fatal('line is badly quoted')
  return path
}

/** Cuts a request off at its first NUL, where git's C strings end. */
export function cutAtNul(request: Buffer): Buffer {
  const at = request.indexOf(NUL)
  return at < 0 ? request : request.subarray(0, at)
}

/** Splits a request at its first spaces and tabs into a name and the rest. */
export function splitRest(request: Buffer): [name: Buffer, rest: Buffer] {
  const isBlank = (byte: number) => byte === 32 || byte === 9
  const end = request.findIndex(isBlank)
  if (end < 0) return [request, request.subarray(request.length)]
  const after = request.subarray(end)
  const blanks = after.findIndex((byte) => !isBlank(byte))
  return [
    request.subarray(0, end),
    blanks < 0 ? after.subarray(after.length) : after.subarray(blanks),
  ]
}
