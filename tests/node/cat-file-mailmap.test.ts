/** `packlens cat-file --use-mailmap` replaces persons of commits and tags, as git does. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { environment, run } from './cli-support.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'packlens-cat-mailmap-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function git(args: readonly string[], stdin = '') {
  const { status, stdout } = spawnSync('git', args, { cwd: folder, env: environment, input: stdin })
  return { exit: status, stdout: stdout.toString('latin1') }
}

function own(args: readonly string[], stdin = '') {
  const { exit, stdout, stderr } = run(folder, args, { stdin })
  return { exit, stdout: stdout.toString('latin1'), stderr }
}

function compare(args: readonly string[], stdin = ''): string {
  const { exit, stdout } = own(args, stdin)
  expect({ exit, stdout }, args.join(' ')).toEqual(git(args, stdin))
  return stdout
}

const person = (name: string, mail: string) => [
  '-c',
  `user.name=${name}`,
  '-c',
  `user.email=${mail}`,
]

beforeAll(() => {
  git(['init', '-q', '-b', 'main'])
  writeFileSync(path.join(folder, 'file'), 'author Old <old@x>\n')
  git(['add', 'file'])
  const author = ['--author', 'Other <other@x>']
  git([
    ...person('Old', 'old@x'),
    'commit',
    '-q',
    '-m',
    'one\n\nauthor Old <old@x> 1 +0000',
    ...author,
  ])
  git([...person('Old', 'OLD@x'), 'tag', '-a', '-m', 'tagged', 'v1'])
  git([...person('Kept', 'kept@x'), 'tag', '-a', '-m', 'tagged', 'v2'])
  const lines = ['New Name <new@x> <old@x>', '<address@x> Other <other@x>']
  writeFileSync(path.join(folder, '.mailmap'), `${lines.join('\n')}\n`)
})

const OBJECTS = ['HEAD', 'v1', 'v2', 'HEAD:file', 'HEAD^{tree}', 'missing']

test.each(['--use-mailmap', '--mailmap', '--no-use-mailmap', '--no-mailmap'])('%s', (option) => {
  for (const name of OBJECTS) {
    for (const how of ['-p', '-t', '-e']) compare(['cat-file', option, how, name])
  }
  compare(['cat-file', option, 'commit', 'v1'])
  compare(['cat-file', option, 'tag', 'v1'])
  compare(['cat-file', option, 'blob', 'HEAD:file'])
})

test('names are replaced in headers only', () => {
  const lines = compare(['cat-file', '--use-mailmap', 'commit', 'HEAD']).split('\n')
  expect(lines[1]).toMatch(/^author Other <address@x> /)
  expect(lines[2]).toMatch(/^committer New Name <new@x> /)
  expect(lines[6]).toBe('author Old <old@x> 1 +0000')
})

/** What git 2.55 prints: before 2.40 sizes were those of the objects. */
test.each([['HEAD'], ['v1'], ['v2'], ['HEAD:file']])('sizes of %s', (name) => {
  const { length } = own(['cat-file', '--use-mailmap', '-p', name]).stdout
  expect(own(['cat-file', '--use-mailmap', '-s', name]).stdout).toBe(`${length}\n`)
  const format = '%(objecttype) %(objectsize) %(objectname)'
  const [type = '', , oid = ''] = own(['cat-file', `--batch-check=${format}`], name)
    .stdout.trim()
    .split(' ')
  const mapped = ['cat-file', '--use-mailmap', `--batch-check=${format}`]
  for (const more of [[], ['--buffer']]) {
    expect(own([...mapped, ...more], `${name}\nHEAD^{tree}\n${name}\n`).stdout.split('\n')).toEqual(
      [
        `${type} ${length} ${oid}`,
        git(['cat-file', `--batch-check=${format}`], 'HEAD^{tree}').stdout.trim(),
        `${type} ${length} ${oid}`,
        '',
      ],
    )
  }
  const content = own(['cat-file', '--use-mailmap', '-p', name]).stdout
  const whole = own(['cat-file', '--use-mailmap', '--batch=%(objectsize)'], `${name}\nnone\n`)
  expect(whole.stdout).toBe(`${length}\n${content}\nnone missing\n`)
})

test.each([[[]], [['--buffer']], [['--mailmap']], [['--no-mailmap']]])(
  'mailmap in --batch-command %j',
  (flags) => {
    const plain = git(['cat-file', '-s', 'HEAD']).stdout.trim()
    const mapped = own(['cat-file', '--mailmap', '-s', 'HEAD']).stdout.trim()
    expect(mapped).not.toBe(plain)
    const stdin = 'mailmap yes\ninfo HEAD\nmailmap 0\ninfo HEAD\nmailmap true\ninfo HEAD\n'
    const flush = flags[0] === '--buffer' ? 'flush\n' : ''
    const format = '--batch-command=%(objectsize)'
    const { stdout } = own(['cat-file', ...flags, format], stdin + flush)
    expect(stdout.trim().split('\n')).toEqual([mapped, plain, mapped])
  },
)

test.each([
  [['--batch-command'], 'mailmap maybe\n', "fatal: mailmap: invalid boolean 'maybe'\n"],
  [['--batch-command'], 'mailmap\n', 'fatal: mailmap requires arguments\n'],
  [['--mailmap', '--batch-check', '--batch-all-objects'], '', /does not support --mailmap with/],
])('%j %j is refused', (args, stdin, message) => {
  const { exit, stderr } = own(['cat-file', ...args], stdin)
  expect(exit).toBe(128)
  expect(stderr).toMatch(message)
})
