/** Pagers and colors of output that goes to a terminal. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { PROCESS_TIMEOUT } from '../support/timeouts.ts'
import { environment, root, run, unpacked } from './cli-support.ts'
import { loose, looseCommit, looseTree, makeRepository } from './loose-objects.ts'

const script = path.join(root, 'tests', 'node', 'paged-command.mjs')

/** Runs a command for a terminal in a process of its own. */
function page(cwd: string, args: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...args], {
    cwd: path.resolve(unpacked, cwd),
    env: { ...environment, TERM: 'dumb', PAGER: '', ...env },
    maxBuffer: 1 << 28,
    timeout: PROCESS_TIMEOUT,
  })
  return { exit: status, stdout: stdout.toString(), stderr: stderr.toString() }
}

const UPPER = { GIT_PAGER: 'tr a-z A-Z' }
const LOG = ['log', '-1', '--format=%s of']
const NAMES = 'long.txt\nlonger.txt\nshort.txt\n'
const [plain, upper] = ['Tiny of\n', 'TINY OF\n']

describe('the pager', () => {
  test.each([
    ['GIT_PAGER comes first', LOG, { ...UPPER, PAGER: 'rev' }, upper],
    ['PAGER is next', LOG, { PAGER: 'tr a-z A-Z' }, upper],
    ['a program without arguments needs no shell', LOG, { PAGER: 'rev' }, 'fo yniT\n'],
    ['cat is none', LOG, { GIT_PAGER: 'cat' }, plain],
    ['an empty name is none', LOG, { GIT_PAGER: '', ...{ PAGER: 'tr a-z A-Z' } }, plain],
    ['one that is missing is none', LOG, { PAGER: 'no-such-pager' }, plain],
    ['--no-pager', ['--no-pager', ...LOG], UPPER, plain],
    ['-P', ['-P', ...LOG], UPPER, plain],
    ['ls-tree has none', ['ls-tree', '--name-only', 'HEAD'], UPPER, NAMES],
    ['--paginate', ['--paginate', 'ls-tree', '--name-only', 'HEAD'], UPPER, NAMES.toUpperCase()],
    ['-p', ['-p', 'ls-tree', '--name-only', 'HEAD'], UPPER, NAMES.toUpperCase()],
  ] as const)('%s', (_, args, env, expected) => {
    expect(page('tiny', args, env)).toEqual({ exit: 0, stdout: expected, stderr: '' })
  })

  test('has settings that the user has not set', () => {
    const GIT_PAGER = 'echo "$LESS,$LV,$GIT_PAGER_IN_USE"; cat'
    expect(page('tiny', LOG, { GIT_PAGER }).stdout).toBe(`FRX,-c,true\n${plain}`)
    expect(page('tiny', LOG, { GIT_PAGER, LESS: 'S' }).stdout).toBe(`S,-c,true\n${plain}`)
  })

  test('does not start without output, and keeps the exit code', () => {
    const started = { GIT_PAGER: 'echo started; cat' }
    expect(page('tiny', ['diff', '--exit-code', 'HEAD', 'HEAD'], started)).toEqual({
      exit: 0,
      stdout: '',
      stderr: '',
    })
    const failed = page('tiny', ['log', 'missing'], started)
    expect([failed.exit, failed.stdout]).toEqual([128, ''])
    expect(failed.stderr).toMatch(/^fatal: ambiguous argument 'missing'/)
    expect(page('main', ['diff', '--exit-code', '--name-only', 'HEAD~1', 'HEAD'], UPPER)).toEqual({
      exit: 1,
      stdout: 'LAST.TXT\n',
      stderr: '',
    })
  })
})

