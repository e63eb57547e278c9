/** Workers that share jobs over whole packs: the same answers, each row once. */

import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import type { ObjectsOptions, OpenOptions, RepoSource } from 'packlens'
import { checkPack, indexPack, open } from 'packlens'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { LongQuestion } from '../../dist/base/protocol.js'
import type { Engine, Pages, Sharing } from '../../dist/engine/engine.js'
import { sharingOf } from '../../dist/engine/local-sharing.js'
import { WorkerPool } from '../../dist/engine/worker-pool.js'
import { load } from '../../dist/index.node.js'
import { pathStore } from '../../dist/node/path-store.js'
import { spawn } from '../../dist/node/spawn.js'
import { filterOf } from '../../dist/objects/filter.js'
import { dispatchRecords } from '../../dist/objects/pack-records.js'
import { openEngine, sessionOptions } from '../../dist/opening/open.js'
import { packQuestion } from '../../dist/packs/pack-answers.js'
import { openEngineInWorker } from '../../dist/worker/open.js'
import { runProcess } from './cli-support.ts'
import { manyObjects } from './many-objects.ts'
import { codeOf, sha256 } from './support.ts'

/** Ten work units: below eight, no workers are started. */
const COUNT = 40_000

let folder: string
let stem: string
let scratch: string

beforeAll(() => {
  ;({ folder, stem } = manyObjects(COUNT))
  scratch = mkdtempSync(path.join(os.tmpdir(), 'packlens-pool-'))
})

afterAll(() => {
  for (const made of [folder, scratch]) rmSync(made, { recursive: true, force: true })
})

async function listed(source: RepoSource, options: OpenOptions, how: ObjectsOptions = {}) {
  const repo = await open(source, options)
  try {
    const rows: string[] = []
    for await (const row of repo.objects({ ...how, unordered: true })) {
      if (row.type === 'failed') rows.push(`${row.error.code} ${row.error.message}`)
      else if ('data' in row) rows.push(`${row.oid} ${row.deltaDepth} ${sha256(row.data)}`)
    }
    return { rows: rows.sort(), stats: repo.stats() }
  } finally {
    repo.close()
  }
}

describe.each([{ worker: false }, { worker: true }])('With %o', (of) => {
  test('all objects are listed once, whichever engine makes them', async () => {
    const alone = await listed(folder, of)
    expect(alone.rows.length).toBe(COUNT)
    for (const how of [{}, { lend: true }, { fields: 'both' }] as const) {
      const { rows, stats } = await listed(folder, { ...of, workers: 2 }, how)
      expect(rows).toEqual(alone.rows)
      expect(stats.deltasApplied).toBe(alone.stats.deltasApplied)
      expect(stats.objects).toBe(COUNT)
    }
  })

  test('those of a size are listed once', async () => {
    const maxSize = 70
    const alone = await listed(folder, of, { maxSize })
    expect(alone.rows.length).toBeGreaterThan(1000)
    expect(alone.rows.length).toBeLessThan(COUNT - 1000)
    const { rows, stats } = await listed(folder, { ...of, workers: 2 }, { maxSize })
    expect(rows).toEqual(alone.rows)
    expect(stats.objects).toBe(rows.length)
  })

  test('the index of a pack equals git’s, and the progress counts all engines', async () => {
    const seen: number[] = []
    const onProgress = ({ done, total }: { done: number; total: number }) => {
      seen.push(done / total)
    }
    const { idx, objects } = await indexPack(`${stem}.pack`, { ...of, workers: 2, onProgress })
    expect(objects).toBe(COUNT)
    expect(Buffer.compare(idx, readFileSync(`${stem}.idx`))).toBe(0)
    expect(seen.at(-1)).toBe(1)
    expect(seen).toEqual([...seen].sort((one, other) => one - other))
  })

  test('a pack is verified, and damage in it is found', async () => {
    const options = { ...of, workers: 2 }
    await using repo = await open(folder, options)
    expect((await repo.checkPack(path.basename(stem))).objects).toBe(COUNT)
    const pack = readFileSync(`${stem}.pack`)
    const half = pack.length >> 1
    pack[half] = (pack[half] ?? 0) ^ 1
    expect(await codeOf(() => checkPack(pack, readFileSync(`${stem}.idx`), options))).toBe(
      'CORRUPT',
    )
    expect(await codeOf(() => indexPack(pack, options))).toBe('CORRUPT')
  })

  test('a damaged object has a row that says so', async () => {
    const damaged = path.join(scratch, `damaged-${of.worker}`)
    const pack = readFileSync(`${stem}.pack`)
    pack.fill(0, 500_000, 501_000)
    const files = { pack: `${damaged}.pack`, idx: `${damaged}.idx` }
    writeFileSync(files.pack, pack)
    copyFileSync(`${stem}.idx`, files.idx)
    const source = { packs: [{ pack, idx: readFileSync(files.idx) }] }
    const alone = await listed(source, of)
    expect(alone.rows.filter((row) => row.startsWith('CORRUPT')).length).toBeGreaterThan(5)
    expect((await listed(source, { ...of, workers: 1 })).rows).toEqual(alone.rows)
  })

  test('leaving early, or an abort, ends all workers', async () => {
    await using repo = await open(folder, { ...of, workers: 2 })
    for await (const _ of repo.objects({ unordered: true })) break
    const control = new AbortController()
    const all = async () => {
      let count = 0
      for await (const _ of repo.objects({ unordered: true, signal: control.signal })) {
        if (++count === 100) control.abort()
      }
    }
    expect(await codeOf(all)).toBe('ABORTED')
    let count = 0
    for await (const _ of repo.objects({ unordered: true })) count++
    expect(count).toBe(COUNT)
  })
})

