/** `-S` and `-G` choose the changes that git chooses, in a made history of lines. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { openSync, type Pickaxe } from 'packlens'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { git } from '../../scripts/lib/git-oracle.mjs'
import { linesHistory } from '../fixtures/lines-history.mjs'
import { environment, run } from './cli-support.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'packlens-pickaxe-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const lines = path.join(folder, 'lines')
const files = path.join(folder, 'files')

/** Two commits: in a file with a NUL, a submodule, a mode, a rename, a text without a line feed. */
const CHANGES = `commit refs/heads/old
committer C <c@c> 0 +0000
data 0
M 100644 inline text\ndata 12\nfoo\nbar\nend\n
M 100644 inline moved\ndata 20\n${'moved foo\n'.repeat(2)}
M 100644 inline mode\ndata 4\nfoo\n
M 160000 ${'1'.repeat(40)} sub

commit refs/heads/new
committer C <c@c> 1 +0000
data 0
from refs/heads/old
M 100644 inline text\ndata 15\nfoo foo\nbar\nend
R moved renamed
M 100755 inline mode\ndata 4\nfoo\n
M 100644 inline binary\ndata 5\n\0foo\n
M 100644 inline new\ndata 8\naFOO\nb\n\n
M 160000 ${'2'.repeat(40)} sub
`

beforeAll(() => {
  for (const [folder, history] of [
    [lines, linesHistory(23, 120)],
    [files, Buffer.from(`${CHANGES}\ndone\n`)],
  ] as const) {
    git(folder, ['init', '-q', '--bare', folder])
    git(folder, ['fast-import', '--quiet', '--done', '--force'], history)
  }
})

/** Compares the output and the exit code with git's; returns the output. */
function compare(gitDir: string, args: readonly string[]): string {
  const all = ['--git-dir', gitDir, ...args]
  const options = { env: { ...environment, LC_ALL: 'C.UTF-8' }, maxBuffer: 1 << 28 }
  const { status, stdout } = spawnSync('git', all, options)
  const own = run(folder, all)
  expect({ exit: own.exit, stdout: own.stdout.toString('latin1') }, args.join(' ')).toEqual({
    exit: status,
    stdout: stdout.toString('latin1'),
  })
  return stdout.toString('latin1')
}

const PICKED: [flags: string[], pickaxe: Pickaxe, paths: string[]][] = [
  [['-Sfoo'], { string: 'foo' }, ['binary', 'text']],
  [['-SFOO'], { string: Buffer.from('FOO') }, ['new']],
  [['-i', '-SFOO'], { string: 'FOO', ignoreCase: true }, ['binary', 'new', 'text']],
  [['-Sfo+\\b', '--pickaxe-regex'], { string: 'fo+\\b', regex: true }, ['binary', 'text']],
  [['-S^', '--pickaxe-regex'], { string: '^', regex: true }, ['binary', 'new', 'text']],
  [['-S[[:space:]]b', '--pickaxe-regex'], { string: '[[:space:]]b', regex: true }, ['new']],
  [['-S2222'], { string: '2222' }, ['sub']],
  [['-Gend'], { pattern: 'end' }, ['text']],
  [['-Gfoo'], { pattern: 'foo' }, ['text']],
  [['-i', '-G^.foo$'], { pattern: '^.foo$', ignoreCase: true }, ['new']],
  [['-Gcommit'], { pattern: 'commit' }, ['sub']],
  [
    ['-Saf', '-i', '--pickaxe-all'],
    { string: 'af', ignoreCase: true, all: true },
    ['binary', 'mode', 'new', 'renamed', 'sub', 'text'],
  ],
  [['-Snowhere', '--pickaxe-all'], { string: 'nowhere', all: true }, []],
]

