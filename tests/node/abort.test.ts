/** Ends calls early: by a signal, or by closing. */
import type { RandomAccess, Repository, Store, SyncRepository } from 'packlens'
import { open, openSync } from 'packlens'
import { describe, expect, test } from 'vitest'
import { asyncStoreOf, hanging, storeOf } from './sources.ts'
import { codeOf, collect, errorOf, fixture, folderOf } from './support.ts'

const main = fixture('main')
const oid = main.objects[0]?.oid ?? ''

const calls: [string, (repo: Repository, signal: AbortSignal) => Promise<unknown>][] = [
  ['read', (repo, signal) => repo.read(oid, { signal })],
  ['find', (repo, signal) => repo.find(oid, { signal })],
  ['info', (repo, signal) => repo.info(oid, { signal })],
  ['resolve', (repo, signal) => repo.resolve(oid.slice(0, 7), { signal })],
  ['readMany', (repo, signal) => repo.readMany([oid], { signal })],
  ['objects', (repo, signal) => collect(repo.objects({ signal }))],
  ['log', (repo, signal) => collect(repo.log(oid, { signal }))],
  ['walk', (repo, signal) => collect(repo.walk(oid, { signal }))],
]

describe.each(calls)('%s', (_, call) => {
  test('ends before it begins if the signal was aborted', async () => {
    await using repo = await open(storeOf(folderOf(main)))
    const before = repo.stats()
    const reason = new Error('no need')
    const error = await errorOf(() => call(repo, AbortSignal.abort(reason)))
    expect([error.code, error.cause]).toEqual(['ABORTED', reason])
    expect(repo.stats()).toEqual(before)
  })

  test('ends when the signal is aborted, also if the source hangs', async () => {
    const { source, signals, wasAsked } = hanging()
    await using repo = await open(source)
    const controller = new AbortController()
    const answer = errorOf(() => call(repo, controller.signal))
    await wasAsked
    const reason = new Error('took too long')
    controller.abort(reason)
    const error = await answer
    expect([error.code, error.cause]).toEqual(['ABORTED', reason])
    expect(signals.map((signal) => signal.aborted)).toEqual([true])
  })

  test('ends when the repository is closed, also if the source hangs', async () => {
    const { source, signals, wasAsked } = hanging()
    const repo = await open(source)
    const answer = codeOf(() => call(repo, new AbortController().signal))
    await wasAsked
    repo.close()
    expect(await answer).toBe('CLOSED')
    expect(signals.map((signal) => signal.aborted)).toEqual([true])
  })

  test('is CLOSED after the repository was closed', async () => {
    const repo = await open(storeOf(folderOf(main)))
    repo.close()
    repo.close()
    expect(await codeOf(() => call(repo, new AbortController().signal))).toBe('CLOSED')
  })
})

test('Opening and listing refs end when the signal is aborted', async () => {
  const nothing: Store = { get: () => new Promise(() => {}), list: () => new Promise(() => {}) }
  for (const abort of [AbortSignal.abort(), AbortSignal.timeout(20)]) {
    const error = await errorOf(() => open(nothing, { signal: abort }))
    expect([error.code, error.cause]).toEqual(['ABORTED', abort.reason])
  }
  const store = asyncStoreOf(folderOf(main))
  let hangs = false
  const get: Store['get'] = (path) => (hangs ? new Promise(() => {}) : store.get(path))
  const repo = await open({ ...store, get })
  hangs = true
  const abort = AbortSignal.timeout(20)
  expect(await codeOf(() => collect(repo.refs.list({ signal: abort })))).toBe('ABORTED')
  expect(await codeOf(() => repo.refs.get('HEAD', { signal: abort }))).toBe('ABORTED')
  hangs = false
  expect((await repo.refs.get('HEAD'))?.oid).toBe(main.head.oid)
  repo.close()
})

test('A call that is not aborted gets the bytes that an aborted one had requested', async () => {
  const store = asyncStoreOf(folderOf(main))
  const reads: AbortSignal[] = []
  let goOn = () => {}
  const gate = new Promise<void>((resolve) => {
    goOn = resolve
  })
  let gated = false
  const get: Store['get'] = async (path) => {
    const file = (await store.get(path)) as RandomAccess | null
    if (!file || !path.endsWith('.pack')) return file
    return {
      size: file.size,
      read: async (offset, length, options) => {
        if (options?.signal) reads.push(options.signal)
        if (gated) await gate
        options?.signal?.throwIfAborted()
        return file.read(offset, length)
      },
    }
  }
  await using repo = await open({ ...store, get }, { memory: 5 << 19 })
  gated = true
  const controller = new AbortController()
  const first = codeOf(() => repo.read(oid, { signal: controller.signal }))
  const second = repo.read(oid)
  await expect.poll(() => reads.length).toBe(1)
  controller.abort()
  expect(await first).toBe('ABORTED')
  goOn()
  expect((await second).oid).toBe(oid)
  expect(reads.map((signal) => signal.aborted)).toContain(false)
})

test('An aborted listing ends between two pages and frees what it held', async () => {
  await using repo = await open(folderOf(main), { memory: 5 << 19 })
  const controller = new AbortController()
  const seen: string[] = []
  const error = await errorOf(async () => {
    for await (const row of repo.objects({ signal: controller.signal })) {
      seen.push(row.type)
      controller.abort()
    }
  })
  expect(error.code).toBe('ABORTED')
  expect(seen.length).toBeGreaterThan(0)
  expect(seen.length).toBeLessThan(main.objects.length)
})

test('Leaving a listing early does not affect a listing of another repository', async () => {
  const first = openSync(folderOf(main), { memory: 5 << 19 })
  const left = first.objects()
  left.next()
  first.close()
  // The numbers of the closed session and of its listing are free again.
  using second = openSync(folderOf(main), { memory: 5 << 19 })
  const going = second.objects()
  const ids = [going.next().value].map((row) => (row && 'oid' in row ? row.oid : ''))
  left.return(undefined)
  for (const row of going) if ('oid' in row && row.dataOffset === 0) ids.push(row.oid)
  expect(ids).toEqual(main.objects.map((object) => object.oid))
})

test('Closing is safe at any time, and `using` closes at the end of a scope', async () => {
  let kept: Repository | SyncRepository
  {
    using repo = openSync(folderOf(main))
    kept = repo
  }
  expect(await codeOf(() => kept.read('HEAD'))).toBe('CLOSED')
  expect(await codeOf(() => kept.stats())).toBe('CLOSED')
  expect(await codeOf(() => kept.refs.list())).toBe('CLOSED')
  {
    await using repo = await open(folderOf(main))
    kept = repo
  }
  const closed = kept
  expect(await codeOf(() => closed.find('HEAD'))).toBe('CLOSED')
  closed.close()
  await closed[Symbol.asyncDispose]()
  kept[Symbol.dispose]()
})
