/** The growth of memory when repositories are opened one after the other. */
import { openSync } from 'packlens'
import { expect, test } from 'vitest'
import { mixedPack } from './mixed-pack.ts'

const CEILINGS = [8, 16, 32, 64].map((mebibytes) => mebibytes << 20)

test('The memory of a closed repository is reused by the next one', () => {
  const pack = mixedPack(2 << 20, { any: 400, small: 2000 })
  let grown = 0
  for (const memory of CEILINGS) {
    using repo = openSync({ packs: [pack] }, { memory })
    for (const oid of pack.oids) repo.read(oid)
    grown = repo.stats().instanceMemory
  }
  const last = CEILINGS.at(-1) ?? 0
  expect(pack.pack.length).toBeGreaterThan(last)
  expect(grown).toBeLessThan(1.1 * last)
})
