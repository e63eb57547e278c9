/** `packlens ls-files` prints what git prints, byte for byte. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { environment, run } from './cli-support.ts'
import { conflicted, gitIn, madeWorktree, write } from './made-worktree.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'packlens-ls-files-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const place = conflicted(madeWorktree(path.join(folder, 'plain')))
gitIn(place, 'update-index', '--assume-unchanged', 'b/c.txt')
gitIn(place, 'update-index', '--skip-worktree', 'b/d/e.txt', 'many/1')
write(place, 'tab\tand "quotes"', 'x\n')
gitIn(place, 'add', '-N', 'tab\tand "quotes"')

const sparse = madeWorktree(path.join(folder, 'sparse'))
gitIn(sparse, 'sparse-checkout', 'set', '--cone', '--sparse-index', 'b')

/** Compares a call in a folder with git's. */
function compare(cwd: string, args: readonly string[]): void {
  const { status, stdout, stderr } = spawnSync('git', ['ls-files', ...args], {
    cwd,
    env: environment,
  })
  const own = run(cwd, ['ls-files', ...args])
  const shown = (out: Uint8Array) => Buffer.from(out).toString('latin1')
  expect([own.exit, shown(own.stdout), own.stderr], `${cwd}: ${args.join(' ')}`).toEqual([
    status,
    shown(stdout),
    stderr.toString(),
  ])
}

const FLAGS = [
  [],
  ['-z'],
  ['-s'],
  ['-u'],
  ['-t'],
  ['-v'],
  ['-s', '-t', '-z'],
  ['-u', '-v'],
  ['--full-name'],
  ['--full-name', '-s', '-z'],
  ['-s', '--abbrev'],
  ['-s', '--abbrev=7'],
  ['-s', '--abbrev=2'],
  ['-s', '--abbrev=99'],
  ['-c', '--deduplicate'],
  ['--deduplicate', '-t'],
  ['-s', '--no-stage'],
  ['--sparse', '-t'],
]

const PATHS = [
  [],
  ['.'],
  ['a.txt'],
  ['b'],
  ['b/'],
  ['*.txt'],
  [':!b'],
  [':!*.txt', 'b'],
  [':(glob)*'],
  [':/a.txt'],
  [':(icase)A.TXT'],
  ['../a.txt'],
  ['sub/'],
  ['nope'],
]

test.each(FLAGS.map((flags) => [flags.join(' '), flags] as const))('%s', (_, flags) => {
  for (const paths of PATHS) {
    for (const below of ['.', 'b', 'b/d']) {
      if (below === '.' && paths[0]?.startsWith('..')) continue
      compare(path.join(place, below), [...flags, '--', ...paths])
    }
  }
  compare(sparse, flags)
  compare(sparse, [...flags, 'x'])
  compare(sparse, [...flags, 'x/y/z.txt', 'many/1*'])
})

test('--error-unmatch names the paths that select nothing', () => {
  for (const paths of [['run.sh'], ['nope'], ['*', 'nope', 'b/*.c'], ['b', ':!nope'], []]) {
    compare(place, ['--error-unmatch', '--', ...paths])
    compare(place, ['--error-unmatch', '-u', '--', ...paths])
    compare(path.join(place, 'b'), ['--error-unmatch', ...paths])
  }
})

test('misuse has the exit codes of git', () => {
  for (const args of [['--abbrev=x'], ['--', ''], [':(nope)x'], ['../x']]) compare(place, args)
})

test('what needs the files of the work tree is refused', () => {
  for (const option of ['-d', '-m', '-o', '--eol', '--format=%(path)', '--with-tree=HEAD']) {
    const { exit, stdout, stderr } = run(place, ['ls-files', option])
    expect([exit, `${stdout}`], option).toEqual([128, ''])
    expect(stderr).toMatch(/^fatal: packlens ls-files does not support --\w/)
  }
})

test('a repository without an index has no paths', () => {
  const bare = path.join(folder, 'bare')
  gitIn(folder, 'clone', '-q', '--bare', sparse, bare)
  compare(bare, [])
})
