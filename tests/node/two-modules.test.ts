/**
 * A page loads the reader, and the full module once a question needs it. Node always has the full
 * module, so these tests serve it, and control when and whether it arrives.
 */
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import * as packlens from 'packlens'
import { afterEach, describe, expect, test } from 'vitest'
import { FIRST, FULL, REST } from './module-calls.ts'
import {
  closeServers,
  codeIn,
  emptyPage,
  inPage,
  outcome,
  type Repo,
  wasm,
} from './module-pages.ts'
import { bytesOf, packs } from './sources.ts'
import {
  collect,
  errorOf,
  fixture,
  folderOf,
  gitDirectoryOf,
  root,
  sha256,
  whole,
} from './support.ts'

const main = fixture('main')
const head = main.head.oid ?? ''
const ALL = [...FULL, ...REST]

afterEach(closeServers)

describe.each([{ worker: false }, { worker: true }])('With the reader loaded, %o', (options) => {
  test('answers the calls of a first page', async () => {
    const { page, server } = await inPage()
    await using repo = await page.open(folderOf(main), options)
    await using full = await packlens.open(folderOf(main))
    for (const [name, ask] of FIRST) {
      expect(await outcome(ask, repo), name).toEqual(await outcome(ask, full))
    }
    expect(server.requests).toBe(0)
  })

  test.each([
    ...FULL.map((call) => [...call, 0] as const),
    ...REST.map((call) => [...call, 1] as const),
  ])('%s loads the full module once, and its rest if needed', async (_, ask, rests) => {
    const { page, server } = await inPage()
    await using repo = await page.open(folderOf(main), options)
    await using full = await packlens.open(folderOf(main))
    const answer = await outcome(ask, full)
    expect(await outcome(ask, repo)).toEqual(answer)
    expect(server.requests).toBe(1)
    expect(await outcome(ask, repo)).toEqual(answer)
    for (const [name, ask] of FIRST) {
      expect(await outcome(ask, repo), name).toEqual(await outcome(ask, full))
    }
    expect([server.requests, server.rests]).toEqual([1, rests])
  })

  test('while the full module loads, all other calls are answered', async () => {
    const { page, server } = await inPage()
    await using repo = await page.open(folderOf(main), options)
    await using full = await packlens.open(folderOf(main))
    const requested = server.hold()
    const waiting = ALL.map(([, ask]) => outcome(ask, repo))
    await requested
    const abort = new AbortController()
    const aborted = codeIn(page, () => repo.countCommits('HEAD', { signal: abort.signal }))
    for (const [name, ask] of FIRST) {
      expect(await outcome(ask, repo), name).toEqual(await outcome(ask, full))
    }
    abort.abort()
    expect(await aborted).toBe('ABORTED')
    server.release()
    for (const [at, [name, ask]] of ALL.entries()) {
      expect(await waiting[at], name).toEqual(await outcome(ask, full))
    }
    expect([server.requests, server.rests]).toEqual([1, 1])
  })

  test('listings and streams that are half read continue to their ends', async () => {
    const { page } = await inPage()
    const largest = [...main.objects].sort((a, b) => b.size - a.size)[0]
    await using repo = await page.open(folderOf(main), options)
    await using full = await packlens.open(folderOf(main))
    const begin = (of: Repo): AsyncIterable<unknown>[] => [
      of.walk('HEAD', { recursive: true }),
      of.log('HEAD', { limit: 30 }),
      of.refs.list(),
      of.stream(largest?.oid ?? '', { chunkSize: 10_000 }) as AsyncIterable<Uint8Array>,
    ]
    const iterators = begin(repo).map((list) => list[Symbol.asyncIterator]())
    const firsts = await Promise.all(iterators.map((iterator) => iterator.next()))
    expect(await repo.countCommits('HEAD')).toBe(await full.countCommits('HEAD'))
    for (const [at, list] of begin(full).entries()) {
      const seen: unknown[] = [firsts[at]?.value]
      const rest = iterators[at]
      for (let next = await rest?.next(); next && !next.done; next = await rest?.next()) {
        seen.push(next.value)
      }
      expect(JSON.stringify(seen), `${at}`).toBe(JSON.stringify(await collect(list)))
    }
  })

  test('without a network the error says so, and the next call retries', async () => {
    const { page, server } = await inPage()
    await using repo = await page.open(folderOf(main), options)
    server.isDown = true
    for (let turn = 0; turn < 2; turn++) {
      const error = await errorOf(() => repo.countCommits('HEAD'), page.isPacklensError)
      expect(error.code).toBe('NETWORK')
      expect(error.message).toContain('the full module, which did not load')
      expect((await repo.read('HEAD')).oid).toBe(main.head.oid)
    }
    server.isDown = false
    expect(await repo.countCommits('HEAD')).toBeGreaterThan(1)
  })

  test('a repository that is closed meanwhile answers nothing', async () => {
    const { page, server } = await inPage()
    const repo = await page.open(folderOf(main), options)
    const requested = server.hold()
    const failed = codeIn(page, () => repo.countCommits('HEAD'))
    await requested
    repo.close()
    expect(await failed).toBe('CLOSED')
    server.release()
    expect(await codeIn(page, () => repo.read('HEAD'))).toBe('CLOSED')
  })
})

