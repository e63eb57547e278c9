/**
 * Decodes the records that the core writes: needs, errors, refs, entries of walks. The code of
 * the core that writes a record documents its fields. All numbers are little-endian.
 */
import type { ErrorCode } from '../base/errors.js'
import { PacklensError } from '../base/errors.js'
import { hex } from '../base/hex.js'
import { ERROR_CODES, NEEDS } from '../base/protocol.js'
import type { Ref, WalkEntry } from '../base/types.js'
import { text } from '../base/utf8.js'
import { EntryOfWalk } from './entry.js'
import { ListedRef } from './ref.js'

const encoder = new TextEncoder()

/** Reads records one field after the other. */
export class Reader {
  readonly #bytes: Uint8Array<ArrayBuffer>
  readonly #view: DataView
  #at = 0

  constructor(bytes: Uint8Array<ArrayBuffer>) {
    this.#bytes = bytes
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  }

  get done(): boolean {
    return this.#at >= this.#bytes.byteLength
  }

  u8(): number {
    return this.#view.getUint8(this.#at++)
  }

  u32(): number {
    this.#at += 4
    return this.#view.getUint32(this.#at - 4, true)
  }

  /** Reads a number of 64 bits; `undefined` if all bits are set, which stands for no number. */
  u64(): number | undefined {
    this.#at += 8
    const value = this.#view.getBigUint64(this.#at - 8, true)
    return value === 0xffff_ffff_ffff_ffffn ? undefined : Number(value)
  }

  bytes(length: number): Uint8Array<ArrayBuffer> {
    this.#at += length
    return this.#bytes.subarray(this.#at - length, this.#at)
  }

  /** Reads the length of an id and its bytes; `null` if there is none. */
  oid(): string | null {
    const start = this.#at + 4
    const end = start + this.u32()
    this.#at = end
    return end > start ? hex(this.#bytes, start, end) : null
  }

  /** Reads a length and that many bytes; fewer if the record was cut short. */
  string(): Uint8Array<ArrayBuffer> {
    return this.#bytes.byteLength - this.#at < 4 ? this.bytes(0) : this.bytes(this.u32())
  }
}

/** Data that the core lacks to answer a question. */
export type Need =
  | { kind: 'bytes' | 'range'; file: number; offset: number; length: number }
  | { kind: 'file'; path: Uint8Array; near: number | undefined }
  | { kind: 'directory'; path: Uint8Array }
  | { kind: 'objects'; ids: Uint8Array }
  /** No data is missing: after a step of a long question the event loop can have a turn. */
  | { kind: 'turn' }
  /** The full module: the reader does not answer the question. */
  | { kind: 'module'; rest: boolean }

/** Decodes needs: the first is essential, the others are guesses worth prefetching. */
export function decodeNeeds(records: Uint8Array<ArrayBuffer>): [Need, ...Need[]] {
  const reader = new Reader(records)
  const needs: [Need, ...Need[]] = [decodeNeed(reader)]
  while (!reader.done) needs.push(decodeNeed(reader))
  return needs
}

function decodeNeed(reader: Reader): Need {
  const kind = NEEDS[reader.u32()]
  if (kind === 'bytes' || kind === 'range') {
    const file = reader.u32()
    return { kind, file, offset: reader.u64() ?? 0, length: reader.u64() ?? 0 }
  }
  const length = reader.u32()
  const near = reader.u64()
  const path = reader.bytes(length)
  if (kind === 'file') return { kind, path, near }
  if (kind === 'directory') return { kind, path }
  if (kind === 'objects') return { kind, ids: path }
  if (kind === 'turn') return { kind }
  if (kind === 'module') return { kind, rest: near === 1 }
  throw new PacklensError('INTERNAL', 'the core reported an unknown need')
}

/** Splits concatenated ids of `length` bytes; returns them by their hex digits. */
export function splitIds(ids: Uint8Array, length: number): Map<string, Uint8Array> {
  const split = new Map<string, Uint8Array>()
  for (let at = 0; at < ids.byteLength; at += length) {
    const id = ids.subarray(at, at + length)
    split.set(hex(id), id)
  }
  return split
}

/** Concatenates ids. */
export function joinIds(ids: Iterable<Uint8Array>, count: number, length: number): Uint8Array {
  const joined = new Uint8Array(count * length)
  let at = 0
  for (const id of ids) {
    joined.set(id, at)
    at += length
  }
  return joined
}

/** Encodes a listing: the path of a directory, then each name in it after a NUL. */
export function encodeListing(
  path: Uint8Array,
  names: readonly (string | Uint8Array)[],
): Uint8Array {
  const parts = names.map((name) => (typeof name === 'string' ? encoder.encode(name) : name))
  const all = new Uint8Array(
    parts.reduce((sum, part) => sum + part.byteLength + 1, path.byteLength),
  )
  all.set(path)
  let at = path.byteLength
  for (const part of parts) {
    all.set(part, at + 1)
    at += part.byteLength + 1
  }
  return all
}

/** The bytes of an error before its message: code and place, then the length of the message. */
const ERROR_HEAD = 20
const PLACE_END = 16

/** Decodes an error. In the row of a batch with a small buffer, the record may be cut short. */
export function decodeError(
  record: Uint8Array<ArrayBuffer>,
  pathOf: (file: number) => string | undefined,
): PacklensError {
  if (record.byteLength === 0) return new PacklensError('LIMIT', 'out of memory')
  const padded = new Uint8Array(Math.max(record.byteLength, ERROR_HEAD))
  padded.set(record)
  const reader = new Reader(padded)
  const code: ErrorCode = ERROR_CODES[reader.u8()] ?? 'INTERNAL'
  const placed = reader.u8() === 1 && record.byteLength >= PLACE_END
  reader.bytes(2)
  const file = reader.u32()
  const offset = reader.u64()
  const what = text(reader.string()) || 'the message did not fit the buffer'
  const subject = text(reader.string()) || undefined
  if (!placed) return new PacklensError(code, what, { subject })
  return new PacklensError(code, what, {
    subject,
    file: pathOf(file) ?? 'an index made in memory',
    offset,
  })
}

export function decodeRefs(records: Uint8Array<ArrayBuffer>): Ref[] {
  const reader = new Reader(records)
  const refs: Ref[] = []
  while (!reader.done) {
    const nameBytes = reader.string()
    const target = reader.string()
    const [oid, peeled] = [reader.oid(), reader.oid()]
    const pointsAt = target.byteLength > 0 ? text(target) : null
    refs.push(new ListedRef(text(nameBytes), nameBytes, oid, pointsAt, peeled))
  }
  return refs
}

/** Decodes texts, each after its length, with one character for each byte. */
export function decodeTexts(records: Uint8Array<ArrayBuffer>): string[] {
  const reader = new Reader(records)
  const latin1 = new TextDecoder('latin1')
  const texts: string[] = []
  while (!reader.done) texts.push(latin1.decode(reader.string()))
  return texts
}

export function* decodeWalk(records: Uint8Array<ArrayBuffer>): Generator<WalkEntry, undefined> {
  const reader = new Reader(records)
  while (!reader.done) {
    const mode = reader.u32()
    const idLength = reader.u32()
    const size = reader.u64()
    const pathLength = reader.u32()
    const oid = hex(reader.bytes(idLength))
    const pathBytes = reader.bytes(pathLength)
    yield new EntryOfWalk(mode, oid, text(pathBytes), pathBytes, size)
  }
}
