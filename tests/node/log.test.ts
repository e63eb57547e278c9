/** Commits of a history, a page at a time: listed as by `revList`, read as by `readCommit`. */
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import type { CommitObject, RevListOptions, Store } from 'packlens'
import { open, openSync } from 'packlens'
import { afterAll, describe, expect, test } from 'vitest'
import { looseHistory, storeOfFiles } from './loose-history.ts'
import { asyncStoreOf, looseObjects, storeOf } from './sources.ts'
import { codeOf, collect, errorOf, fixture, folderOf, gitDirectoryOf } from './support.ts'

const main = fixture('main')
const COMMITS = 1200
const history = looseHistory(COMMITS, 1)

const scratch = mkdtempSync(path.join(os.tmpdir(), 'packlens-log-'))
afterAll(() => rmSync(scratch, { recursive: true, force: true }))

function fieldsOf(commit: CommitObject) {
  const { type, oid, size, tree, parents, author, committer, message, encoding, gpgsig } = commit
  const data = Buffer.from(commit.data).toString('latin1')
  return { type, oid, size, tree, parents, author, committer, message, encoding, gpgsig, data }
}

const choices: RevListOptions[] = [
  {},
  { all: true },
  { order: 'topo', all: true },
  { order: 'author-date', all: true },
  { reverse: true },
  { limit: 3 },
  { limit: 0 },
  { skip: 5, limit: 4, firstParent: true },
  { merges: false },
]

describe.each(['main', 'sha256', 'hostile', 'walks'])('The commits of %s', (name) => {
  const of = fixture(name)

  test.each(choices)('equal those of revList and readCommit: %o', async (options) => {
    using repo = openSync(folderOf(of))
    const expected = [...repo.revList('HEAD', options)].map((oid) => fieldsOf(repo.readCommit(oid)))
    expect(expected.length > 0 || options.limit === 0 || name === 'hostile').toBe(true)
    expect([...repo.log('HEAD', options)].map(fieldsOf)).toEqual(expected)
    await using promising = await open(asyncStoreOf(gitDirectoryOf(of)))
    expect((await collect(promising.log('HEAD', options))).map(fieldsOf)).toEqual(expected)
  })

  test('equal those of a worker', async () => {
    using repo = openSync(folderOf(of))
    await using worker = await open(folderOf(of), { worker: true })
    const expected = [...repo.log([], { all: true })].map(fieldsOf)
    expect((await collect(worker.log([], { all: true }))).map(fieldsOf)).toEqual(expected)
  })
})

describe('A history of 1,200 commits', () => {
  test('takes three answers for each page, not one for each commit', () => {
    using repo = openSync(storeOfFiles(history.files))
    const count = (ask: () => unknown) => {
      const before = repo.stats().flushes
      ask()
      return repo.stats().flushes - before
    }
    // The beginning of the walk. Of 32, 64, 128, 256, 512 and the other 208 commits: their ids,
    // the beginning of the batch, and its content.
    expect(count(() => [...repo.log('main')])).toBe(1 + 6 * 3)
    // Only the next page of a walk shows that it was at its end.
    expect(count(() => [...repo.log('main', { limit: 32 })])).toBe(1 + 3 + 1)
    expect(count(() => repo.log('main'))).toBe(0)
  })

  test('is read only as far as the caller iterates', async () => {
    const delivered = { all: 0, some: 0 }
    for (const key of ['all', 'some'] as const) {
      await using repo = await open(storeOfFiles(history.files))
      const oids: string[] = []
      for await (const { oid } of repo.log('main')) {
        oids.push(oid)
        if (key === 'some' && oids.length === 5) break
      }
      expect(oids).toHaveLength(key === 'some' ? 5 : COMMITS)
      delivered[key] = repo.stats().bytesOut
      // The walk was freed: it does not disturb the next one.
      expect(await repo.countCommits('main')).toBe(COMMITS)
    }
    expect(delivered.some).toBeLessThan(delivered.all / 20)
  })

  test('stops at the next page once its signal is aborted', async () => {
    await using repo = await open(storeOfFiles(history.files))
    const controller = new AbortController()
    let seen = 0
    const error = await errorOf(async () => {
      for await (const _ of repo.log('main', { signal: controller.signal })) {
        if (++seen === 1) controller.abort()
      }
    })
    expect([error.code, seen]).toEqual(['ABORTED', 32])
  })
})

