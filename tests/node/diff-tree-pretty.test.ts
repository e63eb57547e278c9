/** `packlens diff-tree --pretty` and its like: the answers of git, over a made history. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { git } from '../../scripts/lib/git-oracle.mjs'
import { environment, run } from './cli-support.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'packlens-diff-tree-pretty-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const repository = path.join(folder, 'history')

const AUTHORS = 'author Jos\u00e9 <j@example.com> 1000000000 +0130'
const data = (text: string) => `data ${Buffer.byteLength(text)}\n${text}\n`
const commit = (mark: number, message: string, rest: string) =>
  `commit refs/heads/main\nmark :${mark}\n${AUTHORS}\ncommitter C <c@example.com> 1000003600 -0200\n${data(message)}${rest}\n`
const file = (name: string, text: string) => `M 100644 inline ${name}\n${data(text)}`

/** A root, a change, another side, their merge that is neither, a commit without changes and message. */
const HISTORY = [
  commit(1, 'First\n\nwith\ta tab\n', file('a', '1\n2\n3\n') + file('dir/b', 'b\n')),
  commit(2, 'Change a file', `from :1\n${file('a', '1\n2\n4\n')}`),
  commit(3, 'Side\nof two lines\n\nBody', `from :1\n${file('a', '0\n2\n3\n')}${file('c', 'c\n')}`),
  commit(4, "Merge 'side'\n", `from :2\nmerge :3\n${file('a', '0\n2\n5\n')}${file('c', 'd\n')}`),
  commit(5, 'Nothing\n', 'from :4\n'),
  commit(6, '', `from :5\n${file('dir/b', 'c\n')}`),
]

let stdin: string

beforeAll(() => {
  git(repository, ['init', '-q', '--bare', repository])
  git(repository, ['fast-import', '--quiet'], HISTORY.join(''))
  git(repository, [
    '-c',
    'user.name=N',
    '-c',
    'user.email=n',
    'notes',
    'add',
    '-m',
    'A note',
    'main^^',
  ])
  const id = (name: string) => git(repository, ['rev-parse', name]).toString().trim()
  const ids = ['main', 'main~1', 'main~2', 'main~2^2', 'main~3', 'main~4'].map(id)
  const trees = `${id('main~4^{tree}')} ${id('main^{tree}')}`
  stdin = [...ids, trees, 'no id', ids[0], `${ids[2]} ${ids[0]}`, `${ids[0]} ${ids[4]} ${ids[5]}`]
    .map((line) => `${line}\n`)
    .join('')
})

/** Compares the answers with git's; returns what is printed. */
function compare(args: readonly string[]): string {
  const all = ['--git-dir', repository, 'diff-tree', ...args]
  const { status, stdout } = spawnSync('git', all, { env: environment, input: stdin })
  const own = run(folder, all, { stdin })
  const expected = { exit: status, stdout: stdout.toString('latin1') }
  expect({ exit: own.exit, stdout: own.stdout.toString('latin1') }, args.join(' ')).toEqual(
    expected,
  )
  return expected.stdout
}

test.each([
  ['--pretty'],
  ['-v', '-r'],
  ['--pretty=oneline', '--root', '-p'],
  ['--oneline', '--abbrev', '--stat', '-p'],
  ['--pretty=fuller', '--date=iso', '--root', '--patch-with-stat'],
  ['--pretty', '--relative-date', '--date', 'raw', '--name-only'],
  ['--pretty=email', '-p', '--stat', '-M'],
  ['--pretty=raw', '--root', '--summary'],
  ['--pretty=reference', '--name-status'],
  ['--pretty=short', '-z', '--raw'],
  ['--format=%h %s%n%b', '-r', '--abbrev'],
  ['--format=%an %N', '--shortstat', '--root'],
  ['--pretty=format:%s', '--numstat'],
  ['--format=', '--root'],
  ['--pretty', '-s'],
  ['--oneline', '-s', '--root'],
  ['--pretty', '--notes', '--root'],
  ['--pretty', '--no-expand-tabs', '--root'],
  ['--pretty', '--expand-tabs=3', '--root', '--abbrev-commit', '--abbrev=5'],
  ['--pretty', '--encoding=latin1'],
  ['--pretty', '--no-commit-id', '-r'],
  ['--pretty', '-r', '--diff-filter=M'],
])('commits with %s %s %s', (...options) => {
  for (const merges of [[], ['-m'], ['-c'], ['--cc'], ['--cc', '-m']]) {
    if (options.at(-1) === '--diff-filter=M' && merges[0]?.includes('c')) continue
    compare([...options, ...merges, '--stdin'])
    for (const name of ['main', 'main~1', 'main~2', 'main~4'])
      compare([...options, ...merges, name])
  }
  expect(compare([...options, '--stdin', '--', 'dir'])).toContain('no id\n')
})

test('two trees have no commit to show', () => {
  expect(compare(['--pretty', 'main~4', 'main'])).toMatch(/^:/)
})

test('an unknown format, an exit code and notes of another ref are refused', () => {
  const answer = (...args: string[]) => {
    const { exit, stderr } = run(folder, ['--git-dir', repository, 'diff-tree', ...args, 'main'])
    return [exit, stderr]
  }
  expect(answer('--pretty=nope')).toEqual([128, 'fatal: invalid --pretty format: nope\n'])
  const refused = 'fatal: packlens does not support --pretty with --exit-code\n'
  expect(answer('--pretty', '--quiet')).toEqual([128, refused])
  expect(answer('--format', '%s')[0]).toBe(129)
  expect(answer('--pretty', '--notes=other')[0]).toBe(129)
})
