/** `packlens status` prints what git prints, byte for byte. */
import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { randomFrom } from '../fixtures/paths-history.mjs'
import { RandomWorktree, randomArguments } from '../fixtures/random-worktrees.mjs'
import { run } from './cli-support.ts'
import { conflicted, gitIn, madeWorktree, write } from './made-worktree.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'packlens-cli-status-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const env = { ...process.env, GIT_OPTIONAL_LOCKS: '0', GIT_CONFIG_GLOBAL: '/dev/null' }

/** Compares the output and the exit code, and returns the output. */
function compare(cwd: string, ...args: string[]): string {
  const git = spawnSync('git', ['status', ...args], { cwd, env })
  const own = run(cwd, ['status', ...args])
  const text = git.stdout.toString('latin1')
  expect(own.stdout.toString('latin1'), args.join(' ')).toBe(text)
  expect(own.exit, args.join(' ')).toBe(git.status)
  return text
}

const FORMATS = [['--short'], ['--porcelain'], ['--porcelain=v2'], ['-z'], ['-z', '--porcelain=v2']]

describe.each([false, true])('random work trees, with attributes: %s', (attributes) => {
  test.each([1, 2, 3, 4, 5, 6, 7, 8])('number %i', (seed) => {
    const random = randomFrom(seed * 7919)
    for (let at = 0; at < 5; at++) random(2)
    const place = path.join(folder, `random-${attributes}-${seed}`)
    const worktree = new RandomWorktree(place, random, { attributes })
    worktree.make()
    compare(place, '--porcelain=v2', '--branch')
    for (let at = 0; at < 3; at++) compare(place, ...randomArguments(random, worktree))
  })
})

describe('the branch', () => {
  const upstream = path.join(folder, 'upstream')
  const place = path.join(folder, 'branch')
  gitIn(folder, 'init', '-q', '-b', 'main', 'upstream')
  const all = (...more: string[]) =>
    FORMATS.map((format) => compare(place, ...format, '--branch', ...more)).join('')

  test('is shown with its upstream', () => {
    gitIn(folder, 'clone', '-q', upstream, place)
    expect(all()).toContain('No commits yet')
    gitIn(upstream, 'commit', '-q', '--allow-empty', '-m', 'one')
    gitIn(place, 'pull', '-q')
    expect(all()).toContain('main...origin/main')
    gitIn(place, 'commit', '-q', '--allow-empty', '-m', 'two')
    expect(all()).toContain('[ahead 1]')
    expect(all('--no-ahead-behind')).toContain('[different]')
    gitIn(upstream, 'commit', '-q', '--allow-empty', '-m', 'three')
    gitIn(place, 'fetch', '-q')
    expect(all()).toContain('[ahead 1, behind 1]')
    gitIn(place, 'update-ref', '-d', 'refs/remotes/origin/main')
    expect(all()).toContain('[gone]')
    gitIn(place, 'branch', '--unset-upstream')
    expect(all()).not.toContain('origin')
    gitIn(place, 'checkout', '-q', '--detach')
    expect(all()).toContain('(no branch)')
  })

  test('the stash is counted', () => {
    for (const text of ['x\n', 'y\n']) {
      write(place, 'stashed', text)
      gitIn(place, 'add', 'stashed')
      gitIn(place, 'stash', '-q')
    }
    expect(compare(place, '--porcelain=v2', '--show-stash')).toBe('# stash 2\n')
  })
})

test('paths are relative to the current folder, except in --porcelain and with -z', () => {
  const place = conflicted(madeWorktree(path.join(folder, 'relative')))
  gitIn(place, 'reset', '-q', '--hard')
  gitIn(place, 'mv', 'b/c.txt', 'b/d/c c.txt')
  write(place, 'é ü.txt', 'changed\n')
  write(place, 'b/new file', '')
  write(place, 'other/x', '')
  for (const format of FORMATS) {
    compare(path.join(place, 'b'), ...format)
    compare(path.join(place, 'b', 'd'), ...format, '..')
    compare(path.join(place, 'b', 'd'), ...format, ':/other', ':!/b/new*')
  }
})

test('submodules have letters of their own', () => {
  const place = madeWorktree(path.join(folder, 'modules'))
  const inner = path.join(place, 'inner')
  mkdirSync(inner)
  gitIn(inner, 'init', '-q')
  write(inner, 'file', 'x\n')
  gitIn(inner, 'add', '.')
  gitIn(inner, 'commit', '-q', '-m', 'inner')
  gitIn(place, 'add', 'inner')
  const all = () => FORMATS.map((format) => compare(place, ...format)).join('')
  expect(all()).toContain('A. S... 000000 160000 160000')
  gitIn(place, 'commit', '-q', '-m', 'inner')
  write(inner, 'new', '')
  expect(all()).toContain('.M S..U')
  for (const when of ['none', 'untracked', 'dirty']) {
    compare(place, '--porcelain=v2', `--ignore-submodules=${when}`)
  }
  compare(place, '--porcelain=v2', '-uno')
  write(inner, 'file', 'y\n')
  expect(all()).toContain(' m inner')
  gitIn(inner, 'commit', '-q', '-a', '-m', 'more')
  expect(all()).toContain('.M SC.U')
})