describe('The first free engine claims the next work unit', () => {
  /** Runs a job with a slow leader and two workers; returns the counters of each. */
  async function shared(
    source: unknown,
    begin: (pool: WorkerPool, leader: Engine) => Pages,
    allowed: Promise<void> = Promise.resolve(),
    took: (page: Uint8Array<ArrayBuffer>) => void = () => {},
  ) {
    const options = { memory: 64 << 20, objectFormat: 'sha1' } as const
    const here = { source, store: () => pathStore(folder), modules: undefined, spawn }
    const engines: Engine[] = []
    const openWorker = async () => {
      await allowed
      const engine = await openEngineInWorker(here, options)
      engines.push(engine)
      return engine
    }
    const leader = await openEngineInWorker(here, options)
    const pool = new WorkerPool(openWorker, 2)
    let isAllowed = false
    allowed.then(() => {
      isAllowed = true
    })
    const slow = slowed(leader, async () => {
      while (isAllowed && engines.length < 2) await setTimeout(10)
      if (isAllowed) await setTimeout(100)
    })
    const pages = begin(pool, slow)
    const taken: Uint8Array[] = []
    while (!pages.done) {
      const page = await pages.next(256 << 10, {})
      took(page)
      taken.push(page)
    }
    const stats = [leader, ...engines].map((engine) => engine.stats())
    pool.close()
    leader.close()
    return { taken, stats }
  }

  /** An engine that waits before each page. */
  function slowed(engine: Engine, wait: () => Promise<void>): Engine {
    const shared = (request: LongQuestion) => {
      const pages = sharingOf(engine).shared(request)
      const next = pages.next.bind(pages)
      return Object.assign(pages, {
        next: async (...asked: Parameters<typeof next>) => {
          await wait()
          return next(...asked)
        },
      })
    }
    // The getters access private fields, which another object lacks.
    return { inThread: false, shared } as Partial<Engine & Sharing> as Engine
  }

  test('of a listing', async () => {
    const { stats } = await shared(folder, (pool, leader) =>
      pool.objects(leader, { kind: 'objects', content: true, storedOrder: true, ...filterOf({}) }),
    )
    const made = stats.map(({ objects }) => objects)
    expect(Math.min(...made)).toBeGreaterThan(1000)
    expect(made.reduce((sum, count) => sum + count)).toBe(COUNT)
  })

  const source = () => ({ pack: `${stem}.pack` })
  const begin = (pool: WorkerPool, leader: Engine) =>
    pool.index(leader, packQuestion({ index: true }), dispatchRecords)

  function expectIndex(taken: readonly Uint8Array[]): void {
    const pieces: Uint8Array[] = []
    const index = (bytes: Uint8Array) => pieces.push(bytes)
    for (const page of taken) dispatchRecords(page as Uint8Array<ArrayBuffer>, { index })
    expect(Buffer.compare(Buffer.concat(pieces), readFileSync(`${stem}.idx`))).toBe(0)
  }

  test('of an index', async () => {
    const { taken, stats } = await shared(source(), begin)
    expectIndex(taken)
    // Each returns ids, the leader the index.
    const reported = stats.map(({ bytesOut }) => bytesOut)
    expect(Math.min(...reported)).toBeGreaterThan(24 * 1000)
  })

  test('of an index if the leader had to read all entries', async () => {
    let allow = () => {}
    const allowed = new Promise<void>((resolve) => {
      allow = resolve
    })
    const progress = (done: number) => {
      if (done >= COUNT) allow()
    }
    const { taken, stats } = await shared(source(), begin, allowed, (page) =>
      dispatchRecords(page, { progress }),
    )
    expectIndex(taken)
    for (const { bytesOut } of stats.slice(1)) expect(bytesOut).toBeGreaterThan(1000)
  })
})

