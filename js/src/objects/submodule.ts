/** Submodules of trees. */
import type { Submodule, SubmoduleJson } from '../base/types.js'
import { text } from '../base/utf8.js'
import { INSPECT, shown } from './plain.js'
import { Reader } from './records.js'

/** The bits of the flags: see `Submodules` of the core. */
const HAS_URL = 1
const HAS_BRANCH = 2

class ListedSubmodule implements Submodule {
  declare readonly name: string
  declare readonly path: string
  declare readonly nameBytes: Uint8Array
  declare readonly pathBytes: Uint8Array
  declare readonly url: string | null
  declare readonly branch: string | null
  declare readonly commit: string | null

  constructor(reader: Reader) {
    const flags = reader.u8()
    this.commit = reader.oid()
    this.nameBytes = reader.string()
    this.pathBytes = reader.string()
    this.name = text(this.nameBytes)
    this.path = text(this.pathBytes)
    this.url = flags & HAS_URL ? text(reader.string()) : null
    this.branch = flags & HAS_BRANCH ? text(reader.string()) : null
  }

  toJSON(): SubmoduleJson {
    const { name, path, url, branch, commit } = this
    return { name, path, url, branch, commit }
  }

  [INSPECT](): object {
    return shown(this)
  }
}

/** Decodes the records of the core's `Submodules`. */
export function* decodeSubmodules(
  records: Uint8Array<ArrayBuffer>,
): Generator<Submodule, undefined> {
  const reader = new Reader(records)
  while (!reader.done) yield new ListedSubmodule(reader)
}