test('ignored submodules are listed before the first commit', () => {
  const place = path.join(folder, 'unborn')
  const inner = path.join(place, 'inner')
  mkdirSync(inner, { recursive: true })
  gitIn(place, 'init', '-q')
  gitIn(inner, 'init', '-q')
  gitIn(inner, 'commit', '-q', '--allow-empty', '-m', 'inner')
  gitIn(place, 'add', 'inner')
  const ignoring = () => compare(place, '--porcelain=v2', '--ignore-submodules=all')
  expect(ignoring()).toContain('A. S...')
  gitIn(place, 'commit', '-q', '-m', 'first')
  gitIn(inner, 'commit', '-q', '--allow-empty', '-m', 'more')
  gitIn(place, 'add', 'inner')
  expect(ignoring()).toBe('')
})

test('what is refused', () => {
  const place = path.join(folder, 'relative')
  const refused = (...args: string[]) => run(place, ['status', ...args])
  expect(refused('-s', '-v').stderr).toMatch(/^fatal: packlens status does not support --/)
  for (const args of [
    ['--porcelain=v3'],
    ['--long', '-z'],
    ['-s', '-uother'],
    ['-s', '--ignore-submodules=other'],
    ['-s', '--ignored=other'],
    ['-s', '-uno', '--ignored=matching'],
  ]) {
    const git = spawnSync('git', ['status', ...args], { cwd: place, env })
    expect(refused(...args)).toMatchObject({ exit: 128, stderr: git.stderr.toString() })
  }
  expect(run(path.join(place, '.git'), ['status', '-s']).stderr).toBe(
    'fatal: this operation must be run in a work tree\n',
  )
})

test('a submodule that is assumed unchanged or skipped is not looked into', () => {
  const place = path.join(folder, 'assumed')
  gitIn(folder, 'init', '-q', place)
  gitIn(place, 'init', '-q', 'sub')
  gitIn(path.join(place, 'sub'), 'commit', '-q', '--allow-empty', '-m', 'one')
  gitIn(place, 'add', 'sub')
  write(place, 'sub/other', 'not tracked\n')
  expect(compare(place, '--porcelain=v2')).toMatch(/^1 AM S\.\.U /)
  gitIn(place, 'update-index', '--assume-unchanged', 'sub')
  expect(compare(place, '--porcelain=v2')).toMatch(/^1 A\. S\.\.\. /)
  gitIn(place, 'update-index', '--no-assume-unchanged', 'sub')
  gitIn(path.join(place, 'sub'), 'commit', '-q', '--allow-empty', '-m', 'two')
  expect(compare(place, '--porcelain=v2')).toMatch(/^1 AM SC\.U /)
  gitIn(place, 'update-index', '--skip-worktree', 'sub')
  expect(compare(place, '--porcelain=v2')).toMatch(/^1 A\. S\.\.\. /)
})

test('ids of nothing are as long as others', () => {
  const place = path.join(folder, 'long-ids')
  gitIn(folder, 'init', '-q', '--object-format=sha256', place)
  write(place, 'a.txt', 'a\n')
  gitIn(place, 'add', '-N', 'a.txt')
  expect(compare(place, '--porcelain=v2')).toMatch(/ 0{64} 0{64} a\.txt\n$/)
})

test('of a `.gitattributes` that is a link, what the index has counts', () => {
  const place = path.join(folder, 'linked-attributes')
  gitIn(folder, 'init', '-q', place)
  write(place, '.gitattributes', '* text=auto\n')
  write(place, 'a.txt', 'a\r\n')
  gitIn(place, 'add', '.')
  gitIn(place, 'commit', '-q', '-m', 'one')
  utimesSync(path.join(place, 'a.txt'), 9, 9)
  rmSync(path.join(place, '.gitattributes'))
  symlinkSync('a.txt', path.join(place, '.gitattributes'))
  expect(compare(place, '--porcelain')).toBe(' T .gitattributes\n')
})

