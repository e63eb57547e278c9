/** Storage, batches and listings of all objects, compared with git's answers. */
import { createHash } from 'node:crypto'
import type { BatchOptions, BatchRow, ObjectInfo, ObjectRow, SyncRepository } from 'packlens'
import { open, openSync } from 'packlens'
import { afterAll, describe, expect, test } from 'vitest'
import { asyncStoreOf, storeOf } from './sources.ts'
import {
  collect,
  type Expected,
  type ExpectedObject,
  fixture,
  fixtures,
  folderOf,
  gitDirectoryOf,
  sha256,
} from './support.ts'

let compared = 0

afterAll(() => {
  expect(compared).toBeGreaterThan(30_000)
})

/** The empty tree: every repository has it, as in git, whether it is stored or not. */
function emptyTreeOf({ objectFormat }: Expected): string {
  return createHash(objectFormat).update('tree 0\0').digest('hex')
}

/** Checks one row; fields that were not requested must be missing. */
function expectRow(row: BatchRow, expected: ExpectedObject, fields: string): ObjectRow {
  if (row.type === 'missing' || row.type === 'ambiguous' || row.type === 'failed') {
    throw new Error(`${expected.oid} is ${row.type}`)
  }
  const { oid, type, size, more, dataOffset } = row
  expect({ oid, type, size, more, dataOffset }).toEqual({
    oid: expected.oid,
    type: expected.type,
    size: expected.size,
    more: false,
    dataOffset: 0,
  })
  if (fields === 'info') expect(row.data.byteLength).toBe(0)
  else expect(sha256(row.data)).toBe(expected.sha256)
  // The disk size of a loose object is known at once; that of a packed one needs the pack's order.
  if (fields !== 'content') expectStorage(row, expected)
  else if (row.diskSize !== undefined && expected.disk !== null)
    expect(row.diskSize).toBe(expected.disk)
  compared += 1
  return row
}

function expectStorage(
  found: {
    diskSize?: number | undefined
    deltaBase?: string | null | undefined
    deltaDepth: number
  },
  { oid, disk, deltabase }: ExpectedObject,
): void {
  if (disk !== null) expect(found.diskSize).toBe(disk)
  if (deltabase === null) return
  expect(found.deltaBase ?? '0'.repeat(oid.length)).toBe(deltabase)
  expect(found.deltaDepth > 0).toBe(found.deltaBase !== null)
}

function readMany(repo: SyncRepository, of: Expected, options: BatchOptions): BatchRow[] {
  const specs = of.objects.map(({ oid }) => oid)
  const rows: BatchRow[] = []
  for (let start: BatchOptions['start'] | null; start !== null; ) {
    const batch = repo.readMany(specs, { ...options, start })
    rows.push(...batch)
    start = batch.next
  }
  return rows
}