describe.each(PICKED)('%j', (flags, pickaxe, paths) => {
  test('the same files of changes of many kinds', () => {
    const expected = paths.map((path) => `${path}\n`).join('')
    expect(compare(files, ['diff-tree', '-M', '--name-only', ...flags, 'old', 'new'])).toBe(
      expected,
    )
    using repo = openSync(files)
    const options = { renames: true, pickaxe }
    expect([...repo.diff('old', 'new', options)].map(({ path }) => path)).toEqual(paths)
    expect([...repo.patches('old', 'new', options)].map(({ path }) => path)).toEqual(paths)
    compare(files, ['diff', '--stat', ...flags, 'old', 'new'])
    compare(files, ['diff', '--exit-code', ...flags, 'old', 'new'])
    compare(files, ['show', '-p', ...flags, 'new'])
  })
})

test.each([
  ['-Sfour', '-p'],
  ['-Gfive', '--oneline', '--stat'],
  ['-Sthree [a-z]+', '--pickaxe-regex', '--name-status', '-m'],
  ['-i', '-GT', '--raw', '--graph'],
  ['-St', '-s', '--format=%h', '-3'],
  ['-Gt', '-c', '--raw', '--pickaxe-all'],
])('the commits that git lists: %s %s %s', (...flags) => {
  compare(lines, ['log', ...flags, 'main'])
})

test('a merge has the files whose changes since each parent are picked', () => {
  using repo = openSync(lines)
  const counts = { picked: 0, all: 0 }
  for (const merge of git(lines, ['rev-list', '--merges', '--all'])) {
    const expected = git(lines, ['diff-tree', '-c', '--name-only', '-Se', '--no-commit-id', merge])
    const found = [...repo.combinedPatches(merge, { dense: false, pickaxe: { string: 'e' } })]
    expect(found.map(({ path }) => path).filter((path) => !path.startsWith('caf'))).toEqual(
      expected.filter((path) => path !== '' && !path.startsWith('"')),
    )
    counts.picked += found.length
    counts.all += [...repo.combinedPatches(merge, { dense: false })].length
  }
  expect(counts.picked).toBeGreaterThan(5)
  expect(counts.all).toBeGreaterThan(counts.picked)
})

test('what git refuses, and expressions that are none', () => {
  for (const [exit, ...flags] of [
    ...[[129, '-S', ''] as const, [129, '-S'] as const, [128, '-Ga', '-Sb'] as const],
    ...[[128, '-Ga', '--pickaxe-regex'] as const, [128, '--pickaxe-regex', '-Ga'] as const],
    ...[[128, '-G('] as const, [128, '--pickaxe-regex', '-S('] as const],
  ]) {
    const own = run(folder, ['--git-dir', files, 'diff-tree', 'old', 'new', ...flags])
    expect({ exit: own.exit, stdout: own.stdout.toString() }).toEqual({ exit, stdout: '' })
  }
  using repo = openSync(files)
  const picks = (pickaxe: Pickaxe) => () => [...repo.diff('old', 'new', { pickaxe })]
  expect(picks({ pattern: '(' })).toThrow(expect.objectContaining({ code: 'BAD_INPUT' }))
  expect(picks({ pattern: '(a)\\1' })).toThrow(expect.objectContaining({ code: 'UNSUPPORTED' }))
})

test('contents that have not changed are not read', () => {
  using repo = openSync(files)
  const objects = (pathspec: readonly string[], pickaxe?: Pickaxe) => {
    const before = repo.stats().objects
    for (const _ of repo.diff('old', 'new', { renames: true, pathspec, pickaxe }));
    return repo.stats().objects - before
  }
  for (const pathspec of [['mode'], ['sub'], ['moved', 'renamed']]) {
    // What the first call reads twice, as bytes were missing, does not count.
    objects(pathspec)
    expect(objects(pathspec, { string: 'foo' }), `${pathspec}`).toBe(objects(pathspec))
  }
  expect(objects(['binary'], { string: 'foo' })).toBe(objects(['binary']) + 1)
})
