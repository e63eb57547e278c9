/** Values of the configuration that `diff` and the commands like it refuse name their variable. */
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { oddHistory } from '../fixtures/log-history.mjs'
import { compareWithGit } from './beside-git.ts'
import { run } from './cli-support.ts'
import { madeHistory } from './recorded-answers.ts'

const folder = madeHistory('cli-settings', oddHistory)

function withConfig(config: string, args: readonly string[]) {
  writeFileSync(path.join(folder, 'config'), `[core]\n\tbare = true\n${config}`)
  return run(folder, ['--git-dir', folder, ...args])
}

const DIFF = ['diff', '--color', 'main~1', 'main']
const PLUMBING = ['diff-tree', '--color', 'main~1', 'main']

test.each([
  ['diff.context = x', '[diff]\n\tcontext = x\n', "'x' for 'diff.context'"],
  ['diff.context = -1', '[diff]\n\tcontext = -1\n', "'diff.context'"],
  ['diff.context', '[diff]\n\tcontext\n', "missing value for 'diff.context'"],
  ['diff.algorithm', '[diff]\n\talgorithm = x\n', "'diff.algorithm'"],
  ['color.diff.old', '[color "diff"]\n\told = x\n', 'invalid color value: x'],
  ['core.abbrev', '[core]\n\tabbrev = 2\n', 'abbrev length out of range: 2'],
])('%s', (_, config, message) => {
  const { exit, stdout, stderr } = withConfig(config, DIFF)
  expect([exit, stdout.length]).toEqual([128, 0])
  expect(stderr).toContain(message)
})

test('diff-tree reads no defaults of users, but colors and digits', () => {
  const plain = withConfig('', [...PLUMBING, '-p']).stdout.toString()
  const users = '[diff]\n\tcontext = x\n\talgorithm = x\n\tnoprefix\n[color]\n\tui = never\n'
  expect(withConfig(users, [...PLUMBING, '-p']).stdout.toString()).toBe(plain)
  expect(plain).toContain('\x1b[31m')
  const blue = withConfig('[color "diff"]\n\told = blue\n', [...PLUMBING, '-p']).stdout.toString()
  expect(blue).toBe(plain.replaceAll('\x1b[31m', '\x1b[34m'))
  expect(withConfig('[core]\n\tabbrev = 2\n', PLUMBING).exit).toBe(128)
})

test('diff.orderFile is below the top of the work tree, or the current folder', () => {
  writeFileSync(path.join(folder, 'order'), 'moved\none\n')
  const names = ['diff', '--name-only', '--no-renames', 'main~6', 'main']
  const [first] = withConfig('', names).stdout.toString().split('\n')
  expect(first).toBe('dir/copy')
  const ordered = withConfig('[diff]\n\torderFile = order\n', names)
  expect(ordered.stdout.toString().split('\n')[0]).toBe('moved/two')
  const missing = withConfig('[diff]\n\torderFile = missing\n', names)
  expect([missing.exit, missing.stdout.length]).toEqual([128, 0])
  const given = ['diff', `-O${path.join(folder, 'order')}`, ...names.slice(1)]
  expect(withConfig('[diff]\n\torderFile = missing\n', given)).toMatchObject({ exit: 0 })
})

test.each([
  ['files', []],
  ['0,cumulative', []],
  ['0', ['--dirstat=cumulative']],
  ['lines,16.70,noncumulative', []],
  ['10,files', ['--dirstat=lines', '-X0']],
  ['future,0,lines', []],
  ['1x,files,other', []],
])('diff.dirstat = %s, with %j', (value, more) => {
  withConfig('\trepositoryformatversion = 0\n', [])
  const args = ['-c', `diff.dirstat=${value}`, '--git-dir', folder]
  for (const command of [['diff', 'main~6', 'main'], ['diff-tree', 'main~6', 'main'], ['log']]) {
    compareWithGit(folder, [...args, ...command, '--dirstat', ...more])
  }
})

test('log.follow follows one path', () => {
  const list = (...args: string[]) => {
    const { stdout } = withConfig('[log]\n\tfollow = true\n', ['log', '--format=%h', ...args])
    return stdout.toString().split('\n').length - 1
  }
  const plain = list('--no-follow', 'left', '--', 'renamed')
  expect(list('left', '--', 'renamed')).toBe(list('--follow', 'left', '--', 'renamed'))
  expect(list('left', '--', 'renamed')).toBeGreaterThan(plain)
  expect(list('left', '--', 'renamed', 'left')).toBe(
    list('--no-follow', 'left', '--', 'renamed', 'left'),
  )
  expect(list('left', '--', ':(glob)renamed')).toBe(plain)
})

describe('the configuration of the system and of the user', () => {
  const [system, user, included] = ['system', 'user', 'included'].map((name) =>
    path.join(folder, `gitconfig-${name}`),
  ) as [string, string, string]
  const CORE = '[core]\n\trepositoryformatversion = 0\n\tbare = true\n'
  const env = { GIT_CONFIG_SYSTEM: system, GIT_CONFIG_GLOBAL: user }

  test.each([
    [['log', '-3']],
    [['log', '--pretty=mine', '--decorate', '-3']],
    [['show', '-p', 'main~1']],
    [['diff', 'main~6', 'main']],
    [['diff-tree', '-p', 'main~1', 'main']],
    [['rev-list', '--graph', '--abbrev-commit', '-5', 'main']],
    [['shortlog', '--format=%h', '-3', 'main']],
  ])('counts as in git: %j', (args) => {
    writeFileSync(system, '[color]\n\tui = always\n[diff]\n\tcontext = 1\n[core]\n\tabbrev = 9\n')
    writeFileSync(included, '[color "diff"]\n\told = blue\n[log]\n\tdate = iso\n')
    writeFileSync(
      user,
      '[pretty]\n\tmine = format:%h %an\n[format]\n\tpretty = fuller\n[diff]\n\tnoprefix\n' +
        `[include]\n\tpath = ${included}\n[log]\n\tgraphColors = red,blue\n`,
    )
    for (const own of ['', '[diff]\n\tnoprefix = false\n\tcontext = 5\n[core]\n\tabbrev = 7\n']) {
      writeFileSync(path.join(folder, 'config'), `${CORE}${own}`)
      compareWithGit(folder, ['--git-dir', folder, ...args], { env })
    }
  })

  test('names a malformed file', () => {
    writeFileSync(system, '')
    writeFileSync(user, '[log\n')
    writeFileSync(path.join(folder, 'config'), CORE)
    const { exit, stderr } = run(folder, ['--git-dir', folder, 'log', '-1'], { env })
    expect([exit, stderr]).toEqual([128, `fatal: bad config line 1 in file ${user}\n`])
  })
})
