/** Refs, with the plain data that JSON and consoles show. */
import type { Ref, RefJson } from '../base/types.js'
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
