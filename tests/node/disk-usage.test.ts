/** `rev-list --disk-usage`: git's sums over packed and loose objects. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { git } from '../../scripts/lib/git-oracle.mjs'
import { linesHistory } from '../fixtures/lines-history.mjs'
import { environment, run } from './cli-support.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'packlens-disk-usage-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const lines = path.join(folder, 'lines')
beforeAll(() => {
  git(lines, ['init', '-q', '--bare', lines])
  git(lines, ['fast-import', '--quiet', '--done', '--force'], linesHistory(23, 60))
  git(lines, ['repack', '-adbq'])
  const person = ['-c', 'user.name=A', '-c', 'user.email=a@example.com']
  git(lines, [...person, 'tag', '-m', 'loose', 'annotated', 'main'])
})

function compare(args: readonly string[]): string {
  const all = ['--git-dir', lines, 'rev-list', ...args]
  const { status, stdout, stderr } = spawnSync('git', all, { env: environment })
  const own = run(folder, all)
  const answer = [own.exit, `${own.stdout}`, own.stderr]
  expect(answer, args.join(' ')).toEqual([status, `${stdout}`, `${stderr}`])
  return `${stdout}`
}

test.each([
  ['main'],
  ['--objects', 'annotated'],
  ['--objects', '--use-bitmap-index', 'main'],
  ['--objects', 'main~7..main'],
  ['--objects', '--filter=blob:none', 'main'],
  ['--objects', '--filter=tree:1', '--missing=print', 'main'],
  ['--boundary', 'main~3..main'],
  ['--left-right', 'main~3...main'],
  ['--parents', '--topo-order', '--reverse', '-5', 'main'],
  ['--count', '--objects', 'main'],
  ['--graph', 'main'],
  ['--oneline', 'main'],
  ['--quiet', 'main'],
  ['main', '--', '*a*'],
])('%j', (...args) => {
  expect(compare(['--disk-usage', ...args])).toMatch(/^(0\n)?\d\d+\n$/)
  expect(compare([...args.slice(0, 1), '--disk-usage=human', ...args.slice(1)])).toMatch(/B|bytes/)
})

test('the lines about omitted objects precede the sum', () => {
  const args = ['--disk-usage', '--objects', '--filter=blob:none', '--filter-print-omitted', 'main']
  const sorted = (text: string) => text.split('\n').sort()
  const own = run(folder, ['--git-dir', lines, 'rev-list', ...args])
  const expected = git(lines, ['rev-list', ...args])
  expect(sorted(`${own.stdout}`)).toEqual(sorted(`${expected.join('\n')}\n`))
  expect(`${own.stdout}`).toMatch(/^(~\w+\n)+\d+\n$/)
})

test.each(['=', '=typo', '=human '])('refuses the format %j', (format) => {
  compare([`--disk-usage${format}`, 'main'])
})

test('is refused where git has no sum of what is shown', () => {
  for (const option of ['-g', '--bisect-vars', '-z']) {
    const { exit } = run(folder, ['--git-dir', lines, 'rev-list', '--disk-usage', option, 'main'])
    expect(exit).toBe(128)
  }
})
