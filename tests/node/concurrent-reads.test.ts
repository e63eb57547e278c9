/** Concurrent calls that share little memory. */
import type { RandomAccess, Store } from 'packlens'
import { open, openSync } from 'packlens'
import { describe, expect, test } from 'vitest'
import { asyncRandomAccess, asyncStoreOf, looseObjects, noise, packOfBlobs } from './sources.ts'
import { collect, fixture, folderOf, sha256 } from './support.ts'

const main = fixture('main')

/** A store whose answers arrive late, and out of order. */
function slow(store: Store, delays = 5): Store {
  let turn = 0
  const later = <T>(value: T): Promise<T> =>
    new Promise((resolve) => setTimeout(resolve, turn++ % delays, value))
  const get: Store['get'] = async (name) => {
    const file = (await later(store.get(name))) as RandomAccess | null
    if (!file) return null
    return {
      size: file.size,
      read: async (offset, length) => later(await file.read(offset, length)),
    }
  }
  return { get, list: async (name) => later((await store.list?.(name)) ?? []) }
}

describe('200 concurrent reads', () => {
  test.each(['main', 'mixed', 'loose', 'big-chain'])('of %s are right', async (name) => {
    const of = fixture(name)
    await using repo = await open(slow(asyncStoreOf(folderOf(of))), { memory: 1 << 20 })
    const expected = Array.from({ length: 200 }, (_, at) => {
      const object = of.objects[(at * 7) % of.objects.length]
      if (!object) throw new Error('no object')
      return object
    })
    const found = await Promise.all(expected.map(({ oid }) => repo.read(oid)))
    expect(found.map(({ data }) => sha256(data))).toEqual(expected.map((object) => object.sha256))
    expect(repo.stats().memoryHighWater).toBeLessThanOrEqual(1 << 20)
  })

  test('of names, refs, trees and objects are right', async () => {
    await using repo = await open(slow(asyncStoreOf(folderOf(main))), { memory: 1 << 20 })
    const specs = Object.entries(main.resolve)
      .filter(([, oid]) => oid !== null)
      .slice(0, 50)
    const asked = [
      ...specs.map(([spec]) => repo.resolve(spec)),
      ...main.refs.slice(0, 50).map(async ({ name }) => (await repo.refs.get(name))?.oid),
      ...main.objects.slice(0, 50).map(async ({ oid }) => (await repo.info(oid)).size),
      ...Object.keys(main.lsTree).map(async (spec) => {
        const entries = await collect(repo.walk(spec, { recursive: true }))
        return entries.length > 0
      }),
      ...[true, false].map(async (unordered) => {
        const rows = await collect(repo.objects({ unordered, fields: 'info' }))
        return rows.length
      }),
    ]
    expect(await Promise.all(asked)).toEqual([
      ...specs.map(([, oid]) => oid),
      ...main.refs.slice(0, 50).map(({ oid }) => oid),
      ...main.objects.slice(0, 50).map(({ size }) => size),
      ...Object.entries(main.lsTree).map(([, { flat }]) => flat !== ''),
      main.objects.length,
      main.objects.length,
    ])
  })
})

test('Files that do not fit in memory together are read one after the other', async () => {
  const contents = Array.from({ length: 40 }, (_, at) => noise(at, 200_000))
  const { store, oids } = looseObjects(contents.map((content) => ['blob', content]))
  const get: Store['get'] = (name) => {
    const bytes = store.get(name)
    return bytes instanceof Uint8Array ? asyncRandomAccess(new Uint8Array(bytes)) : null
  }
  await using repo = await open(slow({ get, list: () => [] }), { memory: 1 << 20 })
  const found = await Promise.all(oids.map((oid) => repo.read(oid)))
  expect(found.map(({ data }) => sha256(data))).toEqual(contents.map(sha256))
  expect(repo.stats().memoryHighWater).toBeLessThanOrEqual(1 << 20)
})

test('A listing may return to the same range of a large pack as often as needed', () => {
  const { pack, oids } = packOfBlobs(Array.from({ length: 20_000 }, (_, at) => noise(at, 250)))
  using repo = openSync({ packs: [{ pack }] }, { memory: 6 << 20 })
  const rows = [...repo.objects()]
  expect(rows.map((row) => 'oid' in row && row.oid)).toEqual([...oids].sort())
  expect(repo.stats().blocksRead).toBeGreaterThan(1000)
})

test('Missing objects are looked up concurrently, and a limited number of times', async () => {
  await using repo = await open(slow(asyncStoreOf(folderOf(main))))
  const absent = Array.from({ length: 50 }, (_, at) => `${at}`.padStart(40, '0'))
  expect(await Promise.all(absent.map((oid) => repo.find(oid)))).toEqual(absent.map(() => null))
})

test('A new question does not repeat the search for a missing object', async () => {
  const of = fixture('repacked')
  const store = asyncStoreOf(folderOf({ path: 'repacked/4-last' }))
  const oids = of.objects.slice(0, 12).map(({ oid }) => oid)
  const looks = new Map<string, number>()
  const get: Store['get'] = async (name) => {
    // Other questions begin before this one is answered.
    for (let turns = 0; turns < 4; turns++) await new Promise(setImmediate)
    looks.set(name, (looks.get(name) ?? 0) + 1)
    return store.get(name)
  }
  await using repo = await open({ get, list: (name) => store.list?.(name) ?? [] })
  const queue = Array.from({ length: 600 }, (_, at) => oids[at % oids.length] as string)
  const asking = Array.from({ length: 12 }, async () => {
    for (let oid = queue.pop(); oid; oid = queue.pop()) {
      expect(await repo.resolve(oid.slice(0, 12))).toBe(oid)
    }
  })
  await Promise.all(asking)
  for (const oid of oids) {
    // 50 questions look once each; some look again if they share a name.
    expect(looks.get(`refs/heads/${oid.slice(0, 12)}`)).toBeLessThanOrEqual(60)
  }
})
