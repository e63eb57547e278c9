/** Checks of white space, files that are named, and tables of merges, as in git. */
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { environment, run } from './cli-support.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'packlens-tables-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const work = path.join(folder, 'work')

function git(args: readonly string[], exits: readonly number[] = [0]): Buffer {
  const { status, stdout, stderr } = spawnSync('git', args, { cwd: work, env: environment })
  if (!exits.includes(status ?? -1)) throw new Error(`git ${args.join(' ')}: ${stderr}`)
  return stdout
}

function commit(message: string, files: Record<string, string>): void {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(work, name)), { recursive: true })
    writeFileSync(path.join(work, name), content)
  }
  git(['add', '.'])
  git(['commit', '-q', '-m', message])
}

/** Compares the output and the exit code with git's. */
function compare(exit: number, args: readonly string[]): void {
  const expected = git(args, [exit]).toString('latin1')
  const own = run(work, args)
  expect([own.exit, own.stdout.toString('latin1')], args.join(' ')).toEqual([exit, expected])
}

beforeAll(() => {
  mkdirSync(work)
  git(['init', '-q', '-b', 'main'])
  commit('first', { 'a file': 'one\n\nend\n', b: 'x', 'd/e/f': 'f\n', 'd/g': 'g\n' })
  commit('second', {
    'a file': 'one \n\n<<<<<<< x\n \t \ty\n=======\n=======z\nend\t\r\n\n \n',
    b: 'x\ny ',
    'd/e/f': 'f\nf\n',
    'd/g': 'h\n',
    binary: 'x \0',
  })
  git(['checkout', '-q', '-b', 'side', 'main~1'])
  commit('third', { b: 'z', 'd/e/f': 'e\nf\n', new: 'new\n' })
  git(['checkout', '-q', 'main'])
  git(['merge', '-q', '-s', 'ours', '--no-commit', 'side'])
  commit('merged', {
    b: 'xyz\n',
    'd/e/f': 'merged\n',
    other: '\n',
    feeds: '\n\n\n',
    spaces: ' \n\n ',
  })
  git(['checkout', '-q', '-b', 'wide'])
  commit('wide', { 'some folder/a name that takes many columns': 'line\n'.repeat(90) })
  git(['checkout', '-q', 'main'])
})

test.each([
  [2, ['diff', '--check', 'main~2', 'main~1']],
  [3, ['diff', '--check', '--exit-code', 'main~2', 'main~1']],
  [0, ['diff', '--check', '-R', 'main~2', 'main~1']],
  [2, ['diff', '--check', '-w', '-I.', '--stat', '-p', 'main~2', 'main~1']],
  [2, ['diff-tree', '--check', '--color=always', 'main~1']],
  [2, ['log', '--format=%s', '--check']],
  [2, ['show', '--format=%s', '--check', 'main~1']],
  [2, ['diff', '--check', 'main~2:a file', 'main~1:b']],
] as const)('exit code %s of %j', (exit, args) => compare(exit, args))

test.each([
  [0, ['--stat', '--numstat', '--raw', '-p', 'main~2:a file', 'main~1:b']],
  [0, ['-R', '--name-status', 'main~2:a file', 'main~1:b']],
  [0, ['main~1:a file', 'main~1:a file']],
  [1, ['--exit-code', 'main~1:b..main~2:b']],
  [128, ['main:b', 'main:b', 'main:b']],
  [129, ['main:b', 'main:b', '--', 'b']],
] as const)('exit code %s of diff %j', (exit, args) => {
  if (exit !== 129) return compare(exit, ['diff', ...args])
  // A usage is not compared, whatever it says.
  git(['diff', ...args], [exit])
  expect(run(work, ['diff', ...args]).exit).toBe(exit)
})

// Of a last line without a line feed, git before 2.44 counts nothing.
test.each([
  ['--dirstat'],
  ['--cumulative', '--raw', '--summary'],
  ['--dirstat=0,cumulative', '-p', '-R'],
  ['--dirstat=40', '--stat'],
  ['-X0,lines', '--check'],
  ['--dirstat=files,noncumulative,0', '--numstat'],
])('diff prints shares of directories with %s %s', (...options) => {
  compare(options.includes('--check') ? 2 : 0, ['diff', ...options, 'main~2', 'main', '--', ':!b'])
})

test.each([
  ['-c', '--stat'],
  ['-c', '--numstat', '--raw', '--summary'],
  ['--cc', '--dirstat=0', '-p'],
  ['--cc', '--shortstat', '--name-status'],
  ['-c', '--check'],
  ['-c', '-z', '--numstat', '--raw'],
  ['--cc', '--compact-summary', '--no-commit-id', '-p'],
])('diff-tree and show print tables of a merge with %s %s', (...options) => {
  compare(0, ['diff-tree', ...options, 'main'])
  compare(0, ['show', '--format=%s', ...options.filter((one) => one !== '--no-commit-id'), 'main'])
})

test.each(['20', '32x', 'x', '-5', '0', '200'])('COLUMNS=%s is the width of tables', (COLUMNS) => {
  const commands = [['diff'], ['diff-tree'], ['diff', '--stat=30'], ['diff-tree', '--pretty']]
  for (const command of commands) {
    const revisions = command[1] === '--pretty' ? ['wide'] : ['main', 'wide']
    const args = [...command, '--stat', ...revisions]
    const env = { ...environment, COLUMNS }
    const { stdout } = spawnSync('git', args, { cwd: work, env })
    const own = run(work, args, { env: { COLUMNS } })
    expect(own.stdout.toString('latin1'), args.join(' ')).toBe(stdout.toString('latin1'))
  }
})