describe.each(fixtures)('the objects of $name', (of) => {
  const expectedOf = new Map(of.objects.map((object) => [object.oid, object]))

  test('equal git’s description', async () => {
    using repo = await open(folderOf(of))
    using now = openSync(folderOf(of))
    const infos = new Map<string, ObjectInfo>()
    for (const expected of of.objects) {
      const info = await repo.info(expected.oid)
      expect(info).toEqual(now.info(expected.oid))
      expect(info).toMatchObject({ oid: expected.oid, type: expected.type, size: expected.size })
      expectStorage(info, expected)
      expect(info.pack === null).toBe(info.offset === null)
      if (info.pack !== null) expect(info.pack).toMatch(/^objects\/pack\/pack-[0-9a-f]+\.pack$/)
      infos.set(info.oid, info)
      compared += 1
    }
    for (const { oid, deltabase } of of.objects) {
      const [info, base] = [infos.get(oid), deltabase === null ? null : infos.get(deltabase)]
      // Of an object in several packs, another copy may be reported.
      if (base && base.pack === info?.pack) expect(info.deltaDepth).toBe(base.deltaDepth + 1)
    }
  })

  test('begin in their pack one after the other', () => {
    using repo = openSync(folderOf(of))
    const infos = (of.packOrder ?? []).map((oid) => repo.info(oid))
    // An object may also be loose, but packs are searched first.
    let end: number | null = 12
    for (const { oid, pack, offset, diskSize } of infos) {
      if (oid === emptyTreeOf(of)) {
        expect({ pack, offset, diskSize }).toEqual({ pack: null, offset: null, diskSize: 0 })
        end = null
        continue
      }
      expect(pack).toBe(infos[0]?.pack)
      if (end !== null) expect(offset).toBe(end)
      end = (offset ?? 0) + diskSize
    }
  })

  /** A base may only come later if it is also stored later in the pack. */
  function expectBasesFirst(ids: readonly string[]): void {
    const listed = new Map(ids.map((id, at) => [id, at]))
    const stored = new Map(of.packOrder?.map((id, at) => [id, at]))
    for (const { oid, deltabase } of of.objects) {
      const base = stored.get(deltabase ?? '') ?? Number.POSITIVE_INFINITY
      if (base > (stored.get(oid) ?? 0)) continue
      expect(listed.get(deltabase ?? '')).toBeLessThan(listed.get(oid) as number)
    }
  }

  test.each(['info', 'content', 'both'] as const)('come in batches of %s', (fields) => {
    using repo = openSync(folderOf(of))
    const asked = readMany(repo, of, { fields })
    expect(asked.map((row) => row.index)).toEqual(of.objects.map((_, index) => index))
    asked.forEach((row, at) => {
      expectRow(row, of.objects[at] as ExpectedObject, fields)
    })

    const inPackOrder = readMany(repo, of, { fields, order: 'pack', size: 1 << 20 })
    const ids = inPackOrder.map((row) => {
      return expectRow(row, of.objects[row.index] as ExpectedObject, fields).oid
    })
    expect([...ids].sort()).toEqual([...expectedOf.keys()])
    // The empty tree has no position, because it is not stored.
    const placed = ids.filter((id) => id !== emptyTreeOf(of))
    if (of.packOrder?.length === of.objects.length) {
      if (fields !== 'info') expectBasesFirst(ids)
      else expect(placed).toEqual(of.packOrder.filter((id) => id !== emptyTreeOf(of)))
    }
  })

  test.each(['info', 'content', 'both'] as const)('are all listed, with %s', async (fields) => {
    using repo = await open(folderOf(of))
    using now = openSync(folderOf(of))
    for (const unordered of [false, true]) {
      const rows = await collect(repo.objects({ fields, unordered }))
      const ids = rows.map((row) => {
        const { oid } = row as ObjectRow
        return expectRow(row, expectedOf.get(oid) as ExpectedObject, fields).oid
      })
      expect([...now.objects({ fields, unordered })].map((row) => (row as ObjectRow).oid)).toEqual(
        ids,
      )
      if (!unordered) expect(ids).toEqual([...expectedOf.keys()])
      else if (fields === 'info') {
        expect(ids.slice(-(of.packOrder?.length ?? 1))).toEqual(of.packOrder ?? ids.slice(-1))
      } else if (of.packOrder) expectBasesFirst(ids)
      expect([...ids].sort()).toEqual([...expectedOf.keys()])
    }
  })
})

test.each(['mixed', 'sha256'])(
  '%s is listed equally from a store that returns promises',
  async (name) => {
    const of = fixture(name)
    await using repo = await open(asyncStoreOf(gitDirectoryOf(of)))
    using other = openSync(storeOf(gitDirectoryOf(of)))
    for (const unordered of [false, true]) {
      const rows = await collect(repo.objects({ unordered, fields: 'both' }))
      const ids = rows.map((row) => (row as ObjectRow).oid)
      expect([...ids].sort()).toEqual(of.objects.map(({ oid }) => oid))
      const others = [...other.objects({ unordered })]
      expect(others.map((row) => (row as ObjectRow).oid)).toEqual(ids)
    }
    const batch = await repo.readMany(
      of.objects.map(({ oid }) => oid),
      { order: 'pack' },
    )
    for (const row of batch) expectRow(row, of.objects[row.index] as ExpectedObject, 'content')
    expect(batch.next).toBeNull()
  },
)
