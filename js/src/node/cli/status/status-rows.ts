/** The rows that `status` prints. */
import type { StatusQuestion } from '../../../base/protocol.js'
import type { StatusEntry, UnchangedFile } from '../../../base/types.js'
import { decodeStatus } from '../../../objects/status.js'
import type { Reader } from '../repository/reader.js'

/** A row of what the command prints. */
export type PrintedEntry = Exclude<StatusEntry, UnchangedFile>

/** Returns the rows of a status that are printed. */
export function statusIn(reader: Reader, question: Omit<StatusQuestion, 'kind'>): PrintedEntry[] {
  const found: PrintedEntry[] = []
  reader.pages({ kind: 'status', ...question }, (page) => {
    for (const entry of decodeStatus(new Uint8Array(page))) {
      const isSame = entry.kind === 'changed' && entry.staged === null && entry.unstaged === null
      if (!isSame && entry.kind !== 'unchanged') found.push(entry)
    }
  })
  return found
}
