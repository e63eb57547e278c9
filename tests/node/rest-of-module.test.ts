/** The rest of the full module is a file of its own, which a page loads once a question needs it. */
import * as packlens from 'packlens'
import { afterEach, describe, expect, test } from 'vitest'
import { FIRST, FULL, REST } from './module-calls.ts'
import { closeServers, codeIn, inPage, outcome } from './module-pages.ts'
import { errorOf, fixture, folderOf } from './support.ts'

const main = fixture('main')

afterEach(closeServers)

describe.each([{ worker: false }, { worker: true }])('With the reader loaded, %o', (options) => {
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
    // The full module may be the one that is too old: the next worker fetches both.
    await using next = await page.open(folderOf(main), { worker: true })
    expect((await next.storage()).packs).not.toEqual([])
    expect([server.requests, server.rests]).toEqual([2, 2])
    expect((await repo.storage()).packs).not.toEqual([])
  })
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
