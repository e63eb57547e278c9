/** Words of changed lines, and colors: `--word-diff`, `--color`, as in git. */
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { openSync } from 'packlens'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { environment, run } from './cli-support.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'packlens-words-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const work = path.join(folder, 'work')

function git(args: readonly string[], exits = [0]): Buffer {
  const { status, stdout, stderr } = spawnSync('git', args, { cwd: work, env: environment })
  if (!exits.includes(status ?? -1)) throw new Error(`git ${args.join(' ')}: ${stderr}`)
  return stdout
}

function commit(message: string, files: Record<string, string | Buffer>): void {
  for (const [name, content] of Object.entries(files)) writeFileSync(path.join(work, name), content)
  git(['add', '.'])
  git(['commit', '-q', '-m', message])
}

const lines = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, at) => `line ${from + at}\n`).join('')
const code = (word: string) => `int main(void)\n{\n\n  one;\n  two;\n  ${word} = f(a, b);\n}\n`

beforeAll(() => {
  mkdirSync(work)
  git(['init', '-q', '-b', 'main'])
  commit('first', {
    text: 'a b c\r\nfoo bar\n\nx\nend',
    'code.c': code('x'),
    'style.css': 'a{b:c}\n',
    rewritten: lines(0, 60),
    blank: 'q\n\n \n',
    'bin.ary': Buffer.from([0, 1, 2]),
  })
  commit('second', {
    text: 'a B c d\r\n  foo baz \nz é\nx\nnew line\nend',
    'code.c': code('long_x'),
    'style.css': 'a{b:d}\n',
    rewritten: lines(400, 480),
    blank: 'q\nw \n \t \tx\n\t\ty\r\n \n \n\n',
    'bin.ary': Buffer.from([0, 3]),
  })
  git(['checkout', '-q', '-b', 'side', 'main~1'])
  commit('third', { 'code.c': code('y') })
  git(['checkout', '-q', 'main'])
  git(['merge', '-q', '-s', 'ours', '--no-commit', 'side'])
  commit('merged', { 'code.c': code('z') })
})

const OPTIONS = [
  ['--word-diff'],
  ['--word-diff=plain', '-U0'],
  ['--word-diff=porcelain'],
  ['--word-diff=color'],
  ['--color-words', '--stat'],
  ['--color-words=[a-z]+|[^[:space:]]'],
  ['--word-diff-regex=.'],
  ['--word-diff', '--word-diff-regex='],
  ['--word-diff=porcelain', '--word-diff-regex=[[:alnum:]_]+|[^[:space:]]', '--color'],
  ['--word-diff', '--color=always', '-B'],
  ['--word-diff=color', '--no-color'],
  ['--word-diff=none', '--word-diff-regex=[a-z]'],
  ['--word-diff', '--numstat', '--word-diff=none'],
  ['--color=always'],
  ['--color', '--stat', '-p', '-B'],
  ['--color=always', '-w'],
  ['--color=never'],
  ['--no-prefix', '-B'],
  ['--src-prefix=i/', '--dst-prefix=é w/', '-B'],
  ['--output-indicator-new=>', '--output-indicator-old=<', '--output-indicator-context=:'],
  ['--output-indicator-new=>', '--color', '-U1'],
  ['--output-indicator-old=x', '--word-diff=porcelain'],
  ['--color=auto'],
  ...['all', 'old', 'context', 'new,context', 'none', 'none,old', ''].map((kinds) => {
    return ['--color', `--ws-error-highlight=${kinds}`]
  }),
  ['--ws-error-highlight', 'all', '--word-diff', '--color'],
  ['--line-prefix=é ', '--color'],
]

test('words are those of the language that attributes name', () => {
  const attributes = path.join(work, '.git', 'info', 'attributes')
  writeFileSync(attributes, '*.css diff=css\n')
  try {
    const args = ['diff', '--word-diff', 'main~2', 'main', '--', 'style.css']
    const { stdout } = run(work, args)
    expect(stdout.toString()).toBe(git(args).toString())
    expect(stdout.toString()).toContain('\na{b:[-c-]{+d+}}\n')
    using repo = openSync(work)
    const options = { wordDiff: true, attributes: '', path: 'style.css' }
    const [patch] = [...repo.patches('main~2', 'main', options)]
    expect(patch?.hunks[0]?.words?.map(({ text }) => text)).toEqual(['a{b:', 'c', 'd', '}', '\n'])
  } finally {
    rmSync(attributes)
  }
})

test.each(OPTIONS)('diff, diff-tree, log and show take %s %s %s', (...options) => {
  for (const [command, ...args] of [
    ['diff', 'main~2', 'main'],
    ['diff-tree', '-p', 'main~2', 'main~1'],
    ['log', '--format=short', '-p', 'main'],
    ['log', '--oneline', '--parents', '-p', 'main'],
    ['show', 'main'],
    ['diff-tree', '--cc', 'main'],
  ]) {
    const all = [command ?? '', ...args, ...options]
    const own = run(work, all)
    expect(own.stderr.toString()).toBe('')
    expect(own.stdout.toString('latin1'), all.join(' ')).toBe(git(all).toString('latin1'))
  }
})

test.each([
  [129, '--word-diff=red', 'bad --word-diff argument: red'],
  [129, '--output-indicator-new=ab', "output-indicator-new expects a character, got 'ab'"],
  [129, '--ws-error-highlight=red', 'unknown value after ws-error-highlight='],
  [129, '--color=red', 'expects "always", "auto", or "never"'],
  [128, '--word-diff-regex=[', '['],
])('exit code %s of %s', (exit, option, message) => {
  const own = run(work, ['diff', option, 'main~2', 'main'])
  expect([own.exit, own.stdout.toString()]).toEqual([exit, ''])
  expect(own.stderr.toString()).toContain(message)
  git(['diff', option, 'main~2', 'main'], [exit])
})

test('patches and diffText have runs of words', () => {
  using repo = openSync(work)
  for (const [wordDiff, ...flags] of [
    [true],
    ['[a-z]|é', '--word-diff-regex=[a-z]|é'],
    [Buffer.from('.'), '--word-diff-regex=.'],
  ] as const) {
    const patches = [...repo.patches('main~2', 'main', { wordDiff, abbrev: 'auto' })]
    const bytes = Buffer.concat(patches.map((patch) => patch.bytes)).toString('latin1')
    const args = ['diff-tree', '-r', '-p', '--word-diff=porcelain', ...flags, 'main~2', 'main']
    expect(bytes).toBe(git(args).toString('latin1'))
  }
  const { hunks, added, removed } = repo.diffText('one two\n\nx\n', 'one 2\n\nx\n', {
    wordDiff: true,
  })
  expect([added, removed, hunks.length, hunks[0]?.lines]).toEqual([1, 1, 1, []])
  expect(hunks[0]?.words?.map(({ kind, text }) => `${kind} ${JSON.stringify(text)}`)).toEqual([
    ...['context "one "', 'removed "two"', 'added "2"', 'line-feed "\\n"'],
    ...['context ""', 'line-feed "\\n"', 'context "x"', 'line-feed "\\n"'],
  ])
  expect(repo.diffText('a\n', 'b\n').hunks[0]?.words).toBeUndefined()
  // All lines of a rewritten file are replaced, not compared by words.
  const options = { wordDiff: true, rewrites: true }
  const rewritten = [...repo.patches('main~2', 'main', options)].find(
    ({ path }) => path === 'rewritten',
  )
  expect(rewritten?.hunks[0]?.lines.length).toBe(140)
  expect(() => repo.diffText('a', 'b', { wordDiff: '(' })).toThrow('(')
})
