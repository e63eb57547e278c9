/** Walks with workers that read commits return the same answers. */

import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import type { OpenOptions, RepoSource, Repository } from 'packlens'
import { open } from 'packlens'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { RevListQuestion } from '../../dist/base/protocol.js'
import type { Engine, Sharing } from '../../dist/engine/engine.js'
import { WorkerPool } from '../../dist/engine/worker-pool.js'
import { load } from '../../dist/index.node.js'
import { pathStore } from '../../dist/node/path-store.js'
import { spawn } from '../../dist/node/spawn.js'
import { openEngine, sessionOptions } from '../../dist/opening/open.js'
import { revListRequest } from '../../dist/questions/history.js'
import { openEngineInWorker } from '../../dist/worker/open.js'
import { runProcess } from './cli-support.ts'
import { manyCommits } from './many-commits.ts'
import { git } from './many-objects.ts'
import { codeOf, collect } from './support.ts'

/** Below 8,192 commits no workers are started. */
const COUNT = 20_000

let folder: string
let scratch: string
/** The answers of one thread, and the number of files it opened. */
let alone: ReturnType<typeof answers>

beforeAll(() => {
  folder = manyCommits(COUNT)
  scratch = mkdtempSync(path.join(os.tmpdir(), 'packlens-walks-'))
  alone = answers({})
})

afterAll(() => {
  for (const made of [folder, scratch]) rmSync(made, { recursive: true, force: true })
})

async function using<T>(
  source: RepoSource,
  options: OpenOptions,
  use: (repo: Repository) => Promise<T>,
): Promise<T> {
  const repo = await open(source, options)
  try {
    return await use(repo)
  } finally {
    repo.close()
  }
}

const QUESTIONS = {
  count: (repo) => repo.countCommits('HEAD'),
  all: (repo) => collect(repo.revList([], { all: true })),
  topo: (repo) => collect(repo.revList('HEAD', { order: 'topo' })),
  date: (repo) => collect(repo.revList('HEAD', { order: 'date', reverse: true })),
  first: (repo) => collect(repo.revList('HEAD', { firstParent: true, skip: 5 })),
  merges: (repo) => repo.countCommits('HEAD', { merges: true }),
  range: (repo) => collect(repo.revList('HEAD~15000..HEAD')),
  since: (repo) => repo.countCommits('HEAD', { since: 1_400_100_000 }),
  objects: (repo) => collect(repo.revListObjects('HEAD')),
} satisfies Record<string, (repo: Repository) => Promise<unknown>>

function answers(options: OpenOptions, then = async (_: Repository) => {}) {
  return using(folder, options, async (repo) => {
    const all: unknown[] = []
    for (const ask of Object.values(QUESTIONS)) all.push(await ask(repo))
    await then(repo)
    return { all, filesOpened: repo.stats().filesOpened }
  })
}

/** Waits until the workers have opened the pack, whose open files are counted. */
async function joined(repo: Repository): Promise<void> {
  const { filesOpened } = await alone
  const opened = () => repo.stats().filesOpened
  await expect.poll(opened).toBeGreaterThan(filesOpened)
}

describe.each([{ worker: false }, { worker: true }])('With %o', (of) => {
  test('every answer is equal', async () => {
    const { all } = await answers({ ...of, workers: 2 }, joined)
    expect(all[0]).toBe(COUNT)
    expect(all).toEqual((await alone).all)
  })

  test('leaving early, or an abort, ends all workers', async () => {
    await using(folder, { ...of, workers: 2 }, async (repo) => {
      for await (const _ of repo.revList('HEAD')) break
      const control = new AbortController()
      const all = async () => {
        let count = 0
        for await (const _ of repo.revList('HEAD', { signal: control.signal })) {
          if (++count === COUNT / 2) control.abort()
        }
      }
      expect(await codeOf(all)).toBe('ABORTED')
      expect(await repo.countCommits('HEAD')).toBe(COUNT)
      await joined(repo)
    })
  })

  test('damage is reported as without workers', async () => {
    const damaged = path.join(scratch, `damaged-${of.worker}`)
    cpSync(folder, damaged, { recursive: true })
    const packs = path.join(damaged, 'objects', 'pack')
    const pack = path.join(packs, readdirSync(packs).find((name) => name.endsWith('.pack')) ?? '')
    const bytes = readFileSync(pack)
    bytes.fill(0, bytes.length >> 1, (bytes.length >> 1) + 300)
    rmSync(pack)
    writeFileSync(pack, bytes)
    const failure = (options: OpenOptions) =>
      using(damaged, options, async (repo) => {
        const failed: string[] = []
        for (let round = 0; round < 3; round++) {
          const reported = await repo.countCommits('HEAD').catch((error: Error) => error.message)
          failed.push(`${reported}`)
        }
        return failed
      })
    const alone = await failure(of)
    expect(alone[0]).toMatch(/inflate|zlib|entry|match|hash/)
    expect(await failure({ ...of, workers: 1 })).toEqual(alone)
  })
})

