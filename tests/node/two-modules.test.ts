/**
 * A page loads the reader, and the full module once a question needs it, with its rest, a second
 * file, if the question needs that. Node always has the full module, so these tests serve both
 * files, and control when and whether they arrive.
 */
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import type * as Packlens from 'packlens'
import * as packlens from 'packlens'
import { afterEach, describe, expect, test } from 'vitest'
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
const bundle = pathToFileURL(path.join(root, 'dist', 'node', 'packlens.js')).href
const wasm = (name: string) => bytesOf(path.join(root, 'dist', 'wasm', name))

const REST_PATH = '/rest.wasm'

/** Serves the full module and its rest: at once, on release, or not at all. */
class ModuleServer {
  /** How often the full module was requested, and its rest. */
  requests = 0
  rests = 0
  isDown = false
  /** What is served as the rest. */
  rest = 'packlens_rest.wasm'
  #held: [string, ServerResponse][] | undefined
  #onRequest: (() => void) | undefined
  readonly #server = createServer(({ url = '' }, response) => {
    if (url === REST_PATH) this.rests++
    else this.requests++
    if (this.#held) this.#held.push([url, response])
    else this.#answer(url, response)
    this.#onRequest?.()
  })

  async listen(): Promise<{ full: string; rest: string }> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
    const origin = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
    return { full: `${origin}/full.wasm`, rest: origin + REST_PATH }
  }

  /** Answers nothing before `release`; resolves once so many files were requested. */
  hold(count = 1): Promise<void> {
    this.#held = []
    return new Promise((resolve) => {
      this.#onRequest = () => {
        if (this.#held?.length === count) resolve()
      }
    })
  }

  release(): void {
    const held = this.#held ?? []
    this.#held = this.#onRequest = undefined
    for (const [url, response] of held) this.#answer(url, response)
  }

  close(): void {
    this.release()
    this.#server.closeAllConnections()
    this.#server.close()
  }

  #answer(url: string, response: ServerResponse): void {
    if (this.isDown) {
      response.destroy()
      return
    }
    response.writeHead(200, { 'content-type': 'application/wasm' })
    response.end(wasm(url === REST_PATH ? this.rest : 'packlens_bg.wasm'))
  }
}

const servers: ModuleServer[] = []
afterEach(() => {
  for (const server of servers.splice(0)) server.close()
})

let copies = 0

/** The package as in a fresh page: a module of its own, with the reader. */
async function inPage(): Promise<{ page: typeof Packlens; server: ModuleServer }> {
  const page: typeof Packlens = await import(/* @vite-ignore */ `${bundle}?copy=${++copies}`)
  const server = new ModuleServer()
  servers.push(server)
  const { full, rest } = await server.listen()
  await page.load({ reader: wasm('packlens_reader.wasm'), wasm: full, rest })
  return { page, server }
}

type Repo = Packlens.Repository
const inHex = (bytes: Uint8Array) => sha256(bytes)

/** The calls of a first page: returns comparable values of the answers. */
const FIRST: readonly [string, (repo: Repo) => unknown][] = [
  ['read', async (repo) => inHex((await repo.read('HEAD')).data)],
  ['readCommit', async (repo) => (await repo.readCommit('HEAD~1')).toJSON()],
  ['info', async (repo) => repo.info('HEAD^{tree}')],
  ['resolve', async (repo) => repo.resolve(head.slice(0, 9))],
  ['refs', async (repo) => (await collect(repo.refs.list())).map(({ name, oid }) => [name, oid])],
  ['walk', async (repo) => (await collect(repo.walk('HEAD', { recursive: true }))).map(String)],
  ['log', async (repo) => (await collect(repo.log('HEAD', { limit: 20 }))).map(({ oid }) => oid)],
  ['readMany', async (repo) => inHex((await repo.readMany(['HEAD', 'HEAD^{tree}'])).bytes)],
  [
    'stream',
    async (repo) =>
      inHex(Buffer.concat(await collect(repo.stream('HEAD') as AsyncIterable<Uint8Array>))),
  ],
]

