/** The memory of the instance grows rarely, because each growth is slow. */
import { openSync } from 'packlens'
import { expect, test } from 'vitest'
import { mixedPack } from './mixed-pack.ts'

const MEMORY = 32 << 20

test('The memory of the instance grows a few times, however much is read', () => {
  const pack = mixedPack(MEMORY / 32, { any: 800, small: 3000 })
  expect(pack.pack.length).toBeGreaterThan(2 * MEMORY)
  using repo = openSync({ packs: [pack] }, { memory: MEMORY })
  const lengths = new Set([repo.stats().instanceMemory])
  for (const oid of pack.oids) {
    repo.read(oid)
    lengths.add(repo.stats().instanceMemory)
  }
  for (const { type } of repo.objects({ unordered: true })) {
    expect(type).toBe('blob')
    lengths.add(repo.stats().instanceMemory)
  }
  // If blocks are stored in gaps, some more memory may be needed.
  const before = [...lengths].filter((length) => length < MEMORY / 2)
  expect(before.length).toBeLessThanOrEqual(3)
  expect(Math.max(...lengths)).toBeGreaterThan(MEMORY / 2)
})