/** Resolves once an engine has returned all of its work units. */
function shared(engine: Sharing): Promise<void> {
  return new Promise((resolve) => {
    const begin = engine.shared.bind(engine)
    engine.shared = (request) => {
      const pages = begin(request)
      const end = pages.end.bind(pages)
      pages.end = () => {
        end()
        resolve()
      }
      return pages
    }
  })
}

/**
 * Runs a walk with two workers, and waits for all of their rows; returns the listing, and
 * the reads of each engine.
 */
async function helped(of: { worker: boolean }, request: RevListQuestion) {
  const options = { memory: 64 << 20, objectFormat: undefined } as const
  const resolvedOptions = sessionOptions(folder, options)
  const here = { source: folder, store: () => pathStore(folder), modules: undefined, spawn }
  await load()
  const leader = of.worker
    ? await openEngineInWorker(here, options)
    : await openEngine(
        () => pathStore(folder),
        resolvedOptions,
        {},
        () => {},
      )
  const others: Engine[] = []
  const helping: Promise<void>[] = []
  const openWorker = () => {
    const opened = openEngineInWorker(here, options)
    const helped = opened.then((engine) => {
      others.push(engine)
      return shared(engine)
    })
    helping.push(helped)
    return opened
  }
  const pool = new WorkerPool(openWorker, 2)
  const pages = pool.sharedWalk(leader, leader.pages(request))
  let text = ''
  while (!pages.done) {
    const page = await pages.next(64 << 10, {})
    text += Buffer.from(page).toString('latin1')
    await Promise.all(helping)
  }
  pages.end()
  const read = [leader, ...others].map((engine) => engine.stats().objects)
  pool.close()
  leader.close()
  return { text, read }
}

test.each([{ worker: false }, { worker: true }])(
  'workers read the commits that the walk does not: %o',
  async (of) => {
    const alone = await using(folder, {}, (repo) => collect(repo.revList('HEAD')))
    const { text, read } = await helped(of, revListRequest('revList', 'HEAD', {}))
    expect(text).toBe(`${alone.join('\n')}\n`)
    const [own = 0, ...others] = read
    expect(own).toBeGreaterThanOrEqual(8192)
    // The walk waited for its workers: it read a few commits before.
    expect(own).toBeLessThan(COUNT * 0.8)
    expect(others.length).toBe(2)
    expect(others.reduce((sum, count) => sum + count, own)).toBeGreaterThanOrEqual(COUNT)
  },
)

test('a short walk, or one by a commit-graph, starts no workers', async () => {
  const opened = (source: string, options: OpenOptions) =>
    using(source, options, async (repo) => {
      await repo.countCommits('HEAD', { limit: 5000 })
      await repo.countCommits('HEAD~2000..HEAD')
      if (source !== folder) await repo.countCommits('HEAD')
      return repo.stats().filesOpened
    })
  const graphed = path.join(scratch, 'graphed')
  cpSync(folder, graphed, { recursive: true })
  git(graphed, ['commit-graph', 'write', '--reachable', '--no-progress'])
  for (const source of [folder, graphed]) {
    expect(await opened(source, { workers: 2 })).toBe(await opened(source, {}))
  }
})

test('the command line uses threads, and prints the same as git', () => {
  // Below 32,768 commits it uses none.
  const long = manyCommits(45_000)
  for (const args of [
    ['--count', 'HEAD'],
    ['--topo-order', '--reverse', '--all'],
    ['--objects', 'HEAD'],
  ]) {
    const { exit, stdout, stderr } = runProcess(long, ['rev-list', ...args])
    expect({ exit, stderr }).toEqual({ exit: 0, stderr: '' })
    expect(stdout.toString() === git(long, ['rev-list', ...args])).toBe(true)
  }
  rmSync(long, { recursive: true, force: true })
  const none = runProcess(folder, ['rev-list', 'HEAD', 'nothing'])
  expect(none.exit).toBe(128)
})
