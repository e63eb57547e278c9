/** The lines of files that commands look for. */
import { decodeGrep } from '../../objects/grep-record.js'
import { bytesOfArgument, toBytes } from './bytes.js'
import type { Opened } from './command.js'

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

/** Returns the numbers of the lines of a blob that match, in order. */
export function linesMatching({ reader }: Opened, oid: string, pattern: string): number[] {
  const expression = reader.specs([`p${bytesOfArgument(pattern)}`])
  const found: number[] = []
  reader.pages({ kind: 'grep', spec: toBytes(oid), expression, binary: 'text' }, (page) => {
    for (const { line } of decodeGrep(new Uint8Array(page))) found.push(line)
  })
  return found
}