test('A commit that is larger than a page is returned whole', async () => {
  const commit = (parents: readonly string[], message: string) => {
    const lines = [`tree ${'4'.repeat(40)}`, ...parents.map((oid) => `parent ${oid}`)]
    const by = `A U Thor <author@example.com> ${1_400_000_000 - message.length} +0000`
    return [...lines, `author ${by}`, `committer ${by}`, '', message].join('\n')
  }
  const first = commit([], 'f'.repeat(3 << 20))
  const oidOf = (content: string) => looseObjects([['commit', content]]).oids[0] as string
  const second = commit([oidOf(first)], 's'.repeat(10))
  const { store, oids } = looseObjects([
    ['commit', first],
    ['commit', second],
  ])
  const expected = [second, first].map((content) => content.length)
  // A page is at most a quarter of the memory.
  const memory = 14 << 20
  using repo = openSync(store, { memory })
  expect([...repo.log(oids[1] as string)].map(({ data }) => data.length)).toEqual(expected)
  const [, large] = [...repo.log(oids[1] as string)]
  expect([large?.oid, large?.message.length]).toEqual([oids[0], 3 << 20])
  await using promising = await open(store, { memory })
  const read = await collect(promising.log(oids[1] as string))
  expect(read.map(({ data }) => data.length)).toEqual(expected)
})

test('A commit that only a commit-graph has is NOT_FOUND', async () => {
  const folder = path.join(scratch, 'graph')
  cpSync(folderOf(fixture('walks')), folder, { recursive: true })
  cpSync(path.join(folder, 'graphs', 'dates'), path.join(folder, 'objects', 'info'), {
    recursive: true,
  })
  const whole = storeOf(folder)
  const store: Store = {
    get: (name) => whole.get(name),
    list: (directory) => (directory === 'objects/pack' ? [] : (whole.list?.(directory) ?? [])),
  }
  using repo = openSync(store)
  const oid = fixture('walks').head.oid as string
  expect([...repo.revList(oid)].length).toBeGreaterThan(20)
  const error = await errorOf(() => [...repo.log(oid)])
  expect([error.code, error.message]).toEqual(['NOT_FOUND', expect.stringContaining(oid)])
})

test('An invalid call fails when the first commit is requested', async () => {
  using repo = openSync(folderOf(main))
  expect(await codeOf(() => [...repo.log('nope')])).toBe('NOT_FOUND')
  const error = await errorOf(() => [...repo.log('HEAD', { limit: -1 })])
  expect([error.code, error.message]).toEqual(['BAD_INPUT', expect.stringContaining('`log`')])
})

test('a search in a message ends at a zero byte, as that of git', async () => {
  const people = 'author A <a@b> 1 +0000\ncommitter A <a@b> 1 +0000\n'
  const message = 'subject\n\nbefore\0after\nlater\n'
  const { store, oids } = looseObjects([
    ['tree', ''],
    ['commit', `tree 4b825dc642cb6eb9a060e54bf8d69288fbee4904\n${people}\n${message}`],
  ])
  const oid = oids[1] as string
  using repo = openSync(store)
  const found = (grep: string) => [...repo.log(oid, { grep })].length
  expect(['subject', 'before$', 'after', 'later'].map(found)).toEqual([1, 1, 0, 0])
  expect(repo.resolve(`${oid}^{/before$}`)).toBe(oid)
  expect(await codeOf(() => repo.resolve(`${oid}^{/later}`))).toBe('NOT_FOUND')
  expect((await repo.read(oid)).data.byteLength).toBeGreaterThan(message.length)
})
