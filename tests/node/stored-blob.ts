/** Makes a blob of any size whose pack is computed when it is read, and not stored. */
import { createHash } from 'node:crypto'
import type { RandomAccess } from 'packlens'
import { headOf, indexOf, packHeader } from './blob-pack.ts'
import { bytesFrom } from './seeded-random.ts'

/** The most bytes of a stored deflate block. */
const BLOCK = 65_535
const BLOCK_HEAD = 5
const ADLER = 65_521

/** Makes a pack of one blob of `count` stored deflate blocks. */
export class StoredBlob implements RandomAccess {
  readonly size: number
  readonly length: number
  readonly oid: string
  readonly idx: Buffer
  readonly #count: number
  readonly #data: number
  readonly #pattern = bytesFrom(1)(BLOCK)
  readonly #head: Buffer
  readonly #tail: Buffer

  constructor(count: number) {
    this.#count = count
    this.length = count * BLOCK
    // 0x78 0x01 begins a zlib stream.
    this.#head = Buffer.concat([packHeader(1), headOf(3, this.length), Buffer.from([0x78, 1])])
    this.#data = this.#head.length
    const { oid, adler } = this.#sums()
    this.oid = oid
    const sum = Buffer.alloc(20, 7)
    this.#tail = Buffer.concat([adler, sum])
    this.size = this.#data + count * (BLOCK_HEAD + BLOCK) + this.#tail.length
    this.idx = indexOf([{ oid, offset: 12, crc: 0 }], sum)
  }

  read(offset: number, length: number): Uint8Array {
    const target = Buffer.alloc(length)
    const put = (bytes: Uint8Array, start: number) => {
      const from = Math.max(offset, start)
      const to = Math.min(offset + length, start + bytes.length)
      if (from < to) target.set(bytes.subarray(from - start, to - start), from - offset)
    }
    put(this.#head, 0)
    const each = BLOCK_HEAD + BLOCK
    const last = Math.min(this.#count, Math.ceil((offset + length - this.#data) / each))
    for (let at = Math.max(0, Math.floor((offset - this.#data) / each)); at < last; at++) {
      const start = this.#data + at * each
      const final = at === this.#count - 1 ? 1 : 0
      put(Buffer.from([final, BLOCK & 255, BLOCK >> 8, ~BLOCK & 255, (~BLOCK >> 8) & 255]), start)
      put(this.#block(at), start + BLOCK_HEAD)
    }
    put(this.#tail, this.size - this.#tail.length)
    return target
  }

  /** Returns the content of a block: its number, then the common bytes. */
  #block(number: number): Buffer {
    this.#pattern.writeUInt32BE(number)
    return this.#pattern
  }

  #sums(): { oid: string; adler: Buffer } {
    const hash = createHash('sha1').update(`blob ${this.length}\0`)
    let [low, high] = [1, 0]
    // The bytes after the number add the same in each block.
    let [sum, weighted] = [0, 0]
    for (let at = 4; at < BLOCK; at++) {
      const byte = this.#pattern[at] as number
      sum += byte
      weighted += byte * (BLOCK - at)
    }
    for (let number = 0; number < this.#count; number++) {
      const block = this.#block(number)
      hash.update(block)
      let [added, behind] = [sum, weighted]
      for (let at = 0; at < 4; at++) {
        added += block[at] as number
        behind += (block[at] as number) * (BLOCK - at)
      }
      high = (high + BLOCK * low + behind) % ADLER
      low = (low + added) % ADLER
    }
    const adler = Buffer.alloc(4)
    adler.writeUInt32BE(high * 65_536 + low)
    return { oid: hash.digest('hex'), adler }
  }
}
