/** `packlens blame` follows the configuration, as git does. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { git } from '../../scripts/lib/git-oracle.mjs'
import { environment, run } from './cli-support.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'packlens-blame-config-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const FILE = 'file'
/** The contents of commits, each on the one before. */
const CONTENTS = ['one\ntwo\n', 'ONE\ntwo\nfour\nfive\n', 'ONE\nTWO\nthree\nfour\nfive\n']
let ids: string[] = []

const gitDir = path.join(folder, '.git')
const inWorkTree = (...args: string[]) => git(gitDir, ['--work-tree', folder, ...args])

beforeAll(() => {
  git(gitDir, ['init', '-q', '-b', 'main'])
  for (const [at, content] of CONTENTS.entries()) {
    writeFileSync(path.join(folder, FILE), content)
    inWorkTree('add', FILE)
    inWorkTree('commit', '-q', '-m', `c${at}`)
  }
  ids = git(gitDir, ['rev-list', '--reverse', 'HEAD'])
  writeFileSync(path.join(folder, 'second'), `# formatted\n${ids[1]}\n`)
  writeFileSync(path.join(folder, 'third'), `${ids[2]}\n`)
})

const asked = (settings: readonly string[], args: readonly string[]) => [
  ...settings.flatMap((setting) => ['-c', setting]),
  ...['blame', ...args, 'HEAD', '--', FILE],
]

/** Compares the output and the exit code with git's; returns the output. */
function compare(settings: readonly string[], args: readonly string[]): string {
  const all = asked(settings, args)
  const { status, stdout } = spawnSync('git', all, { env: environment, cwd: folder })
  const own = run(folder, all)
  const answer = { exit: own.exit, stdout: own.stdout.toString() }
  expect(answer, all.join(' ')).toEqual({ exit: status, stdout: stdout.toString() })
  return answer.stdout
}

describe('colors are those of git:', () => {
  const ages = 'color.blame.highlightRecent='
  const repeated = 'color.blame.repeatedLines='
  const coloring = 'blame.coloring='
  test.each([
    [[], ['--color-lines']],
    [[], ['--color-by-age']],
    [[], ['--color-lines', '--color-by-age', '-s']],
    [[], ['--color-lines', '--no-color-lines']],
    [[], ['--color-lines', '-c']],
    [[], ['--color-by-age', '--porcelain']],
    [[], ['--color-lines', '-L1,1', '-L3,5', '-f', '-n']],
    [[`${coloring}repeatedLines`], []],
    [[`${coloring}highlightRecent`], ['--color-lines']],
    [[`${coloring}highlightRecent`], ['--no-color-by-age']],
    [[`${coloring}repeatedLines`, `${coloring}none`], []],
    [[`${coloring}repeatedLines`, `${coloring}bad`], ['-s']],
    [[`${repeated}bold red`], ['--color-lines']],
    [[`${repeated}normal`], ['--color-lines']],
    [[`${repeated}bad`], ['--color-lines']],
    [[`${ages}red`], ['--color-by-age']],
    [[`${ages}red, 2015-06-01 ,bold blue,@2000000000,green`], ['--color-by-age']],
    [[`${ages}red,@2000000000,blue`], ['--color-by-age']],
    [[`${ages}`], ['--color-by-age']],
    [[`${ages}red,2015-06-01`], []],
    [[`${ages}red,2015-06-01,bad`], []],
    [[`${ages}bad`, `${ages}red`], []],
  ] as const)('%j %j', (settings, args) => {
    // Older versions have a digit more of short ids.
    compare(settings, [...args, '-l'])
  })

  test('a commit of the last second of an age has its color', () => {
    const [time = ''] = git(gitDir, ['log', '-1', '--format=%at'])
    for (const until of [Number(time) - 1, Number(time)]) {
      const shown = compare([`${ages}red,@${until},blue`], ['--color-by-age', '-l'])
      expect(shown).toContain(until === Number(time) ? '\x1b[31m' : '\x1b[34m')
    }
  })
})

const MARKS = ['blame.markIgnoredLines=true', 'blame.markUnblamableLines']

