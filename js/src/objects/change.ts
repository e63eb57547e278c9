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

/** Reads two modes. */
export function modesIn(reader: Reader): Both<number> {
  return [reader.u32() || null, reader.u32() || null]
}

/** Reads two ids. */
export function oidsIn(reader: Reader, length: number, [old, now]: Both<number>): Both<string> {
  const ids = [reader.bytes(length), reader.bytes(length)] as const
  return [old ? hex(ids[0]) : null, now ? hex(ids[1]) : null]
}

export function* decodeChanges(records: Uint8Array<ArrayBuffer>): Generator<FileChange, undefined> {
  const reader = new Reader(records)
  while (!reader.done) {
    const modes = modesIn(reader)
    const idLength = reader.u32()
    const pathLength = reader.u32()
    const oids = oidsIn(reader, idLength, modes)
    const pathBytes = reader.bytes(pathLength)
    yield new ChangeOfFile(text(pathBytes), pathBytes, modes, oids)
  }
}
