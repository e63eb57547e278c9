/** Pseudo-random numbers and bytes, the same for the same seed. */
import { createCipheriv } from 'node:crypto'

/** Returns numbers from 0 up to 1. */
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

/** Returns bytes that do not compress. */
export function bytesFrom(seed: number): (length: number) => Buffer {
  const start = Buffer.alloc(16)
  start.writeUInt32BE(seed)
  const cipher = createCipheriv('aes-128-ctr', Buffer.alloc(16), start)
  return (length) => cipher.update(Buffer.alloc(length))
}
