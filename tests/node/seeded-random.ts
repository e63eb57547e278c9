/** Numbers and bytes that look random, and are the same each time. */
import { createCipheriv } from 'node:crypto'

/** Numbers from 0 up to 1, the same for the same seed. */
export function numbersFrom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    // mulberry32
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Bytes that nothing can deflate, the same for the same seed. */
export function bytesFrom(seed: number): (length: number) => Buffer {
  const start = Buffer.alloc(16)
  start.writeUInt32BE(seed)
  const cipher = createCipheriv('aes-128-ctr', Buffer.alloc(16), start)
  return (length) => cipher.update(Buffer.alloc(length))
}
