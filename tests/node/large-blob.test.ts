/** A blob that spans many blocks of a file is not inflated again for each of them. */
import { randomBytes } from 'node:crypto'
import { openSync, type RandomAccess } from 'packlens'
import { expect, test } from 'vitest'
import { packOf } from './blob-pack.js'

const SIZE = 12 << 20

test('a large blob is inflated twice at most, and read once', () => {
  const { pack, oids } = packOf(randomBytes(SIZE), randomBytes(SIZE), randomBytes(SIZE))
  const reads: number[] = []
  const source: RandomAccess = {
    size: pack.length,
    read(offset, length) {
      reads.push(length)
      return pack.subarray(offset, offset + length)
    },
  }
  // Indexing reads up to the last blob: nothing of the first stays in memory.
  const repo = openSync({ packs: [{ pack: source }] }, { memory: 40 << 20 })
  const before = repo.stats()
  reads.length = 0
  expect(repo.read(oids[0] ?? '').size).toBe(SIZE)
  const after = repo.stats()
  expect(after.inflatedBytes - before.inflatedBytes).toBeLessThanOrEqual(2 * SIZE)
  expect(reads.reduce((sum, length) => sum + length, 0)).toBeLessThan(1.1 * SIZE)
  expect(after.memoryHighWater).toBeLessThanOrEqual(40 << 20)
})
