/** Fields of `for-each-ref` about worktrees, bases and dates. */
import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { git } from '../../scripts/lib/git-oracle.mjs'
import { linesHistory } from '../fixtures/lines-history.mjs'
import { compareWithGit } from './beside-git.ts'
import { run } from './cli-support.ts'
import { gitIn } from './made-worktree.ts'

const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'packlens-ref-fields-')))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const inside = (...names: string[]) => path.join(folder, ...names)
const main = inside('main')
const gitDir = inside('main', '.git')

beforeAll(() => {
  gitIn(folder, 'init', '-q', '-b', 'main', 'main')
  git(gitDir, ['fast-import', '--quiet', '--done', '--force'], linesHistory(23, 200))
  gitIn(main, 'reset', '-q', '--hard')
  gitIn(main, 'worktree', 'add', '-q', '-b', 'other', '../other')
  gitIn(main, 'worktree', 'add', '-q', '--detach', '../detached')
  gitIn(main, 'worktree', 'add', '-q', '-b', 'gone', '../gone')
  rmSync(inside('gone'), { recursive: true })
  gitIn(main, 'tag', 'blob', 'HEAD:two.c')
  gitIn(folder, 'clone', '-q', '--bare', 'main', 'bare.git')
  // A tag that names another type than its object has is no base.
  const [blob = ''] = git(gitDir, ['rev-parse', 'HEAD:two.c'])
  const lie = `object ${blob}\ntype commit\ntag lie\ntagger A <a@x> 1 +0000\n\n`
  const hash = ['hash-object', '-w', '-t', 'tag', '--literally', '--stdin']
  const [tag = ''] = git(gitDir, hash, lie)
  git(gitDir, ['update-ref', 'refs/tags/lie', tag])
})

const fields = (...args: string[]) => ['for-each-ref', ...args]

test('%(worktreepath) is the worktree that has a branch checked out', () => {
  const format = '--format=%(refname) %(worktreepath)|%(HEAD)'
  for (const place of ['main', 'other', 'detached', 'bare.git', 'main/.git']) {
    compareWithGit(inside(place), fields(format))
    compareWithGit(inside(place), fields(format, '--sort=-worktreepath'))
  }
  expect(`${run(main, fields(format)).stdout}`).toContain(`refs/heads/other ${inside('other')}| \n`)
})

/** Counts the commits of `name` that only its first parents reach, as the documentation says. */
function nearestOf(name: string, refs: readonly string[]): string | undefined {
  const own = git(gitDir, ['rev-list', '--first-parent', name])
  const counts = refs.map((ref) => {
    const reached = new Set(git(gitDir, ['rev-list', '--first-parent', ref]))
    return own.filter((oid) => !reached.has(oid)).length
  })
  const least = Math.min(...counts)
  return least < own.length ? refs[counts.indexOf(least)] : undefined
}

test('%(is-base) names the ref that a branch started from', () => {
  const commits = git(gitDir, ['rev-list', '--branches']).filter((_, at) => at % 17 === 0)
  const refs = git(gitDir, ['for-each-ref', '--format=%(refname)', 'refs/heads'])
  const bases = new Set<string | undefined>()
  for (const commit of commits) {
    const format = `--format=%(refname)%(is-base:${commit})`
    const lines = `${run(main, fields(format, 'refs/heads')).stdout}`.split('\n').slice(0, -1)
    const base = nearestOf(commit, refs)
    bases.add(base)
    expect(lines).toEqual(refs.map((ref) => (ref === base ? `${ref}(${commit})` : ref)))
    const sorted = run(main, fields('--count=1', `--sort=-is-base:${commit}`, format, 'refs/heads'))
    expect(`${sorted.stdout}`).toBe(base ? `${base}(${commit})\n` : `${refs.at(0)}\n`)
  }
  expect(bases.size).toBeGreaterThan(2)
  expect(`${run(main, fields('--format=%(is-base:HEAD)', 'refs/tags')).stdout}`).toBe('\n\n')
})

test.each([
  ['is-base', 'fatal: expected format: %(is-base:<committish>)\n'],
  ['is-base:', 'fatal: expected format: %(is-base:<committish>)\n'],
  ['is-base:nothing', "fatal: failed to find 'nothing'\n"],
  ['creatordate:', 'fatal: unknown date format \n'],
])('%%(%s) is refused', (field, message) => {
  const { exit, stderr } = run(main, fields(`--format=%(${field})`, 'refs/heads'))
  expect([exit, stderr]).toEqual([128, message])
})

test('a colon without an argument is none', () => {
  for (const field of [
    'refname',
    'objectname',
    'subject',
    'contents',
    'tree',
    'HEAD',
    'upstream',
  ]) {
    const [plain, colon] = ['', ':'].map((end) => run(main, fields(`--format=%(${field}${end})`)))
    expect(colon).toEqual(plain)
    expect(colon?.exit).toBe(0)
  }
})

test('dates in a format are sorted as texts', () => {
  for (const key of ['creatordate:format:%S%M', '-committerdate:format:%H%d']) {
    const field = key.replace('-', '')
    const { stdout } = run(main, fields(`--sort=${key}`, `--format=%(${field})`, 'refs/heads'))
    const dates = `${stdout}`.split('\n').slice(0, -1)
    const sorted = [...dates].sort()
    expect(dates).toEqual(key.startsWith('-') ? sorted.reverse() : sorted)
    expect(new Set(dates).size).toBeGreaterThan(2)
  }
})