/** Calls that need the full module. */
const FULL: readonly [string, (repo: Repo) => unknown][] = [
  ['countCommits', async (repo) => repo.countCommits('HEAD')],
  ['revList', async (repo) => collect(repo.revList('HEAD'))],
  ['excluded commits', async (repo) => collect(repo.revList(['HEAD', '^HEAD~2'], { limit: 5 }))],
  ['topological order', async (repo) => collect(repo.revList('HEAD', { order: 'topo', limit: 5 }))],
  ['order of authors', async (repo) => collect(repo.revList('HEAD', { order: 'author-date' }))],
  ['aheadBehind', async (repo) => repo.aheadBehind('HEAD', ['HEAD~1'])],
  ['mergeBase', async (repo) => repo.mergeBase('HEAD', 'HEAD~1')],
  ['patterns of refs', async (repo) => collect(repo.refs.list({ pattern: 'refs/heads/*' }))],
  ['reflog', async (repo) => collect(repo.refs.log('HEAD'))],
  ['reflog selector', async (repo) => repo.resolve('HEAD@{0}')],
  ['message', async (repo) => repo.resolve('HEAD^{/.}')],
  [
    'objects',
    async (repo) => (await collect(repo.objects())).map((row) => 'oid' in row && row.oid),
  ],
  ['pack order', async (repo) => inHex((await repo.readMany(['HEAD'], { order: 'pack' })).bytes)],
  ['config', async (repo) => (await repo.config()).list().map(({ name, value }) => [name, value])],
]

/** Calls that need its rest, too. */
const REST: readonly [string, (repo: Repo) => unknown][] = [
  ['diff', async (repo) => (await collect(repo.diff('HEAD~2', 'HEAD'))).map(({ path }) => path)],
  ['checkAttr', async (repo) => repo.checkAttr('a', { source: 'HEAD' })],
  ['submodules', async (repo) => await collect(repo.submodules())],
  ['index', async (repo) => (await collect(repo.index())).map(({ path }) => path)],
  ['grep', async (repo) => (await collect(repo.grep('HEAD', 'e'))).map(({ path }) => path)],
  [
    'archive',
    async (repo) => inHex(Buffer.concat(await collect(repo.archive('HEAD', { mtime: 1 })))),
  ],
  [
    'blame',
    async (repo) => (await collect(repo.blame('HEAD', 'README.md'))).map(({ commit }) => commit),
  ],
  ['combinedPatches', async (repo) => (await collect(repo.combinedPatches('HEAD'))).map(String)],
  ['nameRev', async (repo) => repo.nameRev(['HEAD'])],
  ['describe', async (repo) => `${await repo.describe('HEAD', { always: true })}`],
  [
    'lastModified',
    async (repo) => (await collect(repo.lastModified('HEAD'))).map(({ commit }) => commit),
  ],
  ['patches', async (repo) => (await collect(repo.patches('HEAD~2', 'HEAD'))).map(String)],
  ['diffText', async (repo) => (await repo.diffText('a', 'b')).toJSON()],
  ['fsck', async (repo) => repo.fsck()],
  ['storage', async (repo) => repo.storage()],
  ['renames', async (repo) => (await collect(repo.log('HEAD', FOLLOWED))).map(({ oid }) => oid)],
  ['same patches', async (repo) => collect(repo.revList(['HEAD...HEAD~2'], { cherryPick: true }))],
]

const ALL = [...FULL, ...REST]

const FOLLOWED = { path: 'README.md', follow: true }

/** Returns the answer or the error, whose class belongs to the copy of the package. */
async function outcome(ask: (repo: Repo) => unknown, repo: Repo): Promise<unknown> {
  try {
    return { answer: await ask(repo) }
  } catch (error) {
    const { code, subject } = error as Packlens.PacklensError
    if (code === undefined) throw error
    return { code, subject }
  }
}

