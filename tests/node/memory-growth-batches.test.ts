/** The memory of batches, also of those that are resumed. */
import { type BatchOptions, openSync } from 'packlens'
import { expect, test } from 'vitest'
import { blobId, indexedPackOf } from './blob-pack.ts'
import { mixedPack } from './mixed-pack.ts'
import { bytesFrom, numbersFrom } from './seeded-random.ts'

const MEMORY = 64 << 20

test('Batches in the requested order keep the instance within the memory limit', () => {
  const { pack, idx, oids } = mixedPack(1 << 20, { any: 800, small: 3000 })
  expect(pack.length).toBeGreaterThan(MEMORY)
  const random = numbersFrom(4)
  const specs = Array.from({ length: 8000 }, () => oids[Math.floor(random() * oids.length)] ?? '')
  using repo = openSync({ packs: [{ pack: new Uint8Array(pack), idx }] }, { memory: MEMORY })
  let rows = 0
  let start: BatchOptions['start'] | null
  while (start !== null) {
    const batch = repo.readMany(specs, { size: 8 << 20, ...(start && { start }) })
    for (const row of batch) if ('oid' in row && !row.more) rows += 1
    start = batch.next
  }
  expect(rows).toBe(specs.length)
  const { baseCacheHits, flushes, instanceMemory } = repo.stats()
  expect(flushes).toBeGreaterThan(10)
  // If the output grew again with each batch, a third of the bases would be evicted.
  expect(baseCacheHits).toBeGreaterThan(50_000)
  // Bases take the place of blocks that were adjacent.
  expect(instanceMemory).toBeLessThanOrEqual((54 / 64) * MEMORY)
})

test.each(['asked', 'pack'] as const)(
  'A batch and a large object can use each other’s memory, order %s',
  (order) => {
    const bytes = bytesFrom(3)
    const small = Array.from({ length: 40 }, () => bytes(200_000))
    const large = Buffer.alloc(5 << 20, 7)
    const { pack, idx } = indexedPackOf(...small, large)
    const source = { packs: [{ pack: new Uint8Array(pack), idx }] }
    using repo = openSync(source, { memory: 8 << 20 })
    const ids = small.map(blobId)
    const { next: start } = repo.readMany(ids, { order })
    if (!start) throw new Error('the batch was to go on')
    expect(repo.read(blobId(large)).data).toHaveLength(large.length)
    const [row] = repo.readMany(ids, { order, start })
    expect(row).toMatchObject({ oid: ids[start.index] })
  },
)
