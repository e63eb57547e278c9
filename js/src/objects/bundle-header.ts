/** Decodes the header of a bundle, as the core writes it. */
import { hex } from '../base/hex.js'
import { text } from '../base/utf8.js'
import { Reader } from './records.js'

/** The header of a bundle. */
export interface BundleHeader {
  readonly version: number
  readonly objectFormat: 'sha1' | 'sha256'
  readonly filter: string | null
  readonly prerequisites: readonly BundleLine[]
  readonly refs: readonly BundleLine[]
  readonly packOffset: number
}

/** A line of the header: an id, and the refname or comment after it. */
export interface BundleLine {
  readonly oid: string
  readonly text: Uint8Array
}

/** Decodes the record that `BundleHeader::write` of the core writes. */
export function decodeBundle(record: Uint8Array<ArrayBuffer>): BundleHeader {
  const reader = new Reader(record)
  const version = reader.u32()
  const [filters, ...counts] = [reader.u32(), reader.u32(), reader.u32()]
  const packOffset = reader.u64() ?? 0
  const objectFormat = text(reader.string()) as BundleHeader['objectFormat']
  const filter = filters ? text(reader.string()) : null
  const line = () => ({ oid: hex(reader.string()), text: reader.string() })
  const [prerequisites = [], refs = []] = counts.map((length) => Array.from({ length }, line))
  return { version, objectFormat, filter, prerequisites, refs, packOffset }
}