describe('as git', () => {
  test.each([
    [['blame.showEmail=true'], ['-l']],
    [['blame.showEmail=true'], ['-l', '--no-show-email']],
    [['blame.showRoot=true'], ['-l']],
    [['blame.blankBoundary=true'], ['-l']],
    [['blame.date=short'], ['-l']],
    [['blame.date=short'], ['-l', '--date=raw']],
    [['core.abbrev=no'], []],
    [['blame.ignoreRevsFile=second'], ['-p']],
    [['blame.ignoreRevsFile=third', 'blame.ignoreRevsFile=second'], ['-p']],
    [['blame.ignoreRevsFile=third', 'blame.ignoreRevsFile='], ['-p']],
    [['blame.ignoreRevsFile=third'], ['-p', '--ignore-revs-file=second']],
    [['blame.ignoreRevsFile=third'], ['-p', '--no-ignore-revs-file']],
    [['blame.ignoreRevsFile=third'], ['-p', '--ignore-revs-file=']],
    [['blame.ignoreRevsFile=missing'], []],
    [['blame.showEmail=perhaps'], []],
    [['blame.date=perhaps'], []],
    [['diff.indentHeuristic=false'], ['-p']],
  ])('%j %j', (settings, args) => {
    compare(settings, args)
  })

  // Before git 2.55 there are no marks in the porcelain formats.
  test.each([[['--incremental']], [['-l']], [['-l', '-b']], [['-l', '-c']]])(
    'marks of ignored lines: %j',
    (args) => {
      const both = ['--ignore-revs-file=second', '--ignore-revs-file=third']
      for (const ignored of [...both, ids[1], ids[2]]) {
        const flags = ignored?.startsWith('--') ? [ignored] : ['--ignore-rev', `${ignored}`]
        compare(MARKS, [...args, ...flags])
      }
      const printed = compare(MARKS, [...args, ...both])
      expect(/unblamable|^\^?\*/m.test(printed)).toBe(args[0] !== '--incremental')
      for (const mark of MARKS) compare([mark], [...args, ...both])
    },
  )
})

test.each([
  [['-p'], ['ignored', '-', '-', 'unblamable', 'unblamable']],
  [['--line-porcelain'], ['ignored', '-', '-', 'unblamable', 'unblamable']],
])('marks for programs: %j', (args, marks) => {
  const { stdout } = run(folder, asked(MARKS, [...args, '--ignore-revs-file=second']))
  const lines = stdout.toString().split('\n')
  const before = lines.flatMap((line, at) => (line.startsWith('\t') ? [lines[at - 1]] : []))
  expect(before.map((line) => (/^(ignored|unblamable)$/.test(`${line}`) ? line : '-'))).toEqual(
    marks,
  )
})

// As git 2.55 prints them; before 2.52 there was one digit more.
test.each([
  [MARKS, ['^?', 7, '', 9, '', 9, '*', 8, '*', 8]],
  [MARKS.slice(1), ['^', 7, '', 8, '', 8, '*', 7, '*', 7]],
])('The line with the most marks decides how many digits ids have: %j', (settings, shown) => {
  const { stdout } = run(folder, asked(settings, ['-s', '--ignore-revs-file=second']))
  const [first = '', second = '', third = ''] = ids
  const commits = [first, third, third, second, second]
  const texts = ['ONE', 'TWO', 'three', 'four', 'five']
  const expected = texts.map((text, at) => {
    const [mark, digits] = shown.slice(at * 2)
    return `${mark}${commits[at]?.slice(0, Number(digits))} ${at + 1}) ${text}\n`
  })
  expect(stdout.toString()).toBe(expected.join(''))
})

test('diff.algorithm is respected, as by git 2.55', () => {
  const blame = (settings: string[], flags: string[]) => {
    const { exit, stdout, stderr } = run(folder, asked(settings, flags))
    return { exit, text: stdout.toString(), stderr: stderr.toString() }
  }
  const texts = ['a\nb\nc\nd\n\n', 'c\nd\n\na\nb\nc\n\n']
  for (const text of texts) {
    writeFileSync(path.join(folder, FILE), text)
    inWorkTree('commit', '-q', '-a', '-m', 'moved')
  }
  for (const name of ['patience', 'histogram']) {
    const answer = blame([`diff.algorithm=${name}`], ['-p'])
    expect(answer).toEqual(blame([], ['-p', `--diff-algorithm=${name}`]))
    expect(answer).toEqual(blame(['diff.algorithm=myers'], ['-p', `--diff-algorithm=${name}`]))
  }
  const wrong = blame(['diff.algorithm=none'], ['-p'])
  expect(wrong.exit).toBe(128)
  expect(wrong.stderr).toContain("unknown value for config 'diff.algorithm': none")
})