test('pages of an answer that was ended do not appear in the next one', async () => {
  await load()
  const options = sessionOptions(folder, { memory: 64 << 20 })
  const silent = () => {}
  const engine = await openEngine(() => pathStore(folder), options, {}, silent)
  const request = { kind: 'objects', content: true, storedOrder: true, ...filterOf({}) } as const
  const begun = async () => {
    const pages = sharingOf(engine).shared(request)
    const { count } = await pages.workUnits({})
    while (pages.unfinished > 0) await pages.next(256 << 10, {})
    return { pages, count }
  }
  const { pages: left } = await begun()
  left.claim(1)
  left.end()
  const { pages, count } = await begun()
  for (let workUnit = 0; workUnit < count; workUnit++) pages.claim(workUnit)
  await expect((async () => left.next(256 << 10, {}))()).rejects.toMatchObject({ code: 'ABORTED' })
  while (pages.unfinished > 0) await pages.next(256 << 10, {})
  expect(engine.stats().objects).toBe(COUNT)
  engine.close()
})

test('the command line uses threads, and prints the same', () => {
  const idx = path.join(scratch, 'made.idx')
  const made = runProcess('.', [
    'index-pack',
    '--threads=2',
    '--rev-index',
    '-o',
    idx,
    `${stem}.pack`,
  ])
  expect(made).toMatchObject({ exit: 0, stderr: '' })
  expect(made.stdout.toString()).toBe(`${path.basename(stem).slice(5)}\n`)
  expect(readFileSync(idx).equals(readFileSync(`${stem}.idx`))).toBe(true)
  expect(existsSync(path.join(scratch, 'made.rev'))).toBe(true)
  const verify = ['index-pack', '--verify', '--threads=2']
  expect(runProcess('.', [...verify, `${stem}.pack`])).toMatchObject({ exit: 0, stderr: '' })
  const damaged = path.join(scratch, 'damaged.pack')
  writeFileSync(damaged, readFileSync(`${stem}.pack`).fill(0, 5000, 5100))
  copyFileSync(`${stem}.idx`, path.join(scratch, 'damaged.idx'))
  const bad = runProcess('.', [...verify, damaged])
  expect(bad.exit).toBe(128)
  expect(bad.stderr).toMatch(/^fatal: /)
})

test('a source with methods of its own is read without workers', async () => {
  const read = (file: string) => new Uint8Array(readFileSync(path.join(folder, file)))
  const names = [`${stem}.pack`, `${stem}.idx`].map((file) => path.relative(folder, file))
  const source = {
    get: async (file: string) => ([...names, 'HEAD', 'config'].includes(file) ? read(file) : null),
    list: async (at: string) =>
      at === 'objects/pack' ? names.map((name) => path.basename(name)) : [],
  }
  const helped = await listed(source, { workers: 2 })
  const alone = await listed(source, {})
  expect(helped.rows).toEqual(alone.rows)
  expect(helped.stats.filesOpened).toBe(alone.stats.filesOpened)
})

test('a small job starts no workers', async () => {
  const { folder: small } = manyObjects(1000)
  try {
    const helped = await listed(small, { workers: 2 })
    expect(helped.rows.length).toBe(1000)
    expect(helped.stats.filesOpened).toBe((await listed(small, {})).stats.filesOpened)
  } finally {
    rmSync(small, { recursive: true })
  }
})

test('an invalid number of workers is refused', async () => {
  for (const workers of [-1, 1.5, 65]) {
    expect(await codeOf(() => open(folder, { workers }))).toBe('BAD_INPUT')
  }
})
