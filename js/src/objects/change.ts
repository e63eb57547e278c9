/** How a file differs between two trees. */
import { hex } from '../base/hex.js'
import type { FileChange, FileChangeJson } from '../base/types.js'
import { text } from '../base/utf8.js'
import { FORMAT } from './entry.js'
import { INSPECT, shown } from './plain.js'
import { Reader } from './records.js'

export class ChangeOfFile implements FileChange {
  declare readonly status: FileChange['status']
  declare readonly path: string
  declare readonly pathBytes: Uint8Array
  declare readonly oldMode: number | null
  declare readonly newMode: number | null
  declare readonly oldOid: string | null
  declare readonly newOid: string | null

  constructor(path: string, pathBytes: Uint8Array, modes: Both<number>, oids: Both<string>) {
    this.status = statusOf(modes)
    this.path = path
    this.pathBytes = pathBytes
    this.oldMode = modes[0]
    this.newMode = modes[1]
    this.oldOid = oids[0]
    this.newOid = oids[1]
  }

  toJSON(): FileChangeJson {
    const { status, path, oldMode, newMode, oldOid, newOid } = this
    return { status, path, oldMode, newMode, oldOid, newOid }
  }

  [INSPECT](): object {
    return shown(this)
  }
}

function statusOf([old, now]: Both<number>): FileChange['status'] {
  if (old === null) return 'added'
  if (now === null) return 'deleted'
  return (old & FORMAT) === (now & FORMAT) ? 'modified' : 'type-changed'
}

/** Modes or ids before and after a change; `null` where the file does not exist. */
type Both<T> = readonly [T | null, T | null]

/** Reads the record of a change: what its constructor takes. */
export function changeIn(reader: Reader): ConstructorParameters<typeof ChangeOfFile> {
  const modes: Both<number> = [reader.u32() || null, reader.u32() || null]
  const idLength = reader.u32()
  const pathLength = reader.u32()
  const ids = [reader.bytes(idLength), reader.bytes(idLength)] as const
  const pathBytes = reader.bytes(pathLength)
  const oids: Both<string> = [modes[0] ? hex(ids[0]) : null, modes[1] ? hex(ids[1]) : null]
  return [text(pathBytes), pathBytes, modes, oids]
}

export function* decodeChanges(records: Uint8Array<ArrayBuffer>): Generator<FileChange, undefined> {
  const reader = new Reader(records)
  while (!reader.done) yield new ChangeOfFile(...changeIn(reader))
}
