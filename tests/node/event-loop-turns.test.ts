/**
 * Long questions give the event loop turns: other work in the thread continues, and an abort
 * from there ends them.
 */
import { spawnSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import path from 'node:path'
import type { Repository, SyncRepository } from 'packlens'
import { open, openSync } from 'packlens'
import { describe, expect, test } from 'vitest'
import { PROCESS_TIMEOUT } from '../support/timeouts.ts'
import { folderOfFiles, looseHistory, storeOfFiles } from './loose-history.ts'
import { codeOf, collect } from './support.ts'

const COMMITS = 1200
const TAGS = 600
const history = looseHistory(COMMITS, TAGS)
const { first, last, files } = history
const oldest = `main~${COMMITS - 1}`

interface Question {
  readonly ask: (repo: Repository, signal?: AbortSignal) => Promise<unknown>
  readonly askSync: (repo: SyncRepository) => unknown
  readonly answer: unknown
}

const questions: Record<string, Question> = {
  countCommits: {
    ask: (repo, signal) => repo.countCommits('main', { signal }),
    askSync: (repo) => repo.countCommits('main'),
    answer: COMMITS,
  },
  countObjects: {
    ask: (repo, signal) => repo.countObjects('main', { signal }),
    askSync: (repo) => repo.countObjects('main'),
    answer: COMMITS + 1,
  },
  'countCommits of a range': {
    ask: (repo, signal) => repo.countCommits(`${first}..main`, { signal }),
    askSync: (repo) => repo.countCommits(`${first}..main`),
    answer: COMMITS - 1,
  },
  revList: {
    ask: async (repo, signal) => (await collect(repo.revList('main', { signal }))).length,
    askSync: (repo) => [...repo.revList('main')].length,
    answer: COMMITS,
  },
  log: {
    ask: async (repo, signal) => (await collect(repo.log('main', { signal }))).length,
    askSync: (repo) => [...repo.log('main')].length,
    answer: COMMITS,
  },
  isAncestor: {
    ask: (repo, signal) => repo.isAncestor(first, 'main', { signal }),
    askSync: (repo) => repo.isAncestor(first, 'main'),
    answer: true,
  },
  mergeBases: {
    ask: (repo, signal) => repo.mergeBases([first, 'main'], { signal }),
    askSync: (repo) => repo.mergeBases([first, 'main']),
    answer: [first],
  },
  'resolve main~…': {
    ask: (repo, signal) => repo.resolve(oldest, { signal }),
    askSync: (repo) => repo.resolve(oldest),
    answer: first,
  },
  'resolve :/text': {
    ask: (repo, signal) => repo.resolve(':/^0', { signal }),
    askSync: (repo) => repo.resolve(':/^0'),
    answer: first,
  },
  'read a tag of tags': {
    ask: async (repo, signal) => (await repo.read('chain^{commit}', { signal })).oid,
    askSync: (repo) => repo.read('chain^{commit}').oid,
    answer: last,
  },
  'refs that are peeled': {
    ask: async (repo, signal) => {
      const refs = await collect(repo.refs.list({ peel: true, signal }))
      return refs.map(({ peeled }) => peeled)
    },
    askSync: (repo) => repo.refs.list({ peel: true }).map(({ peeled }) => peeled),
    answer: [null, last],
  },
  'refs that point at a commit': {
    ask: async (repo, signal) => (await collect(repo.refs.pointsAt(last, { signal }))).length,
    askSync: (repo) => repo.refs.pointsAt(last).length,
    answer: 2,
  },
  'refs that contain a commit': {
    ask: async (repo, signal) => (await collect(repo.refs.containing(first, { signal }))).length,
    askSync: (repo) => repo.refs.containing(first).length,
    answer: 2,
  },
}

describe.each(Object.entries(questions))('%s', (_, { ask, askSync, answer }) => {
  test('gives the event loop a turn', async () => {
    await using repo = await open(storeOfFiles(files))
    let turns = 0
    let timer = setImmediate(function again() {
      turns++
      timer = setImmediate(again)
    })
    expect(await ask(repo)).toEqual(answer)
    clearImmediate(timer)
    expect(turns).toBeGreaterThan(0)
  })

  test('ends when the signal is aborted in a turn', async () => {
    await using repo = await open(storeOfFiles(files))
    const controller = new AbortController()
    setImmediate(() => controller.abort())
    expect(await codeOf(() => ask(repo, controller.signal))).toBe('ABORTED')
    // The instance answers the next question, and keeps nothing of the one that ended.
    expect(await ask(repo)).toEqual(answer)
  })

  test('ends when the repository is closed in a turn', async () => {
    const repo = await open(storeOfFiles(files))
    setImmediate(() => repo.close())
    expect(await codeOf(() => ask(repo))).toBe('CLOSED')
  })

  test('is answered without a promise', () => {
    using repo = openSync(storeOfFiles(files))
    expect(askSync(repo)).toEqual(answer)
  })
})

test('Questions that take turns all make progress, and repeat no work', async () => {
  const each = ['resolve main~…', 'resolve :/text', 'read a tag of tags', 'isAncestor']
  const asked = each.map((name) => questions[name]).filter((question) => question !== undefined)
  let alone = 0
  for (const { ask } of asked) {
    await using repo = await open(storeOfFiles(files))
    await ask(repo)
    alone += repo.stats().lookups
  }
  await using repo = await open(storeOfFiles(files))
  const answers = await Promise.all(asked.map(({ ask }) => ask(repo)))
  expect(answers).toEqual(asked.map(({ answer }) => answer))
  expect(repo.stats().lookups).toBeLessThanOrEqual(alone)
})

test('A worker sees an abort after a step', async () => {
  const folder = folderOfFiles(files)
  try {
    for (const { ask } of Object.values(questions)) {
      await using repo = await open(folder, { worker: true })
      await repo.refs.get('HEAD')
      const before = repo.stats().lookups
      const controller = new AbortController()
      const answer = codeOf(() => ask(repo, controller.signal))
      // Both messages are queued: the worker handles the second after a step of the first.
      controller.abort()
      expect(await answer).toBe('ABORTED')
      await repo.refs.get('HEAD')
      expect(repo.stats().lookups - before).toBeLessThan(TAGS)
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test.runIf(process.platform !== 'win32')('Files that are pipes are waited for by nobody', () => {
  const folder = folderOfFiles(files)
  const script = `
    import { openSync } from 'packlens'
    try {
      console.log(openSync(${JSON.stringify(folder)}).resolve('HEAD'))
    } catch ({ code }) {
      console.log(code)
    }`
  try {
    for (const name of ['commondir', 'packed-refs', 'config', '.git']) {
      const pipe = path.join(folder, name)
      rmSync(pipe, { force: true })
      expect(spawnSync('mkfifo', [pipe]).status).toBe(0)
      const args = ['--input-type=module', '--eval', script]
      const { stdout, signal } = spawnSync('node', args, {
        timeout: PROCESS_TIMEOUT,
        encoding: 'utf8',
      })
      expect([name, signal, stdout.trim()]).toEqual([name, null, last])
      rmSync(pipe)
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
})
