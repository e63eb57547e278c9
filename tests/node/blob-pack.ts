/** Packs of blobs, as large as a test likes. */
import { createHash } from 'node:crypto'
import { crc32, deflateSync } from 'node:zlib'

const BLOB = 3
const REF_DELTA = 7

/** A pack of blobs that are no deltas, and their ids. */
export function packOf(...contents: Uint8Array[]): { pack: Uint8Array; oids: string[] } {
  const { pack } = packOfEntries(contents.map(blobEntry))
  return { pack, oids: contents.map(blobId) }
}

/** As {@link packOf}, with an index of version 2. */
export function indexedPackOf(...contents: Uint8Array[]) {
  return indexed(contents.map(blobEntry), contents.map(blobId))
}

/** A pack of a blob and of one that is a delta: the same twice, one behind the other. */
export function packOfDelta(base: Uint8Array) {
  const whole = Buffer.concat([base, base])
  const copy = Buffer.from([0b1111_0000, ...bytesOf(base.length, 3)])
  const delta = Buffer.concat([varint(base.length), varint(whole.length), copy, copy])
  const id = blobId(base)
  const stored = Buffer.concat([Buffer.from(id, 'hex'), deflateSync(delta)])
  const entry = Buffer.concat([headOf(REF_DELTA, delta.length), stored])
  return { whole, ...indexed([blobEntry(base), entry], [id, blobId(whole)]) }
}

function blobEntry(content: Uint8Array): Buffer {
  return Buffer.concat([headOf(BLOB, content.length), deflateSync(content, { level: 1 })])
}

function packOfEntries(entries: readonly Buffer[]): { pack: Buffer; offsets: number[] } {
  const offsets: number[] = []
  let offset = 12
  for (const entry of entries) {
    offsets.push(offset)
    offset += entry.length
  }
  const header = Buffer.from('PACK\0\0\0\x02\0\0\0\0', 'latin1')
  header.writeUInt32BE(entries.length, 8)
  return { pack: sealed([header, ...entries]), offsets }
}

/** Bytes with their hash behind them. */
function sealed(parts: readonly Buffer[]): Buffer {
  const body = Buffer.concat(parts)
  return Buffer.concat([body, createHash('sha1').update(body).digest()])
}

function indexed(entries: readonly Buffer[], oids: string[]) {
  const { pack, offsets } = packOfEntries(entries)
  const rows = oids
    .map((oid, at) => ({ oid, offset: offsets[at] as number, crc: crc32(entries[at] as Buffer) }))
    .sort((a, b) => (a.oid < b.oid ? -1 : 1))
  const below = (byte: number) =>
    rows.filter(({ oid }) => Number.parseInt(oid.slice(0, 2), 16) <= byte).length
  const fanout = Array.from({ length: 256 }, (_, byte) => below(byte))
  const idx = sealed([
    Buffer.from('ff744f6300000002', 'hex'),
    words(fanout),
    ...rows.map(({ oid }) => Buffer.from(oid, 'hex')),
    words(rows.map(({ crc }) => crc)),
    words(rows.map(({ offset }) => offset)),
    pack.subarray(-20),
  ])
  return { pack, idx, oids, offsets }
}

/** Numbers of 4 bytes, high ones first. */
function words(numbers: readonly number[]): Buffer {
  const bytes = Buffer.alloc(4 * numbers.length)
  for (const [at, number] of numbers.entries()) bytes.writeUInt32BE(number, 4 * at)
  return bytes
}

/** The head of an entry: its type, and its size in 4 bits and then 7 a byte. */
function headOf(type: number, size: number): Buffer {
  const head = [(type << 4) | (size & 15)]
  for (let rest = Math.floor(size / 16); rest > 0; rest = Math.floor(rest / 128)) {
    head.push((head.pop() as number) | 0x80, rest % 128)
  }
  return Buffer.from(head)
}

/** A number in groups of 7 bits, low ones first. */
function varint(number: number): Buffer {
  const bytes = [number % 128]
  for (let rest = Math.floor(number / 128); rest > 0; rest = Math.floor(rest / 128)) {
    bytes.push((bytes.pop() as number) | 0x80, rest % 128)
  }
  return Buffer.from(bytes)
}

/** The lowest bytes of a number, low ones first. */
function bytesOf(number: number, count: number): number[] {
  return Array.from({ length: count }, (_, at) => (number >>> (8 * at)) & 255)
}

export function blobId(content: Uint8Array): string {
  return createHash('sha1').update(`blob ${content.length}\0`).update(content).digest('hex')
}
