/** Files of any size with content in few places, and zeros between. */
import { closeSync, ftruncateSync, openSync, writeSync } from 'node:fs'
import type { RandomAccess } from 'packlens'

export class Sparse implements RandomAccess {
  readonly size: number
  /** The number of bytes that were read. */
  bytesRead = 0
  readonly #pieces: readonly { offset: number; bytes: Uint8Array }[]

  constructor(size: number, pieces: Iterable<readonly [offset: number, bytes: Uint8Array]>) {
    this.size = size
    this.#pieces = Array.from(pieces, ([offset, bytes]) => ({ offset, bytes }))
  }

  read(offset: number, length: number): Uint8Array {
    const target = new Uint8Array(length)
    this.bytesRead += length
    for (const piece of this.#pieces) {
      const from = Math.max(offset, piece.offset)
      const to = Math.min(offset + length, piece.offset + piece.bytes.length)
      if (from >= to) continue
      target.set(piece.bytes.subarray(from - piece.offset, to - piece.offset), from - offset)
    }
    return target
  }

  /** Writes the file to disk, where the zeros take no space. */
  writeTo(file: string): void {
    const descriptor = openSync(file, 'w')
    ftruncateSync(descriptor, this.size)
    for (const { offset, bytes } of this.#pieces) {
      writeSync(descriptor, bytes, 0, bytes.length, offset)
    }
    closeSync(descriptor)
  }
}
