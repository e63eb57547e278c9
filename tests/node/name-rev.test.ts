/** Commits are named after refs as by git: tests/fixtures/name-rev.mjs. */
import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { NameRevOptions } from 'packlens'
import { open, openSync } from 'packlens'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { git } from '../../scripts/lib/git-oracle.mjs'
import { importTagged, taggedHistory, textWithIds } from '../fixtures/tagged-history.mjs'
import { run } from './cli-support.ts'
import { errorOf, root } from './support.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'packlens-name-rev-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const plain = path.join(folder, 'plain')
const withGraph = path.join(folder, 'graph')
let commits: readonly string[] = []
let tags: readonly string[] = []

const recorded = JSON.parse(
  readFileSync(path.join(root, 'tests', 'fixtures', 'name-rev.json'), 'utf8'),
) as Record<'answers' | 'all' | 'annotated', Record<string, string>> & { alone: string }

beforeAll(() => {
  for (const gitDir of [plain, withGraph]) importTagged(git, gitDir, taggedHistory(3, 220))
  commits = git(plain, ['rev-list', '--all'])
  tags = git(plain, ['for-each-ref', '--format=%(refname:short)', 'refs/tags'])
  tags = tags.filter((name) => /^[ -~]+$/.test(name))
  git(withGraph, ['pack-refs', '--all'])
  git(withGraph, ['commit-graph', 'write', '--reachable', '--no-progress'])
})

/** Answers are recorded as one character per byte. */
const asText = (line: string) => Buffer.from(line, 'latin1').toString()

const OPTIONS: Record<string, NameRevOptions> = {
  '': {},
  '--tags': { tags: true },
  '--exclude=*1*': { exclude: '*1*' },
  '--tags --exclude=v* --exclude=refs/tags/inner*': {
    tags: true,
    exclude: ['v*', 'refs/tags/inner*'],
  },
  '--refs=refs/heads/*': { refs: 'refs/heads/*' },
  '--refs=refs/*/v?1* --refs=refs/tags/*2': { refs: new Set(['refs/*/v?1*', 'refs/tags/*2']) },
}

describe.each([
  ['with loose refs', () => plain],
  ['with packed refs and a commit-graph', () => withGraph],
])('%s', (_, dir) => {
  test.each(Object.entries(OPTIONS))('git name-rev %s', (flags, options) => {
    using repo = openSync(dir())
    const named = repo.nameRev(commits, options)
    const expected = recorded.answers[`name-rev --name-only ${flags}`.trim()]
      ?.split('\n')
      .map(asText)
    const prefix = options.tags ? 'tags/' : ''
    const own = named.map((name) => name?.slice(prefix.length) ?? 'undefined')
    expect(own).toEqual(expected?.slice(0, commits.length))
    expect(named.filter((name) => /[~^]/.test(name ?? '')).length).toBeGreaterThan(20)
  })

  test('one commit at a time, which ends the walk early', () => {
    using repo = openSync(dir())
    const some = commits.filter((_, at) => at % 9 === 0)
    expect(some.map((commit) => repo.nameRev([commit])[0] ?? 'undefined')).toEqual(
      recorded.alone.split('\n').map(asText),
    )
  })

  const linesOf = (args: readonly string[], stdin = '') => {
    const { exit, stdout, stderr } = run(folder, ['--git-dir', dir(), 'name-rev', ...args], {
      stdin,
    })
    expect([exit, stderr]).toEqual([0, ''])
    return stdout.toString('latin1').split('\n').slice(0, -1)
  }
  const digestOf = (lines: readonly string[]) =>
    createHash('sha256').update(lines.join('\n'), 'latin1').digest('hex')

  test.each(Object.entries(recorded.all))(
    'name-rev --all %s lists what git lists',
    (options, sha) => {
      const lines = linesOf(['--all', ...options.split(' ').filter(Boolean)])
      expect(lines.length).toBeGreaterThan(150)
      expect(digestOf([...lines].sort())).toBe(sha)
    },
  )

  test.each(Object.entries(recorded.annotated))('name-rev --annotate-stdin %s', (options, sha) => {
    const ids = git(plain, ['for-each-ref', '--format=%(objectname)', 'refs/tags'])
    const args = ['--annotate-stdin', ...options.split(' ').filter(Boolean)]
    expect(digestOf(linesOf(args, textWithIds([...commits, ...ids])))).toBe(sha)
  })

  test.each(Object.keys(recorded.answers))('%s prints what git prints', (command) => {
    const args = [...command.split(' '), ...commits, ...tags]
    const { exit, stdout, stderr } = run(folder, ['--git-dir', dir(), ...args])
    expect(stdout.toString('latin1').split('\n').slice(0, -1)).toEqual(
      recorded.answers[command]?.split('\n'),
    )
    expect([exit, stderr]).toEqual([0, ''])
  })
})

