/** Errors of a worker, and of a source that it reads, equal those without a worker. */
import { cpSync, existsSync, rmSync, symlinkSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import type * as Packlens from 'packlens'
import type { RepoSource, Repository, Store } from 'packlens'
import { open } from 'packlens'
import { describe, expect, test } from 'vitest'
import { bytesOf, packFiles, storeOf } from './sources.ts'
import { collect, errorOf, fixture, folderOf, root, sha256 } from './support.ts'
import { calls, openIt, thrown } from './worker-support.ts'

const main = fixture('main')
const oid = main.objects[0]?.oid ?? ''
const target = path.resolve(root, process.env.CARGO_TARGET_DIR || 'target')

/** A source that throws what `fail` returns, if anything, instead of returning bytes. */
function failing(fail: () => unknown): Store {
  const store = storeOf(folderOf(main))
  const get: Store['get'] = async (name) => {
    if (name.startsWith('objects/') || name === 'packed-refs') await fail()
    return store.get(name)
  }
  return { ...store, get }
}

describe('An error', () => {
  test('is equal to the error without a worker, and the next call is answered', async () => {
    const [files] = packFiles(main)
    const pack = bytesOf(files?.pack ?? '')
    for (let at = 200; at < pack.length - 20; at += 97) pack[at] = (pack[at] ?? 0) ^ 0xff
    const source = { packs: [{ pack, idx: bytesOf(files?.idx ?? '') }] }
    await using direct = await open(source)
    await using repo = await openIt(source)
    const reported = async (repo: Repository, oid: string) => {
      const error = await repo.read(oid).then(
        () => null,
        (error) => error,
      )
      return error && { ...error, message: error.message, isError: error instanceof Error }
    }
    const codes = new Set<string>()
    for (const { oid } of main.objects) {
      const error = await reported(repo, oid)
      expect(error).toEqual(await reported(direct, oid))
      codes.add(error?.code)
    }
    expect([...codes].sort()).toEqual(['CORRUPT', undefined])
    const rows = async (repo: Repository) => {
      const batch = await repo.readMany(main.objects.map(({ oid }) => oid))
      return [...batch].map((row) => (row.type === 'failed' ? row.error.message : row.type))
    }
    expect(await rows(repo)).toEqual(await rows(direct))
    expect(await rows(repo)).toContainEqual(expect.stringContaining('pack-0.pack at offset'))
  })

  test.each([
    ['a number', 42],
    ['nothing', null],
    ['an empty object', {}],
    ['packs that are a text', { packs: 'x' }],
    ['a missing path', '/nowhere/at/all'],
    ['a pack that is a text', { packs: [{ pack: 'x' }] }],
    ['a read that is missing', { packs: [{ pack: { size: 5, read: 7 } }] }],
    ['a read of a wrong size', { packs: [{ pack: { size: -1, read() {} } }] }],
  ])('of opening %s is equal', async (_, source) => {
    const direct = await errorOf(() => open(source as RepoSource))
    const error = await errorOf(() => openIt(source as RepoSource))
    expect([error.code, error.message]).toEqual([direct.code, direct.message])
  })

  test.each(calls)('that the source throws in %s is the cause of another', async (_, call) => {
    class OfTheUser extends Error {
      readonly more = { anything: () => 1 }
    }
    let fails: unknown
    const source = failing(() => {
      if (fails) throw fails
    })
    await using repo = await openIt(source)
    for (fails of [
      new OfTheUser('not today'),
      'a text',
      new DOMException('no', 'DataCloneError'),
    ]) {
      const error = await errorOf(() => call(repo))
      expect([error.code, error.cause]).toEqual(['SOURCE', fails])
      expect(error.cause).toBe(fails)
    }
    fails = undefined
    expect((await repo.read('HEAD')).oid).toBe(main.head.oid)
  })

  test('of a path equals the error without a worker', async () => {
    const folder = path.join(target, 'tmp', 'loop')
    rmSync(folder, { recursive: true, force: true })
    cpSync(folderOf(fixture('tiny')), folder, { recursive: true })
    symlinkSync('loop', path.join(folder, 'refs', 'heads', 'loop'))
    await using direct = await open(folder)
    await using repo = await openIt(folder)
    const reported = async (repo: Repository) => {
      const { code, message } = await errorOf(() => repo.resolve('refs/heads/loop'))
      return { code, message }
    }
    expect((await reported(repo)).code).toBe('NOT_FOUND')
    expect(await reported(repo)).toEqual(await reported(direct))
    expect((await repo.read('HEAD')).oid).toBe(fixture('tiny').head.oid)
  })

  test('that the source throws when it is opened is the cause of another', async () => {
    const error = new Error('locked')
    const get = () => Promise.reject(error)
    const { code, cause } = await errorOf(() => openIt({ get }))
    expect([code, cause]).toEqual(['SOURCE', error])
    expect(cause).toBe(error)
  })
})

describe('A trap in the worker', () => {
  const entry = path.join(target, 'trap', 'dist', 'index.node.js')

  test('is INTERNAL, the next call is answered, and no other call is affected', async () => {
    if (!existsSync(entry)) throw new Error('run `npm test -- node`, which makes target/trap')
    const trapping = (await import(/* @vite-ignore */ pathToFileURL(entry).href)) as typeof Packlens
    await using repo = await trapping.open(folderOf(main), { worker: true })
    await using other = await trapping.open(folderOf(main), { worker: true, memory: 5 << 19 })
    const rows = other.objects()
    await rows.next()
    for (let turn = 0; turn < 3; turn++) {
      const error = (await thrown(() => repo.read('trap!'))) as Packlens.PacklensError
      expect(error).toBeInstanceOf(trapping.PacklensError)
      expect([error.code, error.message]).toEqual([
        'INTERNAL',
        expect.stringContaining('fresh instance'),
      ])
      expect(error.cause).toMatchObject({ name: 'RuntimeError', message: 'unreachable' })
      expect(sha256((await repo.read(oid)).data)).toBe(main.objects[0]?.sha256)
    }
    const left = await collect(rows)
    expect(left.filter((row) => !('dataOffset' in row) || row.dataOffset === 0).length).toBe(
      main.objects.length - 1,
    )
  })
})
