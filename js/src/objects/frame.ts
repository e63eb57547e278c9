/**
 * Decodes rows, in which the core returns objects: a header of {@link ROW_HEADER_SIZE} bytes,
 * then the content. `crate/query/src/row.rs` writes them and has the table of the fields;
 * `tests/node/frame.test.ts` checks that both files agree.
 */
import { PacklensError } from '../base/errors.js'
import { hex } from '../base/hex.js'
import { ROW_HEADER_SIZE, ROW_KINDS, RowFlag } from '../base/protocol.js'
import type { BatchRow, GitObject, ObjectRow, ObjectRowJson, ObjectType } from '../base/types.js'
import { objectTypes } from './filter.js'
import { makeObject } from './object.js'
import { INSPECT } from './plain.js'
import { decodeError } from './records.js'

/** The types by their numbers in rows. */
export const TYPES: readonly (ObjectType | undefined)[] = [undefined, ...objectTypes]

const FAILED = ROW_KINDS.indexOf('failed')
const NO_PACK = 0xffff_ffff

type PathOf = (file: number) => string | undefined

/** A row; its fields are read from the buffer on access. */
export class Frame implements ObjectRow {
  readonly #view: DataView<ArrayBuffer>
  readonly #at: number

  constructor(view: DataView<ArrayBuffer>, at: number) {
    this.#view = view
    this.#at = at
  }

  get kind(): number {
    return this.#view.getUint8(this.#at)
  }

  get type(): ObjectType {
    const type = TYPES[this.kind]
    if (!type) throw new PacklensError('INTERNAL', 'the package and its module do not match')
    return type
  }

  get index(): number {
    return this.#view.getUint32(this.#at + 4, true)
  }

  get size(): number {
    return this.#u64(8)
  }

  get dataOffset(): number {
    return this.#u64(16)
  }

  get data(): Uint8Array<ArrayBuffer> {
    return this.#bytes(ROW_HEADER_SIZE, this.#u64(24))
  }

  get more(): boolean {
    return (this.#view.getUint8(this.#at + 2) & RowFlag.moreFollows) !== 0
  }

  get oid(): string {
    return hex(this.#bytes(56, this.#oidLength))
  }

  get deltaDepth(): number {
    return this.#view.getUint32(this.#at + 52, true)
  }

  get diskSize(): number | undefined {
    return this.#storageKnown ? this.#u64(32) : undefined
  }

  get deltaBase(): string | null | undefined {
    if (!this.#storageKnown) return undefined
    const bytes = this.#bytes(88, this.#oidLength)
    return bytes.some((byte) => byte !== 0) ? hex(bytes) : null
  }

  /** The number of the pack's file, `null` if the object is in no pack. */
  get pack(): number | null {
    const file = this.#view.getUint32(this.#at + 48, true)
    return file === NO_PACK ? null : file
  }

  get offset(): number | null {
    return this.pack === null ? null : this.#u64(40)
  }

  get object(): () => GitObject {
    return () => {
      if (this.dataOffset > 0 || this.data.byteLength < this.size) {
        const what = 'this buffer holds only a part of the object: read it on its own'
        throw new PacklensError('BAD_INPUT', what, { subject: this.oid })
      }
      return makeObject(this)
    }
  }

  toJSON(): ObjectRowJson {
    const { type, index, oid, size, deltaDepth, diskSize, deltaBase } = this
    return { type, index, oid, size, deltaDepth, diskSize, deltaBase }
  }

  [INSPECT](): ObjectRowJson {
    return this.toJSON()
  }

  /** The offset of the next row. */
  get end(): number {
    return endOf(this.#view, this.#at)
  }

  get #storageKnown(): boolean {
    return (this.#view.getUint8(this.#at + 2) & RowFlag.storageKnown) !== 0
  }

  get #oidLength(): number {
    return this.#view.getUint8(this.#at + 1)
  }

  #u64(at: number): number {
    return u64(this.#view, this.#at + at)
  }

  #bytes(at: number, length: number): Uint8Array<ArrayBuffer> {
    const { buffer, byteOffset } = this.#view
    return new Uint8Array(buffer, byteOffset + this.#at + at, length)
  }
}

/** Reads a number of 64 bits, exact up to 2^53; unlike `getBigUint64`, allocates no object. */
function u64(view: DataView, at: number): number {
  return view.getUint32(at, true) + view.getUint32(at + 4, true) * 0x1_0000_0000
}

/** Returns the offset of the row after the one at `at`. */
function endOf(view: DataView, at: number): number {
  return at + ROW_HEADER_SIZE + Math.ceil(u64(view, at + 24) / 8) * 8
}

/** Decodes the only row of a buffer. */
export function decodeFrame(buffer: ArrayBuffer): Frame {
  return new Frame(new DataView(buffer), 0)
}

/** Decodes the rows of a buffer, one by one. */
export function* decodeRows(
  bytes: Uint8Array<ArrayBuffer>,
  oidLength: number,
  pathOf: PathOf,
): Generator<BatchRow, undefined> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  for (let at = 0; at < bytes.byteLength; ) {
    const frame = new Frame(view, at)
    at = frame.end
    yield decodeRow(frame, oidLength, pathOf)
  }
}

/** Decodes the errors of rows that failed, and skips all other rows. */
export function decodeErrors(bytes: Uint8Array<ArrayBuffer>, pathOf: PathOf): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  for (let at = 0; at < bytes.byteLength; at = endOf(view, at)) {
    if (view.getUint8(at) === FAILED) decodeError(new Frame(view, at).data, pathOf)
  }
}

function decodeRow(frame: Frame, oidLength: number, pathOf: PathOf): BatchRow {
  const { index } = frame
  switch (ROW_KINDS[frame.kind]) {
    case 'missing':
      return { type: 'missing', index }
    case 'ambiguous': {
      const ids = frame.data
      const count = Math.floor(ids.byteLength / oidLength)
      const candidate = (_: unknown, at: number) =>
        hex(ids.subarray(at * oidLength, (at + 1) * oidLength))
      return { type: 'ambiguous', index, candidates: Array.from({ length: count }, candidate) }
    }
    case 'failed':
      return { type: 'failed', index, error: decodeError(frame.data, pathOf) }
    default:
      return frame
  }
}
