/** `packlens diff-tree` prints what git prints, over made histories and trees of many kinds. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { git } from '../../scripts/lib/git-oracle.mjs'
import { linesHistory } from '../fixtures/lines-history.mjs'
import { pathsHistory } from '../fixtures/paths-history.mjs'
import { environment, run } from './cli-support.ts'
import { root } from './support.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'packlens-diff-tree-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const history = path.join(folder, 'history')
const kinds = path.join(folder, 'kinds')
const lines = path.join(folder, 'lines')
const recorded = JSON.parse(
  readFileSync(path.join(root, 'tests', 'fixtures', 'patches.json'), 'utf8'),
) as { objects: [type: string, content: string][]; roots: string[] }

beforeAll(() => {
  git(history, ['init', '-q', '--bare', history])
  git(history, ['fast-import', '--quiet', '--done', '--force'], pathsHistory(5, 60))
  git(lines, ['init', '-q', '--bare', lines])
  git(lines, ['fast-import', '--quiet', '--done', '--force'], linesHistory(23, 120))
  git(kinds, ['init', '-q', '--bare', kinds])
  for (const [type, content] of recorded.objects) {
    git(kinds, ['hash-object', '-w', '-t', type, '--stdin'], Buffer.from(content, 'base64'))
  }
})

/** Compares the output and the exit code with git's; returns the output. */
function compare(gitDir: string, args: readonly string[]): string {
  const all = ['--git-dir', gitDir, 'diff-tree', ...args]
  const { status, stdout } = spawnSync('git', all, { env: environment, maxBuffer: 1 << 28 })
  const own = run(folder, all)
  expect({ exit: own.exit, stdout: own.stdout.toString('latin1') }, args.join(' ')).toEqual({
    exit: status,
    stdout: stdout.toString('latin1'),
  })
  return stdout.toString('latin1')
}

const FLAGS = [
  [],
  ['-r'],
  ['-t', '-z'],
  ['-r', '--name-only'],
  ['-r', '--name-status', '-z'],
  ['-p'],
  ['-u', '--full-index', '-w'],
  ['--patch-with-raw', '--abbrev'],
  ['-r', '--raw', '--abbrev=9', '-z'],
  ['--numstat'],
  ['--numstat', '-z'],
  ['-p', '--numstat', '--raw'],
  ['-p', '-b', '--name-status'],
  ['-U0', '--diff-algorithm=patience'],
  ['--histogram', '-U1', '--inter-hunk-context=2', '--ignore-blank-lines'],
  ['-p', '--ignore-space-at-eol', '--no-indent-heuristic', '--abbrev=4'],
  ['-p', '--minimal', '--ignore-cr-at-eol'],
  ['-r', '-M', '-z'],
  ['-M30', '-C', '--numstat', '-r', '--name-status'],
  ['-p', '-B70%/20%', '-M', '--numstat', '--raw'],
  ['--find-copies-harder', '--numstat', '-z'],
  ['--stat', '--summary', '-p'],
  ['-M', '--stat=40', '--shortstat', '--numstat'],
  ['-r', '--stat-width=30', '--stat-graph-width=5', '--stat-count=2'],
  ['--patch-with-stat', '--stat-name-width=12', '-z', '-C'],
  ['-B', '-M', '--summary'],
  ['--raw', '--summary', '--shortstat', '-w'],
]

const MERGED = [
  ['-c'],
  ['--cc'],
  ['-c', '--raw', '-z'],
  ['--cc', '--name-status'],
  ['-c', '-p', '--raw', '--abbrev=5'],
  ['--cc', '-p', '--raw', '-z', '--no-commit-id'],
  ['--cc', '--name-only', '-z'],
  ['--cc', '-w', '-U1'],
]

describe.each(MERGED.map((flags) => [flags.join(' '), flags] as const))('%s', (_, flags) => {
  test.each([
    ['lines', () => lines],
    ['paths', () => history],
  ])('merges of a history of %s', (_, dir) => {
    let length = 0
    const merges = git(dir(), ['rev-list', '--merges', '--all'])
    for (const merge of merges.filter((_, at) => at % 3 === 0).slice(0, 9)) {
      length += compare(dir(), [...flags, merge]).length
    }
    expect(length).toBeGreaterThan(flags.includes('--no-commit-id') ? 50 : 200)
  })
})

describe.each(FLAGS.map((flags) => [flags.join(' '), flags] as const))('%s', (_, flags) => {
  test('trees of many kinds', () => {
    const [, ...trees] = recorded.roots
    let length = 0
    for (const old of trees) {
      for (const now of trees) length += compare(kinds, [...flags, old, now]).length
    }
    expect(length).toBeGreaterThan(200)
  })

  test('commits', () => {
    const commits = git(history, ['rev-list', '--all'])
    let length = 0
    for (const commit of commits.filter((_, at) => at % 9 === 2)) {
      length += compare(history, [...flags, commit]).length
      length += compare(history, [...flags, '--root', '--no-commit-id', commit]).length
    }
    expect(length).toBeGreaterThan(200)
  })
})

test.each([
  [['nothing']],
  [['main', 'nothing']],
  [['--name-only', '--name-status', 'main']],
  [['main^{tree}']],
  [['--diff-algorithm=other', 'main', 'main']],
])('refuses %j with the exit code of git', (args) => {
  compare(history, args)
})

test('says what it does not support', () => {
  const args = ['main', 'tip-1', '--', ':(attr:text)a']
  const { exit, stderr } = run(folder, ['--git-dir', history, 'diff-tree', ...args])
  expect({ exit, stderr: stderr.toString() }).toEqual({
    exit: 128,
    stderr: "fatal: packlens does not support pathspec magic 'attr': ':(attr:text)a'\n",
  })
})

test.each([
  [['-r', '-t', 'tip-1', 'main', '--', '*a*']],
  [['-r', '-p', '-M', 'tip-2', 'main', '--', ':!*a']],
  [['--stat', 'tip-3..main', ':(glob)**']],
  [['main', '^tip-1']],
])('limits %j as git does', (args) => {
  expect(compare(history, args).length).toBeGreaterThan(40)
})

test('compares with the merge base', () => {
  expect(compare(lines, ['--merge-base', '-r', 'main~2', 'main']).length).toBeGreaterThan(40)
  expect(compare(lines, ['-r', 'main~2...main'])).toBe('')
})

test.each([[['tip-1', 'main', '--', 'nothing']], [['--merge-base', 'main']]])(
  'prints nothing for %j, as git does',
  (args) => {
    expect(compare(history, args)).toBe('')
  },
)
