/** The memory of the instance grows in steps beyond the memory limit. */
import { openSync } from 'packlens'
import { expect, test } from 'vitest'
import { mixedPack } from './mixed-pack.ts'
import { type Bytes, syncBuffer } from './sources.ts'

const MEMORY = 64 << 20

test('Data in gaps makes the memory grow in steps, not with each block', () => {
  const { pack, idx, oids } = mixedPack(1 << 20, { any: 800, small: 3000 })
  expect(pack.length).toBeGreaterThan(MEMORY)
  const lengths = new Set<number>()
  const noted = (bytes: Bytes) => {
    const { byteLength, slice } = syncBuffer(bytes)
    const note = (start: number, end: number) => {
      lengths.add(repo.stats().instanceMemory)
      return slice(start, end)
    }
    return { byteLength, slice: note }
  }
  const source = { packs: [{ pack: noted(new Uint8Array(pack)), idx }] }
  using repo = openSync(source, { memory: MEMORY })
  const into = new ArrayBuffer(1 << 20)
  for (let start: { index: number; skip: number } | null = { index: 0, skip: 0 }; start; ) {
    start = repo.readMany(oids, { into, start, order: 'pack' }).next
  }
  expect(Math.max(...lengths)).toBeGreaterThan(MEMORY / 2)
  expect(lengths.size).toBeLessThanOrEqual(7)
})