test('changes of submodules count as the options and the configuration say', () => {
  const place = path.join(folder, 'submodules')
  gitIn(folder, 'init', '-q', place)
  for (const name of ['untracked', 'modified', 'moved', 'staged']) {
    gitIn(place, 'init', '-q', name)
    write(place, `${name}/file`, 'file\n')
    gitIn(path.join(place, name), 'add', '.')
    gitIn(path.join(place, name), 'commit', '-q', '-m', 'one')
  }
  gitIn(path.join(place, 'modified'), 'init', '-q', 'inner')
  gitIn(path.join(place, 'modified/inner'), 'commit', '-q', '--allow-empty', '-m', 'one')
  gitIn(path.join(place, 'modified'), 'add', '.')
  gitIn(path.join(place, 'modified'), 'commit', '-q', '-m', 'two')
  write(place, '.gitmodules', '[submodule "M"]\n\tpath = modified\n\tignore = dirty\n')
  gitIn(place, 'add', 'untracked', 'modified', 'moved')
  gitIn(place, 'commit', '-q', '-m', 'one')
  gitIn(place, 'add', 'staged')
  write(place, 'untracked/other', 'other\n')
  write(place, 'modified/inner/other', 'other\n')
  gitIn(path.join(place, 'moved'), 'commit', '-q', '--allow-empty', '-m', 'two')
  const all = (...more: string[]) =>
    [['--porcelain=v2'], ['-s']].map((format) => compare(place, ...format, ...more)).join('')
  expect(all()).not.toContain('modified')
  expect(all('--ignore-submodules=none')).toContain(' S..U 160000 160000 160000')
  write(place, 'modified/file', 'other\n')
  expect(all('--ignore-submodules=none')).toContain(' S.MU 160000 160000 160000')
  for (const value of ['untracked', 'dirty', 'all']) all(`--ignore-submodules=${value}`)
  expect(all('--ignore-submodules')).not.toContain('staged')
  all('-uno')
  // What is said of submodules counts more than that no untracked files are listed.
  expect(all('-uno', '--ignore-submodules=none')).toContain('S..U')
  gitIn(path.join(place, 'untracked'), 'config', 'status.showUntrackedFiles', 'no')
  expect(all('--ignore-submodules=none')).not.toContain('S..U')
  gitIn(path.join(place, 'untracked'), 'config', '--unset', 'status.showUntrackedFiles')
  gitIn(place, 'config', 'submodule.M.ignore', 'untracked')
  expect(all()).toContain(' S.M. ')
  gitIn(place, 'config', 'submodule.M.ignore', 'none')
  expect(all('-uno')).toContain(' S.MU ')
  gitIn(place, 'config', 'submodule.M.ignore', 'untracked')
  for (const value of ['untracked', 'dirty', 'all', 'none']) {
    gitIn(place, 'config', 'diff.ignoreSubmodules', value)
    all()
  }
  gitIn(place, 'add', '.gitmodules')
  gitIn(place, 'config', '--unset', 'submodule.M.ignore')
  rmSync(path.join(place, '.gitmodules'))
  expect(all()).not.toContain('modified')
})

test('untracked files are listed as `status.showUntrackedFiles` says', () => {
  const place = path.join(folder, 'shown')
  gitIn(folder, 'init', '-q', place)
  write(place, 'a/b', 'b\n')
  for (const [value, shown] of [
    ['no', ''],
    ['all', '?? a/b\n'],
    ['normal', '?? a/\n'],
  ] as const) {
    gitIn(place, 'config', 'status.showUntrackedFiles', value)
    expect(compare(place, '--porcelain')).toBe(shown)
    compare(place, '--porcelain', '-uall')
    compare(place, '--porcelain', '-unormal')
  }
})

test('settings of the command line count in submodules, too, and more than their own', () => {
  const place = path.join(folder, 'given')
  const sub = path.join(place, 'sub')
  gitIn(folder, 'init', '-q', place)
  gitIn(place, 'init', '-q', 'sub')
  write(place, 'sub/file', 'file\n', 0o755)
  gitIn(sub, 'add', '.')
  gitIn(sub, 'commit', '-q', '-m', 'one')
  gitIn(place, 'add', 'sub')
  gitIn(place, 'commit', '-q', '-m', 'one')
  chmodSync(path.join(sub, 'file'), 0o644)
  const given = (setting: string, expected: string) => {
    const args = ['-c', setting, 'status', '--porcelain=v2']
    const git = spawnSync('git', args, { cwd: place, env }).stdout.toString()
    expect(run(place, args).stdout.toString(), setting).toBe(git)
    expect(git).toContain(expected)
  }
  given('core.fileMode=true', ' S.M. ')
  given('core.fileMode=false', '')
  gitIn(sub, 'config', 'core.fileMode', 'false')
  given('core.fileMode=true', ' S.M. ')
  write(place, 'sub/other', '')
  writeFileSync(path.join(folder, 'excluded'), 'other\n')
  given(`core.excludesFile=${path.join(folder, 'nothing')}`, ' S..U ')
  given(`core.excludesFile=${path.join(folder, 'excluded')}`, '')
  given('status.showUntrackedFiles=no', '')
})
