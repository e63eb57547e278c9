/** Repositories that change while they are open, and many questions at the same time. */
import { cpSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import type { RandomAccess, Store } from 'packlens'
import { open, openSync } from 'packlens'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { asyncStoreOf, bytesOf, packFiles, storeOf } from './sources.ts'
import { codeOf, collect, fixture, folderOf, sha256 } from './support.ts'

const unborn = fixture('unborn')
const loose = fixture('loose')
const tiny = fixture('tiny')
const main = fixture('main')

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'packlens-'))
})
afterAll(() => {
  rmSync(folder, { recursive: true, force: true })
})

/** A copy of a fixture that may be changed. */
function copyOf(of: typeof unborn): string {
  const copy = mkdtempSync(path.join(folder, 'repository-'))
  cpSync(folderOf(of), copy, { recursive: true })
  return copy
}

function addObjects(copy: string, of: typeof unborn): void {
  cpSync(path.join(folderOf(of), 'objects'), path.join(copy, 'objects'), { recursive: true })
}

const ways: [string, (copy: string) => Promise<Awaited<ReturnType<typeof open>>>][] = [
  ['a path', async (copy) => openSync(copy)],
  ['a store that answers at once', async (copy) => openSync(storeOf(copy))],
  ['a store that promises', (copy) => open(asyncStoreOf(copy))],
]

describe.each(ways)('A repository that is open from %s', (_, openIt) => {
  test('sees loose objects that came since', async () => {
    const copy = copyOf(unborn)
    using repo = await openIt(copy)
    const oid = loose.head.oid ?? ''
    expect(await repo.find(oid)).toBeNull()
    expect(await collect(repo.objects())).toHaveLength(unborn.objects.length)
    addObjects(copy, loose)
    expect((await repo.read(oid)).type).toBe('commit')
    expect(await repo.resolve(oid.slice(0, 9))).toBe(oid)
    expect(await collect(repo.objects())).toHaveLength(loose.objects.length + unborn.objects.length)
  })

  test('sees packs that came since', async () => {
    const copy = copyOf(unborn)
    using repo = await openIt(copy)
    const oid = tiny.head.oid ?? ''
    expect(await codeOf(() => repo.read(oid))).toBe('NOT_FOUND')
    addObjects(copy, tiny)
    expect((await repo.info(oid)).pack).toMatch(/^objects\/pack\/pack-11cbf/)
    // Objects are there in both packs when a repack adds one and removes another.
    addObjects(copy, main)
    for (const object of tiny.objects) expect((await repo.read(object.oid)).size).toBe(object.size)
    expect((await repo.read(main.head.oid ?? '')).type).toBe('commit')
  })

  test('sees refs that came, moved and went', async () => {
    const copy = copyOf(loose)
    using repo = await openIt(copy)
    const [first, second] = [loose.resolve['main~1'], loose.resolve['main~2']] as string[]
    const file = path.join(copy, 'refs', 'heads', 'fresh')
    const names = async () => (await collect(repo.refs.list())).map(({ name }) => name)
    expect(await repo.refs.get('refs/heads/fresh')).toBeNull()
    expect(await names()).not.toContain('refs/heads/fresh')
    writeFileSync(file, `${first}\n`)
    expect(await repo.resolve('fresh')).toBe(first)
    expect(await names()).toContain('refs/heads/fresh')
    // As git does it: another file of the same length takes the name.
    writeFileSync(`${file}.lock`, `${second}\n`)
    renameSync(`${file}.lock`, file)
    expect(await repo.resolve('fresh')).toBe(second)
    expect((await repo.refs.get('refs/heads/fresh'))?.oid).toBe(second)
    rmSync(file)
    writeFileSync(path.join(copy, 'packed-refs'), `${first} refs/heads/packed\n`)
    expect(await codeOf(() => repo.resolve('fresh'))).toBe('NOT_FOUND')
    expect(await repo.resolve('packed')).toBe(first)
    writeFileSync(path.join(copy, 'HEAD'), 'ref: refs/heads/packed\n')
    expect((await repo.refs.get('HEAD'))?.target).toBe('refs/heads/packed')
    expect(await repo.resolve('HEAD')).toBe(first)
  })
})

test('An open pack that was deleted is read on', () => {
  const copy = copyOf(main)
  using repo = openSync(copy)
  expect(repo.readSync('HEAD').oid).toBe(main.head.oid)
  for (const { pack, idx } of packFiles({ path: path.relative(folderOf({ path: '' }), copy) })) {
    rmSync(pack)
    rmSync(idx)
  }
  for (const object of main.objects) expect(repo.readSync(object.oid).size).toBe(object.size)
})

/** A store whose every answer comes late, and not in the order asked. */
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

describe('200 reads at the same time', () => {
  test.each(['main', 'mixed', 'loose', 'big-chain'])('of %s are right', async (name) => {
    const of = fixture(name)
    await using repo = await open(slow(asyncStoreOf(folderOf(of))), { memory: 1 << 20 })
    const wanted = Array.from({ length: 200 }, (_, at) => {
      const object = of.objects[(at * 7) % of.objects.length]
      if (!object) throw new Error('no object')
      return object
    })
    const found = await Promise.all(wanted.map(({ oid }) => repo.read(oid)))
    expect(found.map(({ data }) => sha256(data))).toEqual(wanted.map((object) => object.sha256))
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

test('A store that gives the same bytes again is not read again', async () => {
  const files = new Map(
    ['HEAD', 'config', 'packed-refs'].map((name) => [
      name,
      bytesOf(path.join(folderOf(main), name)),
    ]),
  )
  using repo = openSync({ get: (name) => files.get(name), list: () => [] })
  expect(repo.refs.getSync('HEAD')?.oid).toBe(main.head.oid)
  const before = repo.stats()
  const packed = main.refs.filter(({ symref }) => symref === null)
  for (const { name, oid } of packed) expect(repo.refs.getSync(name)?.oid).toBe(oid)
  expect(repo.stats().bytesRead).toBe(before.bytesRead)
})

test('Objects that are nowhere are looked for at the same time, and not for ever', async () => {
  await using repo = await open(slow(asyncStoreOf(folderOf(main))))
  const absent = Array.from({ length: 50 }, (_, at) => `${at}`.padStart(40, '0'))
  expect(await Promise.all(absent.map((oid) => repo.find(oid)))).toEqual(absent.map(() => null))
})
