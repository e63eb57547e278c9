/** How a file differs between two trees. */
import type { FileChange, FileChangeJson } from '../base/types.js'
import { FORMAT } from './entry.js'
import { INSPECT, shown } from './plain.js'

export class ChangeOfFile implements FileChange {
  declare readonly status: FileChange['status']
  declare readonly path: string
  declare readonly pathBytes: Uint8Array
  declare readonly oldMode: number | null
  declare readonly newMode: number | null
  declare readonly oldOid: string | null
  declare readonly newOid: string | null

  constructor(
    path: string,
    pathBytes: Uint8Array,
    modes: readonly [number | null, number | null],
    oids: readonly [string | null, string | null],
  ) {
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

function statusOf([old, now]: readonly [number | null, number | null]): FileChange['status'] {
  if (old === null) return 'added'
  if (now === null) return 'deleted'
  return (old & FORMAT) === (now & FORMAT) ? 'modified' : 'type-changed'
}
