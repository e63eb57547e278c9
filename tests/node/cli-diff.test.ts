/** `packlens diff`: the output and the exit code of git, over a made history. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { git } from '../../scripts/lib/git-oracle.mjs'
import { linesHistory } from '../fixtures/lines-history.mjs'
import { environment, run } from './cli-support.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'packlens-cli-diff-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const lines = path.join(folder, 'lines')
beforeAll(() => {
  git(lines, ['init', '-q', '--bare', lines])
  git(lines, ['fast-import', '--quiet', '--done', '--force'], linesHistory(23, 120))
})

/** Compares the output and the exit code with git's; returns both. */
function compare(args: readonly string[]): { exit: number | null; stdout: string } {
  const all = ['--git-dir', lines, 'diff', ...args]
  const { status, stdout } = spawnSync('git', all, { env: environment, maxBuffer: 1 << 28 })
  const own = run(folder, all)
  const answer = { exit: own.exit, stdout: own.stdout.toString('latin1') }
  expect(answer, args.join(' ')).toEqual({ exit: status, stdout: stdout.toString('latin1') })
  return answer
}

describe('compares two commits as git does', () => {
  test.each([
    [['main~9', 'main']],
    [['main~9..main']],
    [['main~9...main']],
    [['main', '^main~9']],
    [['main~5^!']],
    [['--merge-base', 'main~9', 'main']],
    [['--raw', 'main~12', 'main']],
    [['--name-status', '-B', 'main~12', 'main']],
    [['--no-renames', '--stat', '--summary', '-p', 'main~12', 'main']],
    [['main~12:', 'main^{tree}', '--numstat']],
    [['-z', '--raw', '--abbrev=9', 'main~5', 'main']],
    [['--diff-filter=M', '--name-status', 'main~25', 'main']],
    [['--diff-filter=A', '--raw', 'main~25', 'main']],
    [['--diff-filter=ad', '--stat', 'main~25', 'main']],
    [['--diff-filter=D', '--numstat', '-p', 'main', 'main~25']],
    [['--compact-summary', '-M', 'main~25', 'main']],
    [['--compact-summary', '--no-renames', 'main', 'main~12']],
    [['--dirstat=lines,cumulative,0', '-p', 'main~25', 'main']],
    [['-X1.25,files', '--stat', 'main~25', 'main']],
    [['--dirstat-by-file=0', '--shortstat', '-M', 'main~25', 'main']],
    [['--dirstat', '--name-only', 'main~25', 'main']],
    [['-w', '-U1', '--histogram', 'main~11', 'main', '--', '*a*', ':!b*']],
  ])('%j', (args) => {
    const { exit, stdout } = compare(args)
    expect(exit).toBe(0)
    expect(stdout.length).toBeGreaterThan(20)
  })
})

test.each([
  ['x,5', "Unknown dirstat parameter 'x'"],
  ['5.x', "Failed to parse dirstat cut-off percentage '5.x'"],
])('refuses --dirstat=%s', (parameters, message) => {
  expect(compare([`--dirstat=${parameters}`, 'main~1', 'main']).exit).toBe(128)
  const own = run(folder, ['--git-dir', lines, 'diff', `-X${parameters}`, 'main~1', 'main'])
  expect(own.stderr.toString()).toBe(
    `fatal: Failed to parse --dirstat/-X option parameter:\n  ${message}\n\n`,
  )
})

test.each(['*/*', '*a*', ':!*a*', 'nothing/*'])(
  'show shows a commit that %s selects',
  (pattern) => {
    for (const commit of ['main', 'main~3', 'main~11']) {
      const all = ['--git-dir', lines, 'show', '--format=%s', commit, '--', pattern]
      const { status, stdout } = spawnSync('git', all, { env: environment, maxBuffer: 1 << 28 })
      const own = run(folder, all)
      expect([own.exit, own.stdout.toString('latin1')]).toEqual([status, stdout.toString('latin1')])
    }
  },
)

test('the exit code says whether anything differs, if that is asked for', () => {
  for (const [exit, args] of [
    [1, ['--exit-code', 'main~1', 'main']],
    [0, ['--exit-code', 'main', 'main']],
    [0, ['--exit-code', 'main~1', 'main', '--', 'nothing']],
    [1, ['--quiet', 'main~1', 'main']],
    [0, ['--quiet', 'main', 'main']],
    [1, ['-s', '--exit-code', 'main~1', 'main']],
    [0, ['-s', 'main~1', 'main']],
  ] as const) {
    expect(compare(args).exit, args.join(' ')).toBe(exit)
  }
})

test.each([
  [['nothing', 'main'], "ambiguous argument 'nothing'"],
  [['main~2..nothing'], 'ambiguous argument'],
  [['main~1', 'main', 'nothing'], "ambiguous argument 'nothing'"],
  [['--name-only', '--name-status', 'main~1', 'main'], 'cannot be used together'],
])('refuses %j as git does', (args, message) => {
  expect(compare(args)).toEqual({ exit: 128, stdout: '' })
  expect(run(folder, ['--git-dir', lines, 'diff', ...args]).stderr.toString()).toContain(message)
})

test.each([
  [['main~3...main~2', 'main~1...main']],
  [['main~3', 'main~1...main']],
  [['main~1...main', 'main~3']],
  [['main~2..main~1', 'main']],
  [['main~1', 'main', 'main~3..main~2', '--', 'two.c']],
])('refuses a range and other revisions, as git does: %j', (args) => {
  expect(compare(args)).toEqual({ exit: 129, stdout: '' })
})

test.each([
  [[], 'no work tree and no index'],
  [['main'], 'no work tree and no index'],
  [['--cached', 'main'], 'does not support --cached'],
])('says that it does not support %j', (args, message) => {
  const { exit, stderr } = run(folder, ['--git-dir', lines, 'diff', ...args])
  expect(exit).toBe(128)
  expect(stderr.toString()).toContain(message)
})
