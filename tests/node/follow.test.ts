/** The history of one file through its renames: the commits that `git log --follow` lists. */
import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { RevListOptions } from 'packlens'
import { open, openSync } from 'packlens'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { git } from '../../scripts/lib/git-oracle.mjs'
import { linesHistory } from '../fixtures/lines-history.mjs'
import { run } from './cli-support.ts'
import { codeOf, collect, root } from './support.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'packlens-follow-'))
const filtered = path.join(folder, 'filtered')
afterAll(() => rmSync(folder, { recursive: true, force: true }))

beforeAll(() => {
  for (const gitDir of [folder, filtered]) {
    git(gitDir, ['init', '-q', '--bare', '--initial-branch=main', gitDir])
    git(gitDir, ['fast-import', '--quiet', '--done', '--force'], linesHistory(23, 150))
  }
  git(filtered, ['commit-graph', 'write', '--reachable', '--changed-paths', '--no-progress'])
})

interface Recorded {
  readonly specs: readonly string[]
  readonly path: string
  readonly options: RevListOptions
  readonly args: readonly string[]
  readonly count: number
  readonly sha256: string
}

const recorded: Recorded[] = JSON.parse(
  readFileSync(path.join(root, 'tests', 'fixtures', 'follow.json'), 'utf8'),
)

const digestOf = (text: string) => createHash('sha256').update(text).digest('hex')

describe.each([
  ['without a commit-graph', folder],
  ['with filters of changed paths', filtered],
])('%s', (_, gitDir) => {
  test('revList lists what git log --follow lists', () => {
    using repo = openSync(gitDir)
    for (const { specs, path, options, args, count, sha256 } of recorded) {
      const revisions = specs.filter((spec) => spec !== '--all')
      const all = specs.includes('--all')
      const ids = [...repo.revList(revisions, { ...options, all, path, follow: true })]
      const answer = { count: ids.length, sha256: digestOf(ids.map((id) => `${id}\n`).join('')) }
      expect(answer, args.join(' ')).toEqual({ count, sha256 })
    }
  })

  test('packlens log --follow prints what git prints', () => {
    for (const { args, sha256 } of recorded) {
      const { stdout } = run(gitDir, ['--git-dir', gitDir, ...args])
      expect(digestOf(`${stdout}`), args.join(' ')).toBe(sha256)
    }
  })
})

test('it is the same in any memory, one answer after the other', async () => {
  const options = { all: true, path: 'one.c', follow: true }
  using repo = openSync(folder)
  const expected = [...repo.revList([], options)]
  expect(expected.length).toBeGreaterThan(20)
  await using little = await open(folder, { memory: 1 << 20 })
  expect(await collect(little.revList([], options))).toEqual(expected)
  const commits = await collect(little.log([], options))
  expect(commits.map(({ oid }) => oid)).toEqual(expected)
})

test('commits are counted, and a graph has them with their own parents', () => {
  using repo = openSync(folder)
  const options = { all: true, path: 'one.c', follow: true }
  const listed = [...repo.revList([], options)]
  expect(repo.countCommits([], options)).toBe(listed.length)
  for (const { oid, parents } of repo.revListGraph([], options)) {
    expect(listed).toContain(oid)
    expect(parents).toEqual(repo.readCommit(oid).parents)
  }
})

test('one path is required', async () => {
  using repo = openSync(folder)
  const codeFor = (options: RevListOptions) =>
    codeOf(() => [...repo.revList('main', { follow: true, ...options })])
  expect(await codeFor({})).toBe('BAD_INPUT')
  expect(await codeFor({ path: ['one.c', 'two.c'] })).toBe('BAD_INPUT')
  expect(await codeFor({ pathspec: ':!one.c' })).toBe('BAD_INPUT')
})

describe('packlens log --follow', () => {
  const log = (...args: string[]) => run(folder, ['--git-dir', folder, 'log', '--follow', ...args])

  test.each([
    [[], '--follow requires exactly one pathspec'],
    [['main', '--', 'one.c', 'two.c'], '--follow requires exactly one pathspec'],
    [['--full-diff', 'main', '--', 'one.c'], '--follow requires exactly one pathspec'],
    [['main', '--', ':!one.c'], '--follow requires exactly one pathspec'],
    [['main', '--', ':(icase)one.c'], "pathspec magic not supported by --follow: 'icase'"],
    [['-c', 'main', '--', 'one.c'], 'packlens log does not support --follow with -c or --cc'],
    [['-t', '--raw', 'main', '--', 'one.c'], 'packlens log does not support --follow with -t'],
  ])('%j is refused', (args, message) => {
    const { exit, stderr } = log(...args)
    expect([exit, stderr]).toEqual([128, `fatal: ${message}\n`])
  })

  test('shows renames, also beside a graph, where it walks over all commits', () => {
    const args = ['--format=%h', '--name-status', '--all', '--', 'two.c']
    const statuses = (text: string) => text.match(/[MARC]\d*\t.*/g)
    const plain = statuses(`${log(...args).stdout}`)
    expect(plain?.some((line) => /^[RC]\d{3}\t.*\ttwo\.c$/.test(line))).toBe(true)
    const drawn = log('--graph', ...args)
    expect(drawn.exit).toBe(0)
    expect(statuses(`${drawn.stdout}`)?.length).toBeGreaterThan(0)
  })

  test('--no-follow takes it back', () => {
    const args = ['--format=%h', '--all', '--', 'one.c']
    const listed = run(folder, ['--git-dir', folder, 'log', ...args]).stdout
    expect(`${log('--no-follow', ...args).stdout}`).toBe(`${listed}`)
    expect(`${log(...args).stdout}`).not.toBe(`${listed}`)
  })
})
