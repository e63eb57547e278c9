/** Changes of refs, with the plain data that JSON and consoles show. */
import { hex } from '../base/hex.js'
import type { ReflogEntry, ReflogEntryJson, Signature } from '../base/types.js'
import { text } from '../base/utf8.js'
import { INSPECT, shown } from './plain.js'
import { Reader } from './records.js'
import { decodeSignature } from './signature.js'

export class LoggedChange implements ReflogEntry {
  declare readonly oldOid: string | null
  declare readonly newOid: string | null
  declare readonly committer: Signature
  declare readonly message: string
  declare readonly messageBytes: Uint8Array

  constructor(
    oldOid: string | null,
    newOid: string | null,
    committer: Signature,
    message: string,
    messageBytes: Uint8Array,
  ) {
    this.oldOid = oldOid
    this.newOid = newOid
    this.committer = committer
    this.message = message
    this.messageBytes = messageBytes
  }

  toJSON(): ReflogEntryJson {
    const { oldOid, newOid, committer, message } = this
    return { oldOid, newOid, committer: committer.toJSON(), message }
  }

  [INSPECT](): object {
    return shown(this)
  }
}

export function* decodeReflog(records: Uint8Array<ArrayBuffer>): Generator<ReflogEntry, undefined> {
  const reader = new Reader(records)
  const oid = (bytes: Uint8Array) => (bytes.some((byte) => byte !== 0) ? hex(bytes) : null)
  while (!reader.done) {
    const [oldOid, newOid] = [oid(reader.string()), oid(reader.string())]
    const committer = decodeSignature(reader.string())
    const messageBytes = reader.string()
    yield new LoggedChange(oldOid, newOid, committer, text(messageBytes), messageBytes)
  }
}