describe('Opening loads the full module', () => {
  test.each([
    ['reftables', 'reftable', 1],
    ['reftables of SHA-256', 'reftable-sha256', 1],
    ['indexes of version 1: no', 'index-v1', 0],
    ['loose objects: no', 'loose', 0],
    ['SHA-256: no', 'sha256', 0],
  ])('for %s', async (_, name, requests) => {
    const { page, server } = await inPage()
    const of = fixture(name)
    await using repo = await page.open(folderOf(of))
    await using full = await packlens.open(folderOf(of))
    const names = async (repo: Repo) => (await collect(repo.refs.list())).map(({ name }) => name)
    expect(await names(repo)).toEqual(await names(full))
    expect(server.requests).toBe(requests)
  })

  test.each([
    ["`verify: 'crc'`", { verify: 'crc' }],
    ['a hook for what is missing', { missing: () => null }],
  ] as const)('for %s, in this thread and in a worker', async (_, options) => {
    const { page, server } = await inPage()
    for (const worker of [false, true]) {
      await using repo = await page.open(folderOf(main), { ...options, worker })
      expect((await repo.read('HEAD')).oid).toBe(head)
    }
    // The worker gets the module of this thread.
    expect(server.requests).toBe(1)
  })

  test('for a bundle', async () => {
    const { page, server } = await inPage()
    const bundle = bytesOf(path.join(root, 'target', 'fixtures', 'bundles', 'one.bundle'))
    await using repo = await page.open({ bundle })
    expect(await collect(repo.refs.list())).not.toEqual([])
    expect(server.requests).toBe(1)
  })

  test('for a pack without an index', async () => {
    const { page, server } = await inPage()
    await using repo = await page.open(packs(main, (bytes) => bytes, { idx: false }))
    expect((await repo.read(head)).oid).toBe(main.head.oid)
    expect(server.requests).toBe(1)
  })
})

/** A copy of the fixture `main`, to write into. */
function writable(name: string): string {
  const folder = path.join(root, 'target', 'tmp', `two-modules-${name}`)
  rmSync(folder, { recursive: true, force: true })
  cpSync(gitDirectoryOf(main), folder, { recursive: true })
  return folder
}

test('if objects are replaced meanwhile, a stream continues in the full module', async () => {
  const { page, server } = await inPage()
  const folder = writable('replaced')
  const largest = [...main.objects].sort((a, b) => b.size - a.size)[0]
  const [replaced, other] = main.objects.filter(({ type }) => type === 'blob')
  await using repo = await page.open(folder)
  const stream = repo.stream(largest?.oid ?? '', { chunkSize: 10_000 }).getReader()
  const chunks = [(await stream.read()).value as Uint8Array]
  const refs = path.join(folder, 'refs', 'replace')
  mkdirSync(refs, { recursive: true })
  writeFileSync(path.join(refs, replaced?.oid ?? ''), `${other?.oid}\n`)
  repo.refresh()
  for (let next = await stream.read(); !next.done; next = await stream.read()) {
    chunks.push(next.value)
  }
  expect(sha256(Buffer.concat(chunks))).toBe(largest?.sha256)
  expect(sha256((await repo.read(replaced?.oid ?? '')).data)).toBe(other?.sha256)
  expect(server.requests).toBe(1)
})

test('every object of every fixture is equal in the reader', async () => {
  const { page } = await inPage()
  let objects = 0
  for (const of of whole) {
    await using repo = await page.open(folderOf(of))
    for (const object of of.objects.slice(0, 40)) {
      expect(sha256((await repo.read(object.oid)).data), object.oid).toBe(object.sha256)
      objects++
    }
  }
  expect(objects).toBeGreaterThan(200)
})

test('a wrong address of a module can be replaced by the next one', async () => {
  const { page, server, addresses } = await emptyPage()
  server.isDown = true
  expect(await codeIn(page, () => page.load(addresses.full))).toBe('NETWORK')
  await page.load(wasm('packlens_bg.wasm'))
  await using repo = await page.open(folderOf(main))
  expect((await repo.read('HEAD')).oid).toBe(head)
})

test('a synchronous call says what to do', async () => {
  const { page, server } = await inPage()
  using repo = page.openSync(folderOf(main))
  expect(repo.read('HEAD').oid).toBe(main.head.oid)
  const error = await errorOf(() => repo.countCommits('HEAD'), page.isPacklensError)
  expect([error.code, error.message]).toEqual([
    'BAD_INPUT',
    expect.stringContaining("load({ preload: 'full' })"),
  ])
  await page.load({ preload: 'full' })
  expect(repo.countCommits('HEAD')).toBeGreaterThan(1)
  expect(repo.storage().packs).not.toEqual([])
  expect([server.requests, server.rests]).toEqual([1, 1])
})

test('counters add up across modules', async () => {
  const { page } = await inPage()
  await using repo = await page.open(folderOf(main))
  await repo.read('HEAD')
  const before = repo.stats()
  await repo.countCommits('HEAD')
  const after = repo.stats()
  for (const name of ['lookups', 'objects', 'bytesRead', 'filesOpened', 'bytesOut'] as const) {
    expect(after[name], name).toBeGreaterThanOrEqual(before[name])
  }
})
