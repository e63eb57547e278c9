/** Makes packs and their indexes by hand. */
import { createHash } from 'node:crypto'
import { crc32, deflateSync } from 'node:zlib'

const TYPES = { commit: 1, tree: 2, blob: 3, tag: 4 }
const OFS_DELTA = 6
const REF_DELTA = 7

/** The position of an object's entry in the pack. */
export interface Row {
  readonly oid: string
  readonly offset: number
  readonly crc: number
}

/** Makes a pack of blobs that are not deltas; returns it and the ids. */
export function packOf(...contents: Uint8Array[]): { pack: Uint8Array; oids: string[] } {
  const { pack } = packOfEntries(contents.map(blobEntry))
  return { pack, oids: contents.map(blobId) }
}

/** Returns the pack of {@link packOf} with an index of version 2. */
export function indexedPackOf(...contents: Uint8Array[]) {
  return indexed(contents.map(blobEntry), contents.map(blobId))
}

/** Makes a pack of a blob and of a delta that makes the same content twice in a row. */
export function packOfDelta(base: Uint8Array) {
  const whole = Buffer.concat([base, base])
  const copy = Buffer.from([0b1111_0000, ...bytesOf(base.length, 3)])
  const delta = Buffer.concat([varint(base.length), varint(whole.length), copy, copy])
  const id = blobId(base)
  return { whole, ...indexed([blobEntry(base), refDeltaEntry(id, delta)], [id, blobId(whole)]) }
}

/** Returns an entry that is not a delta. */
export function entryOf(type: keyof typeof TYPES, content: Uint8Array): Buffer {
  return Buffer.concat([headOf(TYPES[type], content.length), deflateSync(content, { level: 1 })])
}

function blobEntry(content: Uint8Array): Buffer {
  return entryOf('blob', content)
}

/** Returns a delta against the object of an id. */
export function refDeltaEntry(base: string, delta: Uint8Array): Buffer {
  const id = Buffer.from(base, 'hex')
  return Buffer.concat([headOf(REF_DELTA, delta.length), id, deflateSync(delta)])
}

/** Returns a delta against the entry that begins `distance` bytes earlier. */
export function ofsDeltaEntry(distance: number, delta: Uint8Array): Buffer {
  const groups = [distance % 128]
  for (let rest = Math.floor(distance / 128); rest > 0; rest = Math.floor(rest / 128)) {
    rest -= 1
    groups.unshift(0x80 | (rest % 128))
  }
  const head = headOf(OFS_DELTA, delta.length)
  return Buffer.concat([head, Buffer.from(groups), deflateSync(delta)])
}

/** Returns a delta that copies its base and appends up to 127 bytes. */
export function deltaThatAppends(base: Uint8Array, added: Uint8Array): Buffer {
  const copy = [0b1111_0000, ...bytesOf(base.length, 3)]
  const sizes = [varint(base.length), varint(base.length + added.length)]
  return Buffer.concat([...sizes, Buffer.from([...copy, added.length]), added])
}

/** Returns the header of a pack. */
export function packHeader(count: number): Buffer {
  const header = Buffer.from('PACK\0\0\0\x02\0\0\0\0', 'latin1')
  header.writeUInt32BE(count, 8)
  return header
}

function packOfEntries(entries: readonly Buffer[]): { pack: Buffer; offsets: number[] } {
  const offsets: number[] = []
  let offset = 12
  for (const entry of entries) {
    offsets.push(offset)
    offset += entry.length
  }
  return { pack: sealed([packHeader(entries.length), ...entries]), offsets }
}

/** Returns bytes followed by their hash. */
function sealed(parts: readonly Buffer[]): Buffer {
  const body = Buffer.concat(parts)
  return Buffer.concat([body, createHash('sha1').update(body).digest()])
}

export function indexed(entries: readonly Buffer[], oids: string[]) {
  const { pack, offsets } = packOfEntries(entries)
  const rows = oids.map((oid, at) => {
    return { oid, offset: offsets[at] as number, crc: crc32(entries[at] as Buffer) }
  })
  return { pack, idx: indexOf(rows, pack.subarray(-20)), oids, offsets }
}

/**
 * Makes an index of version 2. As in git's, an offset that does not fit in 31 bits is
 * stored in the table of 8-byte offsets; `long` returns which offsets are.
 */
export function indexOf(
  unsorted: readonly Row[],
  packSum: Uint8Array,
  long: (offset: number) => boolean = (offset) => offset >= 2 ** 31,
): Buffer {
  const rows = [...unsorted].sort((a, b) => (a.oid < b.oid ? -1 : 1))
  const below = (byte: number) =>
    rows.filter(({ oid }) => Number.parseInt(oid.slice(0, 2), 16) <= byte).length
  const fanout = Array.from({ length: 256 }, (_, byte) => below(byte))
  const far = rows.map(({ offset }) => offset).filter(long)
  let listed = 0
  const near = rows.map(({ offset }) => (long(offset) ? 2 ** 31 + listed++ : offset))
  return sealed([
    Buffer.from('ff744f6300000002', 'hex'),
    words(fanout),
    ...rows.map(({ oid }) => Buffer.from(oid, 'hex')),
    words(rows.map(({ crc }) => crc)),
    words(near),
    words(far.flatMap((offset) => [Math.floor(offset / 2 ** 32), offset % 2 ** 32])),
    Buffer.from(packSum),
  ])
}

/** Encodes numbers of 4 bytes, big-endian. */
function words(numbers: readonly number[]): Buffer {
  const bytes = Buffer.alloc(4 * numbers.length)
  for (const [at, number] of numbers.entries()) bytes.writeUInt32BE(number, 4 * at)
  return bytes
}

/** Encodes the header of an entry: type and size, the size in 4 bits and then 7 a byte. */
export function headOf(type: number, size: number): Buffer {
  const head = [(type << 4) | (size & 15)]
  for (let rest = Math.floor(size / 16); rest > 0; rest = Math.floor(rest / 128)) {
    head.push((head.pop() as number) | 0x80, rest % 128)
  }
  return Buffer.from(head)
}

/** Encodes a number in groups of 7 bits, the most significant first. */
function varint(number: number): Buffer {
  const bytes = [number % 128]
  for (let rest = Math.floor(number / 128); rest > 0; rest = Math.floor(rest / 128)) {
    bytes.push((bytes.pop() as number) | 0x80, rest % 128)
  }
  return Buffer.from(bytes)
}

/** Encodes the lowest bytes of a number, little-endian. */
function bytesOf(number: number, count: number): number[] {
  return Array.from({ length: count }, (_, at) => (number >>> (8 * at)) & 255)
}

export function blobId(content: Uint8Array): string {
  return objectId('blob', content)
}

export function objectId(type: string, content: Uint8Array): string {
  return createHash('sha1').update(`${type} ${content.length}\0`).update(content).digest('hex')
}
