/** Refs and changes of refs, with the plain data that JSON and consoles show. */
import type { Ref, RefJson, ReflogEntry, ReflogEntryJson, Signature } from '../base/types.js'
import { INSPECT, shown } from './plain.js'

export class ListedRef implements Ref {
  declare readonly name: string
  declare readonly nameBytes: Uint8Array
  declare readonly oid: string | null
  declare readonly target: string | null
  declare readonly peeled: string | null

  constructor(
    name: string,
    nameBytes: Uint8Array,
    oid: string | null,
    target: string | null,
    peeled: string | null,
  ) {
    this.name = name
    this.nameBytes = nameBytes
    this.oid = oid
    this.target = target
    this.peeled = peeled
  }

  toJSON(): RefJson {
    const { name, oid, target, peeled } = this
    return { name, oid, target, peeled }
  }

  [INSPECT](): object {
    return shown(this)
  }
}

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
