/** One unusable pack of several: the API reads the others, and names the damaged one. */
import {
  chmodSync,
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type BatchRow, open, openSync } from 'packlens'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { unpacked } from './cli-support.ts'
import { collect, errorOf, fixture } from './support.ts'

/** Objects that only one pack has. */
const INSIDE = '05c7ce010418977c4e283349f598c2f9d4add85a'
const OUTSIDE = '13e0eff8b27652a577f9b5a1477c27cdc8b4e1c2'
const ABSENT = 'f00df00df00df00df00df00df00df00df00df00d'
const PACK = 'objects/pack/pack-f4e89e6e974e32494b91b68bf1aa2365b05bee3b'

/** Returns the ids of rows, also of rows that failed. */
const oidsOf = (rows: readonly BatchRow[]) =>
  rows.map((row) => (row.type === 'failed' ? row.error.subject : 'oid' in row ? row.oid : ''))

const all = fixture('packs')
  .objects.map(({ oid }) => oid)
  .sort()

const scratch = mkdtempSync(path.join(tmpdir(), 'packlens-damaged-'))
const folder = path.join(scratch, 'packs.git')
afterAll(() => rmSync(scratch, { recursive: true }))

beforeEach(() => {
  rmSync(folder, { recursive: true, force: true })
  cpSync(path.join(unpacked, 'packs'), folder, { recursive: true })
  // Without this file, missing objects would count as promised.
  const place = path.join(folder, 'objects', 'pack')
  for (const name of readdirSync(place)) {
    if (name.endsWith('.promisor')) rmSync(path.join(place, name))
  }
})

/** Changes the first byte of a file of the pack; returns a function that restores it. */
function damage(ending: string): () => void {
  const file = path.join(folder, PACK + ending)
  const good = readFileSync(file)
  const bad = Buffer.from(good)
  bad[0] = (bad[0] as number) ^ 0xff
  chmodSync(file, 0o644)
  writeFileSync(file, bad)
  return () => {
    rmSync(file)
    writeFileSync(file, good)
  }
}

const ORDERS = [{}, { unordered: true }, { fields: 'info' }, { type: 'commit' }] as const

describe('a damaged index', () => {
  beforeEach(() => {
    damage('.idx')
  })

  test.each([{}, { worker: true }])('hides its own objects (%j)', async (options) => {
    await using repo = await open(folder, options)
    const listed = oidsOf(await collect(repo.objects({ fields: 'info' })))
    expect(listed.length).toBeGreaterThan(100)
    expect(listed.length).toBeLessThan(all.length)
    expect(all).toEqual(expect.arrayContaining(listed))
    const unordered = await collect(repo.objects({ unordered: true }))
    expect(oidsOf(unordered).sort()).toEqual(listed)
    expect(unordered.some(({ type }) => type === 'failed')).toBe(false)
    expect(await repo.resolve(OUTSIDE.slice(0, 8))).toBe(OUTSIDE)
    expect((await repo.read(OUTSIDE)).type).toBe('tree')
    expect(await repo.find(ABSENT)).toBeNull()
    expect(await repo.find(INSIDE)).toBeNull()
    const error = await errorOf(() => repo.read(INSIDE))
    expect(error).toMatchObject({ code: 'NOT_FOUND', subject: INSIDE, file: `${PACK}.idx` })
    const short = await errorOf(() => repo.resolve(INSIDE.slice(0, 8)))
    expect(short).toMatchObject({ code: 'NOT_FOUND', file: `${PACK}.idx` })
    expect((await repo.storage()).packs).toHaveLength(4)
    expect((await collect(repo.refs.list())).length).toBeGreaterThan(10)
    const findings = await repo.fsck()
    expect(findings.filter(({ id }) => id === 'badPackIndex')).toMatchObject([
      { place: `${PACK}.idx`, severity: 'error', message: 'the fanout of an index decreases' },
    ])
  })
})

test('A repaired index is used by the next question that misses an object', () => {
  const mend = damage('.idx')
  using repo = openSync(folder)
  expect(repo.find(INSIDE)).toBeNull()
  mend()
  expect(repo.read(INSIDE).oid).toBe(INSIDE)
})

test('A multi-pack-index lists objects whose own index is damaged', () => {
  cpSync(path.join(folder, 'kinds', 'midx-1'), path.join(folder, 'objects', 'pack'), {
    recursive: true,
  })
  damage('.idx')
  using repo = openSync(folder)
  expect(repo.read(INSIDE).oid).toBe(INSIDE)
  expect(repo.resolve(INSIDE.slice(0, 8))).toBe(INSIDE)
  expect(repo.find(ABSENT)).toBeNull()
})

describe('a damaged pack', () => {
  beforeEach(() => {
    damage('.pack')
  })

  test.each(ORDERS)('is listed as its index describes it (%j)', async (options) => {
    await using repo = await open(folder)
    const rows = await collect(repo.objects(options))
    const oids = oidsOf(rows).sort()
    expect(new Set(oids).size).toBe(oids.length)
    const failed = rows.filter(({ type }) => type === 'failed')
    expect(failed).toHaveLength(73)
    for (const row of failed) expect(row).toMatchObject({ error: { code: 'CORRUPT' } })
    if (!('type' in options)) expect(oids).toEqual(all)
  })

  test('does not affect other packs, and is named', async () => {
    await using repo = await open(folder)
    expect((await repo.read(OUTSIDE)).type).toBe('tree')
    expect(await repo.find(ABSENT)).toBeNull()
    expect(await repo.resolve(INSIDE.slice(0, 8))).toBe(INSIDE)
    const error = await errorOf(() => repo.read(INSIDE))
    expect(error).toMatchObject({ code: 'CORRUPT', file: `${PACK}.pack` })
    const rows = [...(await repo.readMany([INSIDE, OUTSIDE, ABSENT]))]
    expect(rows.map(({ type }) => type)).toEqual(['failed', 'tree', 'missing'])
  })
})

test('Workers list a damaged pack as one reader does', async () => {
  damage('.pack')
  await using repo = await open(folder, { workers: 2 })
  const rows = await collect(repo.objects({ unordered: true }))
  expect(oidsOf(rows).sort()).toEqual(all)
})

test('An unusable pack does not affect refs', () => {
  const only = path.join(scratch, 'main.git')
  cpSync(path.join(unpacked, 'main'), only, { recursive: true })
  const place = path.join(only, 'objects', 'pack')
  for (const name of readdirSync(place)) {
    chmodSync(path.join(place, name), 0o644)
    writeFileSync(path.join(place, name), 'no pack, no index')
  }
  using repo = openSync(only)
  expect(repo.refs.get('HEAD')?.target).toBe('refs/heads/main')
  expect(repo.refs.list().length).toBeGreaterThan(3)
})
