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

export function decodeBundle(record: Uint8Array<ArrayBuffer>): BundleHeader {
  const reader = new Reader(record)
  const version = reader.u8()
  const isSha1 = reader.u8() === 1
  const hasFilter = reader.u8() === 1
  reader.u8()
  const counts = [reader.u32(), reader.u32()] as const
  const packOffset = reader.u64() ?? 0
  const filter = text(reader.string())
  const line = () => ({ oid: hex(reader.bytes(isSha1 ? 20 : 32)), text: reader.string() })
  const [prerequisites, refs] = counts.map((count) => Array.from({ length: count }, line))
  return {
    version,
    objectFormat: isSha1 ? 'sha1' : 'sha256',
    filter: hasFilter ? filter : null,
    prerequisites: prerequisites ?? [],
    refs: refs ?? [],
    packOffset,
  }
}