describe('long output', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'packlens-pager-'))
  const subject = 'x'.repeat(3000)
  let all = ''

  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  beforeAll(() => {
    makeRepository(folder)
    const tree = looseTree(folder, [])
    let commit = ''
    for (let at = 0; at < 200; at++) {
      const parents = commit === '' ? {} : { parents: [commit] }
      commit = looseCommit(folder, { tree, message: `${at} ${subject}\n`, ...parents })
      all = `${at} ${subject}\n${all}`
    }
    writeFileSync(path.join(folder, 'refs/heads/main'), `${commit}\n`)
  })

  test('waits for a pager that reads late', () => {
    const { exit, stdout } = page(folder, ['log', '--format=%s'], { GIT_PAGER: 'sleep 0.3; cat' })
    expect([exit, stdout === all]).toEqual([0, true])
  })

  test('ends when the user leaves the pager', () => {
    const answer = page(folder, ['log', '--format=%s'], { GIT_PAGER: 'head -1' })
    expect(answer).toEqual({ exit: 141, stdout: `199 ${subject}\n`, stderr: '' })
  })

  test('shows a message after it in the pager, if messages go to the terminal', () => {
    const tree = looseTree(folder, [
      { mode: '100644', name: 'a', oid: loose(folder, 'blob', '') },
      { mode: '40000', name: 'missing', oid: '1'.repeat(40) },
    ])
    const args = ['-p', 'ls-tree', '-r', '--name-only', tree]
    const ask = (ERRORS: string) => page(folder, args, { ...UPPER, ERRORS })
    const message = `error: Could not read ${'1'.repeat(40)}\n`
    expect(ask('yes')).toEqual({ exit: 1, stdout: `A\n${message.toUpperCase()}`, stderr: '' })
    expect(ask('no')).toEqual({ exit: 1, stdout: 'A\n', stderr: message })
  })
})

const show = (args: readonly string[], env: Readonly<Record<string, string>>, toTerminal = true) =>
  run('main', ['--no-pager', ...args], { env, toTerminal }).stdout.toString()

test('the refs of commits are shown where a user reads, with or without colors', () => {
  const asked = ['log', '-1', '--oneline']
  const [plain, named] = [[], ['--decorate']].map((more) => show([...asked, ...more], {}, false))
  expect(named).toContain('HEAD -> ')
  expect(plain).not.toContain('HEAD -> ')
  expect(show(asked, { TERM: 'dumb' })).toBe(named)
  expect(show(asked, { GIT_PAGER_IN_USE: 'true' }, false)).toBe(named)
  expect(show([...asked, '--no-decorate'], {})).toBe(plain)
  expect(show(['log', '-1', '--pretty=raw'], {})).toBe(
    show(['log', '-1', '--pretty=raw'], {}, false),
  )
  expect(show(['rev-list', ...asked.slice(1), 'HEAD'], {})).toBe(plain)
})

describe('colors', () => {
  const xterm = { TERM: 'xterm' }

  test.each([
    ['log', '-p', '-2', '--no-decorate'],
    ['log', '--oneline', '--decorate', '--graph', '-3'],
    ['log', '--format=%C(red)%s%Creset', '-1'],
    ['rev-list', '--graph', '-5', '--all'],
    ['show', '--stat', '--no-decorate', 'HEAD'],
    ['diff', 'HEAD~1', 'HEAD'],
    ['diff-tree', '-p', 'HEAD'],
  ])('%s', (command, ...args) => {
    const colored = run('main', [command, '--color=always', ...args]).stdout.toString()
    const without = run('main', [command, ...args]).stdout.toString()
    expect(colored).toContain('\x1b[')
    expect(without).not.toContain('\x1b[')
    expect(show([command, ...args], xterm)).toBe(colored)
    expect(show([command, '--color=auto', ...args], xterm)).toBe(colored)
    expect(show([command, ...args], { ...xterm, GIT_PAGER_IN_USE: 'true' }, false)).toBe(colored)
    expect(show([command, ...args], xterm, false)).toBe(without)
    expect(show([command, ...args], { TERM: 'dumb' })).toBe(without)
    expect(show([command, ...args], {})).toBe(without)
    expect(show([command, '--color=never', ...args], xterm)).toBe(without)
    expect(show([command, '--no-color', ...args], xterm)).toBe(without)
  })

  test('of words stay without a terminal', () => {
    expect(show(['diff', '--color-words', 'HEAD~1', 'HEAD'], xterm, false)).toContain('\x1b[')
  })
})
