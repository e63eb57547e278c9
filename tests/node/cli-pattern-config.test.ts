/** Variables of the configuration that say how `grep` and `log` read and print, beside git. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { compareWithGit } from './beside-git.ts'
import { run } from './cli-support.ts'
import { gitIn } from './made-worktree.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'packlens-patterns-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
beforeAll(() => {
  gitIn(folder, 'init', '-q', '.')
  writeFileSync(path.join(folder, 'file'), 'a+b*c\nabbc\na+bc\n')
  gitIn(folder, 'add', 'file')
  for (const text of ['a+b*c', 'abbc', 'a+bc']) {
    gitIn(folder, 'commit', '-q', '--allow-empty', '-m', text)
  }
})

const settings = (...all: readonly string[]) => all.flatMap((one) => ['-c', `grep.${one}`])

describe.each([
  [[]],
  [['extendedRegexp=true']],
  [['patternType=extended']],
  [['patternType=fixed']],
  [['patternType=basic', 'extendedRegexp=true']],
  [['patternType=extended', 'extendedRegexp=false']],
  [['patternType=default', 'extendedRegexp=true']],
  [['patternType=extended', 'patternType=default']],
  [['patternType=bogus']],
  [['patternType=Extended']],
  [['extendedRegexp=x']],
])('%j', (all) => {
  test.each([
    [['grep', 'a+b*c', 'HEAD']],
    [['grep', '-e', 'a+b*c', 'HEAD']],
    [['log', '--format=%s', '--grep=a+b*c']],
    [['log', '--format=%s', '-1', '--author=^a|x']],
  ])('%j', (args) => compareWithGit(folder, [...settings(...all), ...args]))

  test.each(['-G', '-E', '-F'])('an option comes after it: %s', (option) => {
    if (/bogus|Extended$|=x/.test(all.join(' '))) return
    compareWithGit(folder, [...settings(...all), 'grep', option, 'a+b*c', 'HEAD'])
    compareWithGit(folder, [...settings(...all), 'log', '--format=%s', option, '--grep=a+b*c'])
  })
})

test.each([
  [['lineNumber=true'], []],
  [['lineNumber'], ['--no-line-number']],
  [['column=true'], []],
  [['column=true', 'lineNumber=true'], []],
  [['column=true'], ['--no-column']],
  [['column=true'], ['-o']],
  [['lineNumber=x'], []],
])('%j with %j', (all, more) => {
  compareWithGit(folder, [...settings(...all), 'grep', ...more, 'b*c', 'HEAD'])
})

test("Perl's expressions are refused", () => {
  const { exit, stderr } = run(folder, [...settings('patternType=perl'), 'grep', 'a', 'HEAD'])
  expect([exit, stderr]).toEqual([
    128,
    'fatal: packlens does not support grep.patternType = perl\n',
  ])
})
