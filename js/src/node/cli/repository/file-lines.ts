/** The lines of files that commands look for. */
import { decodeGrep } from '../../../objects/grep-record.js'
import type { Opened } from '../opening/command.js'
import { bytesOfArgument, toBytes } from '../text/bytes.js'

const LF = 10

/** Returns the lines of a file, without their line feeds. */
export function linesOf(data: Uint8Array): string[] {
  const bytes = Buffer.from(data.buffer, data.byteOffset, data.byteLength)
  const lines: string[] = []
  for (let at = 0; at < bytes.length; ) {
    const end = bytes.indexOf(LF, at)
    lines.push(bytes.toString('latin1', at, end < 0 ? bytes.length : end))
    at = end < 0 ? bytes.length : end + 1
  }
  return lines
}

/** A line that matches. */
export interface LineMatch {
  /** Its number, from 1. */
  readonly line: number
  /** Where the first match in it ends. */
  readonly end: number
}

/** Returns the lines of a blob that match, in order. */
export function linesMatching({ reader }: Opened, oid: string, pattern: string): LineMatch[] {
  const expression = reader.specs([`p${bytesOfArgument(pattern)}`])
  const found: LineMatch[] = []
  const question = { kind: 'grep', spec: toBytes(oid), expression } as const
  reader.pages({ ...question, binary: 'text', columns: true }, (page) => {
    for (const { line, matches } of decodeGrep(new Uint8Array(page))) {
      found.push({ line, end: matches[0]?.[1] ?? 0 })
    }
  })
  return found
}