async function codeIn(page: typeof Packlens, ask: () => unknown): Promise<string> {
  return (await errorOf(ask, page.isPacklensError)).code
}

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

  test('the full module and its rest are requested at the same time', async () => {
    const { page, server } = await inPage()
    await using repo = await page.open(folderOf(main), options)
    const both = server.hold(2)
    const description = repo.describe('HEAD', { always: true })
    await both
    server.release()
    expect(`${await description}`).not.toBe('')
  })

  test('while the rest loads, all other calls are answered', async () => {
    const { page, server } = await inPage()
    await using repo = await page.open(folderOf(main), options)
    await using full = await packlens.open(folderOf(main))
    expect(await repo.countCommits('HEAD')).toBe(await full.countCommits('HEAD'))
    const requested = server.hold()
    const waiting = REST.map(([, ask]) => outcome(ask, repo))
    await requested
    const abort = new AbortController()
    const aborted = codeIn(page, () => repo.fsck({ signal: abort.signal }))
    for (const [name, ask] of [...FIRST, ...FULL]) {
      expect(await outcome(ask, repo), name).toEqual(await outcome(ask, full))
    }
    abort.abort()
    expect(await aborted).toBe('ABORTED')
    server.release()
    for (const [at, [name, ask]] of REST.entries()) {
      expect(await waiting[at], name).toEqual(await outcome(ask, full))
    }
    expect([server.requests, server.rests]).toEqual([1, 1])
  })

  test('without a network for the rest the error says so, and the next call retries', async () => {
    const { page, server } = await inPage()
    await using repo = await page.open(folderOf(main), options)
    const commits = await repo.countCommits('HEAD')
    server.isDown = true
    for (let turn = 0; turn < 2; turn++) {
      const error = await errorOf(() => repo.storage(), page.isPacklensError)
      expect(error.code).toBe('NETWORK')
      expect(error.message).toContain('the rest of the full module, which did not load')
      expect(await repo.countCommits('HEAD')).toBe(commits)
    }
    server.isDown = false
    expect((await repo.storage()).packs).not.toEqual([])
  })

  test('the rest of another version is refused, and replaced by the next one', async () => {
    const { page, server } = await inPage()
    await using repo = await page.open(folderOf(main), options)
    const commits = await repo.countCommits('HEAD')
    const before = repo.stats()
    server.rest = 'packlens_reader.wasm'
    const error = await errorOf(() => repo.storage(), page.isPacklensError)
    expect([error.code, error.message]).toEqual([
      'BAD_INPUT',
      expect.stringContaining('serve files of one version'),
    ])
    // The instance goes on: a fresh one would count from 0.
    expect(before.bytesRead).toBeGreaterThan(0)
    expect(repo.stats().bytesRead).toBe(before.bytesRead)
    expect(await repo.countCommits('HEAD')).toBe(commits)
    server.rest = 'packlens_rest.wasm'
    expect((await repo.storage()).packs).not.toEqual([])
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
    // Each thread loads its own module.
    expect(server.requests).toBe(2)
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
  const page: typeof Packlens = await import(/* @vite-ignore */ `${bundle}?copy=${++copies}`)
  const server = new ModuleServer()
  servers.push(server)
  const { full: address } = await server.listen()
  server.isDown = true
  expect(await codeIn(page, () => page.load(address))).toBe('NETWORK')
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

test('a synchronous call that needs the rest says what to do', async () => {
  const { page } = await inPage()
  using repo = page.openSync(folderOf(main))
  await using other = await page.open(folderOf(main))
  await other.countCommits('HEAD')
  expect(repo.countCommits('HEAD')).toBeGreaterThan(1)
  const error = await errorOf(() => repo.storage(), page.isPacklensError)
  expect([error.code, error.message]).toEqual([
    'BAD_INPUT',
    expect.stringContaining("load({ preload: 'full' })"),
  ])
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
