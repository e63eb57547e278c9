/** How a commit is described. */
import { hex } from '../base/hex.js'
import type { Description, DescriptionJson } from '../base/types.js'
import { text } from '../base/utf8.js'
import { INSPECT, shown } from './plain.js'
import { Reader } from './records.js'

/** The record of the core's `Describe`. */
export interface DescriptionRecord {
  readonly depth: number
  /** Whether the tag has another name than its ref. */
  readonly isMisnamed: boolean
  readonly oid: string
  readonly tag: string | null
  readonly ref: Uint8Array
  readonly name: Uint8Array
  readonly text: Uint8Array
}

export function decodeDescription(record: Uint8Array<ArrayBuffer>): DescriptionRecord {
  const reader = new Reader(record)
  const depth = reader.u32()
  const isMisnamed = reader.u32() === 1
  const oid = hex(reader.string())
  const tag = reader.oid()
  const [ref, name, text] = [reader.string(), reader.string(), reader.string()]
  return { depth, isMisnamed, oid, tag, ref, name, text }
}

export class DescribedCommit implements Description {
  declare readonly name: string | null
  declare readonly depth: number
  declare readonly oid: string
  declare readonly tag: string | null
  declare readonly ref: string | null
  declare readonly nameBytes: Uint8Array | null
  readonly #text: string

  constructor(record: DescriptionRecord) {
    const isNamed = record.ref.length > 0
    this.name = isNamed ? text(record.name) : null
    this.depth = record.depth
    this.oid = record.oid
    this.tag = record.tag
    this.ref = isNamed ? text(record.ref) : null
    this.nameBytes = isNamed ? record.name : null
    this.#text = text(record.text)
  }

  toString(): string {
    return this.#text
  }

  toJSON(): DescriptionJson {
    const { name, depth, oid, tag, ref } = this
    return { name, depth, oid, tag, ref }
  }

  [INSPECT](): object {
    return shown(this)
  }
}
