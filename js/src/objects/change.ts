/** How a file differs between two trees. */
import { hex } from '../base/hex.js'
import { CHANGE_RECORDS } from '../base/protocol.js'
import type { FileChange, FileChangeJson, RenameLimit } from '../base/types.js'
import { text } from '../base/utf8.js'
import { FORMAT } from './entry.js'
import { INSPECT, shown } from './plain.js'
import { Reader } from './records.js'
import { pathBelow } from './relative-path.js'

/** The score of contents that are the same. */
export const MAX_SCORE = 60_000

export class ChangeOfFile implements FileChange {
  declare readonly status: FileChange['status']
  declare readonly path: string
  declare readonly oldPath: string
  declare readonly similarity: number | null
  declare readonly dissimilarity: number | null
  declare readonly oldMode: number | null
  declare readonly newMode: number | null
  declare readonly oldOid: string | null
  declare readonly newOid: string | null
  declare readonly pathBytes: Uint8Array
  declare readonly oldPathBytes: Uint8Array

  constructor({ record, percent, paths, modes, oids }: ChangeRecord) {
    const isMoved = record === 'renamed' || record === 'copied'
    this.status = isMoved ? record : statusOf(modes)
    this.path = text(paths[1])
    this.oldPath = paths[0] === paths[1] ? this.path : text(paths[0])
    this.similarity = isMoved ? percent : null
    this.dissimilarity = record === 'rewritten' ? percent : null
    this.oldMode = modes[0]
    this.newMode = modes[1]
    this.oldOid = oids[0]
    this.newOid = oids[1]
    this.pathBytes = paths[1]
    this.oldPathBytes = paths[0]
  }

  toJSON(): FileChangeJson {
    const { status, path, oldPath, similarity, dissimilarity } = this
    const { oldMode, newMode, oldOid, newOid } = this
    return {
      ...{ status, path, oldPath, similarity, dissimilarity },
      ...{ oldMode, newMode, oldOid, newOid },
    }
  }

  [INSPECT](): object {
    return shown(this)
  }
}

/** Returns what happened to a file, given its modes before and after. */
export function statusOf([old, now]: Both<number>): FileChange['status'] {
  if (old === null) return 'added'
  if (now === null) return 'deleted'
  return (old & FORMAT) === (now & FORMAT) ? 'modified' : 'type-changed'
}

/** Modes or ids before and after a change; `null` where the file does not exist. */
type Both<T> = readonly [T | null, T | null]

/** The record of a change. */
export interface ChangeRecord {
  readonly record: (typeof CHANGE_RECORDS)[number]
  /** How similar the contents are, or how much of a rewritten one is gone. */
  readonly percent: number
  /** Where the content comes from, otherwise than the path if it was renamed, copied or named. */
  readonly paths: readonly [Uint8Array, Uint8Array]
  readonly modes: Both<number>
  readonly oids: Both<string>
}

/** Called if there is such a limit. */
export type OnRenameLimit = ((limit: RenameLimit) => void) | undefined

/**
 * Reads the record of a change, and leaves out the first `below` bytes of its paths; `undefined` if
 * it is a notice, which is passed on.
 */
export function changeIn(
  reader: Reader,
  onRenameLimit: OnRenameLimit,
  below: number,
): ChangeRecord | undefined {
  const modes: Both<number> = [reader.u32() || null, reader.u32() || null]
  const record = CHANGE_RECORDS[reader.u32()] ?? 'plain'
  const score = reader.u32()
  const idLength = reader.u32()
  const lengths = [reader.u32(), reader.u32()] as const
  const ids = [reader.bytes(idLength), reader.bytes(idLength)] as const
  const from = reader.bytes(lengths[0])
  const path = pathBelow(reader.bytes(lengths[1]), below)
  const paths = [from.length > 0 ? pathBelow(from, below) : path, path] as const
  if (record === 'limited' || record === 'partly-limited') {
    onRenameLimit?.({ needed: score, isPartial: record === 'partly-limited' })
    return undefined
  }
  const percent = Math.floor((score * 100) / MAX_SCORE)
  const oids: Both<string> = [modes[0] ? hex(ids[0]) : null, modes[1] ? hex(ids[1]) : null]
  return { record, percent, paths, modes, oids }
}

/** Decodes the records of the core's `Changes`; `below` as for {@link changeIn}. */
export function* decodeChanges(
  records: Uint8Array<ArrayBuffer>,
  onRenameLimit: OnRenameLimit,
  below = 0,
): Generator<FileChange, undefined> {
  const reader = new Reader(records)
  while (!reader.done) {
    const change = changeIn(reader, onRenameLimit, below)
    if (change) yield new ChangeOfFile(change)
  }
}
