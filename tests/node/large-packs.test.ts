/** All objects of a pack that is larger than the memory: see docs/decisions/028. */
import { openSync } from 'packlens'
import { expect, test } from 'vitest'
import {
  blobId,
  deltaThatAppends,
  entryOf,
  indexed,
  ofsDeltaEntry,
  packHeader,
} from './blob-pack.ts'
import { bytesFrom, numbersFrom } from './seeded-random.ts'

const MEMORY = 4 << 20
interface Shape {
  readonly count: number
  /** How many entries each chain has, and the size of the first, which is stored whole. */
  readonly chain: number
  readonly size: number
  /** The share of entries that are deltas far from their bases. */
  readonly far: number
}

/** The least distance, in bytes, of a delta that is far from its base. */
const FAR = MEMORY

function packWith({ count, chain, size, far }: Shape) {
  const random = numbersFrom(7)
  const bytes = bytesFrom(8)
  const made: { offset: number; content: Buffer }[] = []
  const entries: Buffer[] = []
  let end = packHeader(0).length
  let deltas = 0
  let next = 0
  const put = (entry: Buffer, content: Buffer) => {
    made.push({ offset: end, content })
    entries.push(entry)
    end += entry.length
  }
  for (let at = 0; at < count; at++) {
    while (end - (made[next]?.offset ?? end) > FAR) next += 1
    const isFar = random() < far
    const base = isFar ? made[next - 1] : made.at(-1)
    if (base && (isFar || at % chain !== 0)) {
      const added = bytes(100)
      const content = Buffer.concat([base.content, added])
      put(ofsDeltaEntry(end - base.offset, deltaThatAppends(base.content, added)), content)
      deltas += 1
    } else {
      const content = bytes(size)
      put(entryOf('blob', content), content)
    }
  }
  const oids = made.map(({ content }) => blobId(content))
  return { ...indexed(entries, oids), deltas }
}

function readAll({ pack, idx, oids }: ReturnType<typeof packWith>) {
  expect(pack.length).toBeGreaterThan(2 * MEMORY)
  using repo = openSync({ packs: [{ pack, idx }] }, { memory: MEMORY, verify: 'none' })
  const read: string[] = []
  for (const row of repo.objects({ unordered: true })) {
    if (row.type !== 'blob') throw new Error(`${row.index} is ${row.type}`)
    read.push(blobId(row.data))
  }
  expect(read.sort()).toEqual([...oids].sort())
  return repo.stats()
}

/** Packs are made and hashed here, which takes most of the time on a busy machine. */
const LIMIT = { timeout: 240_000 }

test.each([
  ['The file is read once', 0, 1.05],
  ['Bases that are far from their deltas are read again', 0.02, 1.3],
])('%s', LIMIT, (_, far, most) => {
  const large = packWith({ count: 800, chain: 4, size: 64_000, far })
  const { bytesRead, memoryHighWater } = readAll(large)
  expect(bytesRead).toBeLessThan(most * (large.pack.length + large.idx.length))
  expect(memoryHighWater).toBeLessThanOrEqual(MEMORY)
})

test('Where many deltas are far from their bases, few bases are made twice', LIMIT, () => {
  const scattered = packWith({ count: 12_000, chain: 8, size: 16_000, far: 0.5 })
  const { deltasApplied, inflatedBytes, memoryHighWater } = readAll(scattered)
  expect(inflatedBytes).toBeLessThan(1.5 * scattered.pack.length)
  expect(deltasApplied).toBeLessThan(1.5 * scattered.deltas)
  expect(memoryHighWater).toBeLessThanOrEqual(MEMORY)
})
