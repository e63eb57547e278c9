/** `-O`, `--rotate-to` and `--skip-to`: the output and the exit code of git, over a made history. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { git } from '../../scripts/lib/git-oracle.mjs'
import { linesHistory } from '../fixtures/lines-history.mjs'
import { environment, run } from './cli-support.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'packlens-change-order-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const lines = path.join(folder, 'lines')
const order = path.join(folder, 'order')
let paths: string[] = []
let merge = ''
beforeAll(() => {
  git(lines, ['init', '-q', '--bare', lines])
  git(lines, ['fast-import', '--quiet', '--done', '--force'], linesHistory(23, 120))
  paths = git(lines, ['diff', '--name-only', '--no-renames', 'main~25', 'main'])
  merge = git(lines, ['rev-list', '--merges', '-1', 'main'])[0] ?? ''
  const [first = '', second = ''] = paths
  const folders = paths.flatMap((one) => one.match(/^[^/]+(?=\/)/) ?? [])
  const all = ['# an order', '', paths.at(-1), `*${second.slice(-3)}`, ...folders, first]
  writeFileSync(order, `${all.join('\n')}\n`)
})

/** Compares the output and the exit code with git's; returns both. */
function compare(...args: string[]): { exit: number | null; stdout: string } {
  const all = ['--git-dir', lines, ...args]
  const { status, stdout } = spawnSync('git', all, { env: environment, maxBuffer: 1 << 28 })
  const own = run(folder, all)
  const answer = { exit: own.exit, stdout: own.stdout.toString('latin1') }
  expect(answer, args.join(' ')).toEqual({ exit: status, stdout: stdout.toString('latin1') })
  return answer
}

const RANGE = ['main~25', 'main']

test('changes are sorted by the patterns of a file', () => {
  for (const format of [
    ['--name-only'],
    ['--raw', '-p', '--stat'],
    ['-M', '--summary', '--numstat'],
  ]) {
    const { stdout } = compare('diff', ...format, `-O${order}`, ...RANGE)
    const plain = git(lines, ['diff', ...format, ...RANGE])
    expect(stdout.split('\n').slice(0, -1)).not.toEqual(plain)
  }
  expect(compare('diff-tree', '-r', `-O${order}`, ...RANGE).exit).toBe(0)
  compare('log', '-5', '-p', '--format=%h', `-O${order}`, 'main')
  expect(merge).not.toBe('')
  compare('show', '--format=%h', '--cc', `-O${order}`, merge)
  compare('diff-tree', '-c', `-O${order}`, merge)
})

test('an order file is relative to the folder that -C names', () => {
  const of = (file: string) => ['diff', '--name-only', `-O${file}`, ...RANGE]
  const { stdout } = run(path.dirname(folder), ['-C', lines, ...of('../order')])
  expect(stdout.toString().trimEnd().split('\n')).toEqual(git(lines, of(order)))
})

test('changes begin with that of a path', () => {
  const middle = paths[paths.length >> 1] ?? ''
  for (const option of [`--rotate-to=${middle}`, `--skip-to=${middle}`]) {
    for (const format of [
      ['--name-only', '--no-renames'],
      ['-p', '--stat', '--no-renames'],
    ]) {
      expect(compare('diff', ...format, option, ...RANGE).exit).toBe(0)
      expect(compare('diff-tree', '-r', ...format, option, `-O${order}`, ...RANGE).exit).toBe(0)
    }
    compare('log', '-9', '--name-status', '--format=%h', option, 'main')
  }
  // The last of both counts.
  compare('diff', '--name-only', `--skip-to=${middle}`, `--rotate-to=${paths[1]}`, ...RANGE)
  compare('diff', '--name-only', `--rotate-to=${middle}`, `--skip-to=${paths[1]}`, ...RANGE)
})

test('a path without a change is an error of diff and diff-tree only', () => {
  for (const option of ['--rotate-to=none', '--skip-to=none']) {
    expect(compare('diff', option, ...RANGE)).toEqual({ exit: 128, stdout: '' })
    expect(compare('diff-tree', '-r', option, ...RANGE).exit).toBe(128)
    expect(compare('diff', option, 'main', 'main').exit).toBe(0)
    expect(compare('log', '-3', '--name-only', '--format=%h', option, 'main').exit).toBe(0)
  }
  expect(compare('diff', `-O${order}-none`, ...RANGE).exit).toBe(128)
  const combined = run(folder, ['--git-dir', lines, 'show', '--cc', '--skip-to=none', merge])
  expect(combined.exit).toBe(128)
})
