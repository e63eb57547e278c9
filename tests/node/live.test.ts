/** Repositories that change while they are open. */
import { cpSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { open, openSync } from 'packlens'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { asyncStoreOf, bytesOf, packFiles, storeOf } from './sources.ts'
import { codeOf, collect, fixture, folderOf } from './support.ts'

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
  // Little memory: most of the pack is still to be read.
  using repo = openSync(copy, { memory: 2 << 20 })
  expect(repo.readSync('HEAD').oid).toBe(main.head.oid)
  for (const { pack, idx } of packFiles({ path: path.relative(folderOf({ path: '' }), copy) })) {
    rmSync(pack)
    rmSync(idx)
  }
  for (const object of main.objects) expect(repo.readSync(object.oid).size).toBe(object.size)
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
