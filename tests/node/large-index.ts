/** Makes indexes of any number of ids, whose rows are computed when they are read. */
import type { RandomAccess } from 'packlens'
import type { Row } from './blob-pack.ts'

const HEAD = 8 + 256 * 4

/** Ids are spread evenly over numbers of this many bits, as hashes are. */
const KEY_BITS = 48
const KEY_DIGITS = KEY_BITS / 4

interface Table {
  readonly start: number
  readonly length: number
  write(position: number, target: DataView, at: number): void
}

/**
 * An index of version 2 that has the given rows, and others, `count` in all.
 * The other rows stand for the same entries, in turn.
 */
export class LargeIndex implements RandomAccess {
  readonly count: number
  readonly size: number
  /** The number of bytes that were read. */
  bytesRead = 0
  readonly #rows: readonly Row[]
  /** The positions of the given rows. */
  readonly #positions: readonly number[]
  readonly #step: number
  readonly #tables: readonly Table[]
  readonly #head: Uint8Array
  readonly #packSum: Uint8Array

  constructor(count: number, given: readonly Row[], packSum: Uint8Array) {
    this.count = count
    this.#step = Math.floor(2 ** KEY_BITS / (count - given.length))
    this.#rows = [...given].sort((one, other) => (one.oid < other.oid ? -1 : 1))
    this.#positions = this.#rows.map(({ oid }, at) => at + this.#madeBelow(oid))
    this.#head = this.#makeHead()
    const crcs = HEAD + 20 * count
    const offsets = crcs + 4 * count
    this.size = offsets + 4 * count + 40
    this.#tables = [
      { start: HEAD, length: 20, write: (...row) => this.#writeId(...row) },
      { start: offsets, length: 4, write: (...row) => this.#writeOffset(...row) },
    ]
    this.#packSum = packSum
  }

  /** Returns the id at a position. */
  idAt(position: number): string {
    const { row, made } = this.#at(position)
    return row?.oid ?? this.#madeId(made)
  }

  /** Returns the offset of the entry of the id at a position. */
  offsetAt(position: number): number {
    const { row, made } = this.#at(position)
    return (row ?? (this.#rows[made % this.#rows.length] as Row)).offset
  }

  /** Returns the first position whose id is not below another, or begins with it. */
  positionOf(oid: string): number {
    let low = 0
    let high = this.count
    while (low < high) {
      const middle = Math.floor((low + high) / 2)
      if (this.idAt(middle) < oid) low = middle + 1
      else high = middle
    }
    return low
  }

  read(offset: number, length: number): Uint8Array {
    this.bytesRead += length
    const target = new Uint8Array(length)
    const put = (bytes: Uint8Array, start: number) => {
      const from = Math.max(offset, start)
      const to = Math.min(offset + length, start + bytes.length)
      if (from < to) target.set(bytes.subarray(from - start, to - start), from - offset)
    }
    put(this.#head, 0)
    for (const { start, length: each, write } of this.#tables) {
      const first = Math.max(0, Math.floor((offset - start) / each))
      const last = Math.min(this.count, Math.ceil((offset + length - start) / each))
      if (first >= last) continue
      const rows = new DataView(new ArrayBuffer((last - first) * each))
      for (let position = first; position < last; position++) {
        write(position, rows, (position - first) * each)
      }
      put(new Uint8Array(rows.buffer), start + first * each)
    }
    put(this.#packSum, this.size - 40)
    return target
  }

  #at(position: number): { row: Row | undefined; made: number } {
    let before = 0
    while (before < this.#rows.length && (this.#positions[before] as number) < position) before++
    const row = this.#positions[before] === position ? this.#rows[before] : undefined
    return { row, made: position - before }
  }

  #madeId(made: number): string {
    const within = (Math.imul(made, 0x9e3779b1) >>> 0) / 2 ** 32
    const key = made * this.#step + Math.floor(within * this.#step)
    return key.toString(16).padStart(KEY_DIGITS, '0').padEnd(40, '5')
  }

  /** Returns how many of the computed ids are below another. */
  #madeBelow(oid: string): number {
    let low = 0
    let high = this.count - this.#rows.length
    while (low < high) {
      const middle = Math.floor((low + high) / 2)
      if (this.#madeId(middle) < oid) low = middle + 1
      else high = middle
    }
    return low
  }

  #makeHead(): Uint8Array {
    const head = new DataView(new ArrayBuffer(HEAD))
    head.setUint32(0, 0xff744f63)
    head.setUint32(4, 2)
    for (let byte = 0; byte < 256; byte++) {
      const next = (byte + 1).toString(16).padStart(2, '0').padEnd(40, '0')
      const given = this.#rows.filter(({ oid }) => Number.parseInt(oid.slice(0, 2), 16) <= byte)
      const made = byte === 255 ? this.count - this.#rows.length : this.#madeBelow(next)
      head.setUint32(8 + 4 * byte, given.length + made)
    }
    return new Uint8Array(head.buffer)
  }

  #writeId(position: number, target: DataView, at: number): void {
    const bytes = Buffer.from(this.idAt(position), 'hex')
    new Uint8Array(target.buffer).set(bytes, at)
  }

  #writeOffset(position: number, target: DataView, at: number): void {
    target.setUint32(at, this.offsetAt(position))
  }
}