test('commits that are too old to matter are not read', () => {
  const gitDir = path.join(folder, 'line')
  git(gitDir, ['init', '-q', '--bare', gitDir])
  const line = Array.from({ length: 100 }, (_, at) => {
    const date = `A U <a@u> ${1_500_000_000 + at * 100_000} +0000`
    return `commit refs/heads/main\ncommitter ${date}\ndata 0\n\n`
  })
  git(gitDir, ['fast-import', '--quiet'], line.join(''))
  const walked = (spec: number) => {
    using repo = openSync(gitDir)
    expect(repo.nameRev([`main~${spec}`])).toEqual([`main~${spec}`])
    return repo.stats().objects
  }
  // The commit itself, its parent, one within a day more, and those before it.
  expect(walked(2)).toBeLessThan(12)
  expect(walked(99)).toBeGreaterThanOrEqual(100)
})

test('a commit that no ref names, a tag, a tree, and a worker', async () => {
  using repo = openSync(plain)
  const [tag = ''] = git(plain, [
    'for-each-ref',
    '--format=%(objectname) %(refname)',
    'refs/tags',
  ]).filter((line) => git(plain, ['cat-file', '-t', line.slice(0, 40)])[0] === 'tag')
  const [oid = '', ref = ''] = tag.split(' ')
  const specs = [oid, `${oid}^{tree}`, commits[5] ?? '']
  const named = repo.nameRev(specs, { exclude: 'nothing' })
  expect(named).toEqual([ref.slice('refs/'.length), null, expect.any(String)])
  expect(repo.nameRev([commits[5] ?? ''], { refs: 'nothing' })).toEqual([null])
  expect(repo.nameRev([])).toEqual([])
  await using there = await open(plain, { worker: true })
  expect(await there.nameRev(specs)).toEqual(named)
  expect(await errorOf(() => repo.nameRev(['nothing']))).toMatchObject({ code: 'NOT_FOUND' })
})

test('what is no object is skipped', () => {
  const skipped = run(folder, ['--git-dir', plain, 'name-rev', 'nothing', 'HEAD^{tree}'])
  const stderr = 'Could not get sha1 for nothing. Skipping.\n'
  expect(skipped).toMatchObject({ exit: 0, stderr })
  expect(skipped.stdout.toString()).toBe('HEAD^{tree} undefined\n')
})

test.each([
  ['name-rev', ['--no-undefined', '--refs=nothing', 'HEAD'], 128, /^fatal: cannot describe '/],
  ['describe', ['--contains', '--match=nothing', 'HEAD'], 128, /^fatal: cannot describe '/],
  ['name-rev', ['--all', 'HEAD'], 129, /^error: Specify either a list, or --all, not both!\n/],
  ['name-rev', ['--all', '--annotate-stdin'], 129, /^error: Specify either a list/],
  ['name-rev', ['--all', '--stdin'], 129, /^warning: --stdin is deprecated(.|\n)*\nerror: Specify/],
])('%s %j is refused', (command, args, exit, message) => {
  const refused = run(folder, ['--git-dir', plain, command, ...args])
  expect(refused.exit).toBe(exit)
  expect(refused.stderr).toMatch(message)
})
