/** Indexes that are larger than the memory of the session. */
import { randomBytes } from 'node:crypto'
import type { SyncRepository } from 'packlens'
import { openSync } from 'packlens'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { deltaThatAppends, entryOf, objectId, ofsDeltaEntry, packHeader } from './blob-pack.ts'
import { LargeIndex } from './large-index.ts'
import { Sparse } from './sparse-file.ts'
import { codeOf, errorOf } from './support.ts'

const MEMORY = 4 << 20
/** One repository is open at a time, so the instance's memory is that of the repository. */
let instanceBefore = 0
let repo: SyncRepository

beforeAll(() => {
  using empty = openSync({ packs: [] })
  instanceBefore = empty.stats().instanceMemory
})

afterEach(() => {
  const { memoryHighWater, instanceMemory } = repo.stats()
  repo.close()
  expect(memoryHighWater).toBeLessThanOrEqual(MEMORY)
  expect(instanceMemory - instanceBefore).toBeLessThanOrEqual(MEMORY)
})

/** A blob, a delta on it and one on that, and an index of many more ids. */
function made(count: number) {
  const sum = randomBytes(20)
  const pieces: [number, Buffer][] = []
  const objects: { oid: string; content: Buffer; offset: number; end: number; base?: string }[] = []
  let end = 12
  const put = (entry: Buffer, content: Buffer, base?: string) => {
    const offset = end
    end += entry.length
    pieces.push([offset, entry])
    objects.push({ oid: objectId('blob', content), content, offset, end, ...(base && { base }) })
  }
  const content = randomBytes(300)
  put(entryOf('blob', content), content)
  for (const text of ['one more', 'and another']) {
    const { content, offset, oid } = objects.at(-1) as (typeof objects)[number]
    const entry = ofsDeltaEntry(end - offset, deltaThatAppends(content, Buffer.from(text)))
    put(entry, Buffer.concat([content, Buffer.from(text)]), oid)
  }
  pieces.push([0, packHeader(count)], [end, sum])
  const pack = new Sparse(end + 20, pieces)
  const rows = objects.map(({ oid, offset }) => ({ oid, offset, crc: 0 }))
  return { pack, idx: new LargeIndex(count, rows, sum), objects }
}

type Made = ReturnType<typeof made>

const openIt = ({ pack, idx }: Made, verify: 'oid' | 'none' = 'oid') => {
  repo = openSync({ packs: [{ pack, idx }] }, { memory: MEMORY, verify })
}

describe.each([400_000, 200_000_000])('An index of %i ids', (count) => {
  const all = made(count)

  test('is larger than the memory', () => {
    expect(all.idx.size).toBe(1032 + 28 * count + 40)
    expect(all.idx.size).toBeGreaterThan(2 * MEMORY)
    openIt(all)
    expect(all.idx.bytesRead).toBe(0)
  })

  test('finds the requested objects, and few of its bytes are read', () => {
    openIt(all)
    for (const { oid, content } of all.objects) {
      expect(content.equals(repo.read(oid).data)).toBe(true)
    }
    expect(repo.stats().bytesRead).toBeLessThan(all.objects.length * (1 << 20))
  })

  test('lacks ids that it does not hold', async () => {
    openIt(all)
    for (const { oid } of all.objects) {
      const other = oid.slice(0, 39) + (oid.endsWith('0') ? '1' : '0')
      expect(await codeOf(() => repo.read(other))).toBe('NOT_FOUND')
      expect(repo.find(other)).toBeNull()
    }
    for (const id of ['0'.repeat(40), 'f'.repeat(40)]) {
      expect(await codeOf(() => repo.info(id))).toBe('NOT_FOUND')
    }
  })

  test('resolves shortened ids', async () => {
    openIt(all)
    for (const { oid } of all.objects) expect(repo.resolve(oid.slice(0, 16))).toBe(oid)
    const [{ oid = '' } = {}] = all.objects
    const prefix = oid.slice(0, 4)
    const same = collectIds(all.idx, prefix)
    expect(same.length).toBeGreaterThan(2)
    const error = await errorOf(() => repo.read(prefix))
    expect(error.code).toBe('AMBIGUOUS')
    const [row] = repo.readMany([prefix])
    if (row?.type !== 'ambiguous') throw new Error(row?.type)
    expect(row.candidates).toEqual(same)
  })

  test('is listed from its beginning', () => {
    openIt(all, 'none')
    const first: string[] = []
    for (const row of repo.objects()) {
      if (!('oid' in row)) throw new Error(row.type)
      if (first.push(row.oid) === 1000) break
    }
    expect(first).toEqual(Array.from(first, (_, at) => all.idx.idAt(at)))
  })
})

/** All ids that share a prefix: neighbours in the index. */
function collectIds(idx: LargeIndex, prefix: string): string[] {
  let low = idx.positionOf(prefix)
  const found: string[] = []
  for (let id = idx.idAt(low); id.startsWith(prefix); id = idx.idAt(++low)) found.push(id)
  return found
}

describe('An index of 400,000 ids', () => {
  const all = made(400_000)

  test('returns the size on disk of each object, and its base', async () => {
    openIt(all)
    for (const { oid, content, offset, end, base = null } of all.objects) {
      const info = repo.info(oid)
      const expected = { size: content.length, offset, diskSize: end - offset, deltaBase: base }
      // Many ids stand for the entry of each base: any of them is right.
      if (base !== null) expect(offsetOf(all, info.deltaBase)).toBe(offsetOf(all, base))
      expect({ ...info, deltaBase: base }).toMatchObject(expected)
      if (base === null) expect(info.deltaBase).toBeNull()
    }
    const ids = all.objects.map(({ oid }) => oid)
    const batch = repo.readMany([...ids].reverse(), { order: 'pack', fields: 'both' })
    expect([...batch].map((row) => ('oid' in row ? row.oid : row.type))).toEqual(ids)
  })

  test.each([false, true])('is listed to its end, unordered: %s', (unordered) => {
    openIt(all, 'none')
    const sizes = new Map(all.objects.map(({ offset, content }) => [offset, content.length]))
    const ids: string[] = []
    for (const row of repo.objects({ unordered })) {
      if (!('oid' in row)) throw new Error(row.type)
      if (row.size !== sizes.get(all.idx.offsetAt(ids.length))) throw new Error(row.oid)
      ids.push(row.oid)
    }
    expect(ids).toHaveLength(400_000)
    expect(ids.every((id, at) => id === all.idx.idAt(at))).toBe(true)
  })
})

function offsetOf({ idx }: Made, oid: string | null): number {
  return idx.offsetAt(idx.positionOf(oid ?? ''))
}
