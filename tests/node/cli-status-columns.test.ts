/** `packlens status` puts files in columns as git does, byte for byte. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { columnLines } from '../../dist/node/cli/color/column-layout.js'
import { run } from './cli-support.ts'
import { gitIn, write } from './made-worktree.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'packlens-cli-status-columns-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

beforeAll(() => {
  gitIn(folder, 'init', '-q', '-b', 'main', '.')
  for (let at = 0; at < 23; at++) write(folder, `${'abcd'.repeat((at * 7) % 5)}-${at}`, '')
  for (const name of ['日本語', 'é "quoted"', 'ignored-1', 'ignored-2', 'ignored-three']) {
    write(folder, name, '')
  }
  write(folder, '.git/info/exclude', 'ignored-*\n')
})

/** Compares the output and the exit code, and returns the output. */
function compare(args: readonly string[], COLUMNS = '80'): string {
  const env = { GIT_CONFIG_GLOBAL: '/dev/null', LC_ALL: 'C.UTF-8', COLUMNS }
  const git = spawnSync('git', args, { cwd: folder, env: { ...process.env, ...env } })
  const own = run(folder, args, { env })
  const what = `${COLUMNS} ${args.join(' ')}`
  expect(own.stdout.toString('latin1'), what).toBe(git.stdout.toString('latin1'))
  expect(own.exit, what).toBe(git.status)
  return own.stdout.toString()
}

const STYLES = [
  '',
  '=row',
  '=dense',
  '=row,dense',
  '=plain',
  '=auto',
  '=never',
  '=row dense',
  '=nodense',
]

describe.each(STYLES)('status --column%s', (style) => {
  test.each(['', '15', '30', '52', '80', '81', '200', 'x'])('in %s columns', (columns) => {
    compare(['status', `--column${style}`], columns)
    compare(['-c', 'core.quotePath=false', 'status', `--column${style}`, '--ignored'], columns)
    const painted = ['-c', 'color.status=always', '-c', 'color.status.header=bold']
    compare(
      [...painted, '-c', 'status.displayCommentPrefix', 'status', `--column${style}`],
      columns,
    )
  })
})

test('the configuration, and options that add to each other', () => {
  const plain = compare(['status'])
  expect(compare(['status', '--column'])).not.toBe(plain)
  expect(compare(['status', '--column', '--no-column'])).toBe(plain)
  compare(['status', '--no-column', '--column=dense'])
  compare(['status', '--column=dense', '--column=row'])
  for (const value of ['always', 'never', 'auto', 'row', 'never,dense']) {
    compare(['-c', `column.ui=${value}`, 'status'])
    compare(['-c', 'column.ui=row,dense', '-c', `column.status=${value}`, 'status'])
    compare(['-c', `column.status=${value}`, 'status', '--column=auto'])
    compare(['-c', `column.status=${value}`, 'status', '--short'])
  }
})

test('a word that is no style is an error', () => {
  compare(['status', '--column=wide'])
  compare(['-c', 'column.ui=wide', 'status'])
  compare(['-c', 'column.ui', 'status'])
})

test('more files than a call may have arguments', () => {
  const names = Array.from({ length: 200_000 }, (_, at) => `${at}`)
  expect(columnLines(names, { order: 'row', isDense: false }, 80)).toHaveLength(
    Math.ceil(200_000 / 11),
  )
})
