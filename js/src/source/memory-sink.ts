/** A sink in memory. It stores a pack in pieces as it arrives, and never moves them. */
import { PacklensError } from '../base/errors.js'
import type { PackSink } from './received.js'

/** The size of a piece in which small writes are collected, in bytes. */
const PIECE = 1 << 20

export class MemorySink implements PackSink {
  readonly #pieces: Uint8Array<ArrayBuffer>[] = []
  /** The offset of each piece in the pack. */
  readonly #starts: number[] = []
  #size = 0
  /** The free bytes at the end of the last piece. */
  #free = 0

  write(offset: number, bytes: Uint8Array): void {
    let from = 0
    for (let at = offset; from < bytes.byteLength && at < this.#size; ) {
      const [piece, within] = this.#at(at)
      const part = bytes.subarray(from, from + Math.min(piece.byteLength - within, this.#size - at))
      piece.set(part, within)
      from += part.byteLength
      at += part.byteLength
    }
    this.#append(bytes.subarray(from))
  }

  #append(bytes: Uint8Array): void {
    for (let from = 0; from < bytes.byteLength; ) {
      if (this.#free === 0) {
        this.#starts.push(this.#size)
        this.#pieces.push(new Uint8Array(Math.max(PIECE, bytes.byteLength - from)))
        this.#free = this.#last.byteLength
      }
      const part = bytes.subarray(from, from + this.#free)
      this.#last.set(part, this.#last.byteLength - this.#free)
      this.#free -= part.byteLength
      this.#size += part.byteLength
      from += part.byteLength
    }
  }

  get #last(): Uint8Array<ArrayBuffer> {
    return this.#pieces[this.#pieces.length - 1] as Uint8Array<ArrayBuffer>
  }

  read(offset: number, length: number): Uint8Array {
    const out = new Uint8Array(length)
    for (let done = 0; done < length; ) {
      const [piece, within] = this.#at(offset + done)
      const part = piece.subarray(within, within + length - done)
      out.set(part, done)
      done += part.byteLength
    }
    return out
  }

  /** Returns the piece with the byte at an offset, and its offset in the piece. */
  #at(offset: number): [piece: Uint8Array<ArrayBuffer>, within: number] {
    let [low, high] = [0, this.#starts.length - 1]
    while (low < high) {
      const middle = Math.ceil((low + high) / 2)
      if ((this.#starts[middle] ?? 0) <= offset) low = middle
      else high = middle - 1
    }
    const piece = this.#pieces[low]
    if (piece) return [piece, offset - (this.#starts[low] ?? 0)]
    throw new PacklensError('INTERNAL', 'a read of bytes that were not received')
  }

  pieces(): Uint8Array<ArrayBuffer>[] {
    const last = this.#pieces.length - 1
    return this.#pieces.map((piece, at) =>
      at === last ? piece.subarray(0, piece.byteLength - this.#free) : piece,
    )
  }
}
