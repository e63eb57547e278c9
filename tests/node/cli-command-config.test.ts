/** Configuration of the command line: `-c`, `--config-env`, and the environment that passes it on. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { commandSettings, withSetting } from '../../dist/node/cli/opening/command-config.js'
import { git } from '../../scripts/lib/git-oracle.mjs'
import { compareWithGit } from './beside-git.ts'
import { run } from './cli-support.ts'
import { fixture, folderOf } from './support.ts'

const of = folderOf(fixture('walks'))
const folder = mkdtempSync(path.join(tmpdir(), 'packlens-command-config-'))
const included = path.join(folder, 'included')
writeFileSync(included, '[core]\n\tabbrev = 15\n')
afterAll(() => rmSync(folder, { recursive: true }))

const own = { GIT_CONFIG_GLOBAL: '/dev/null' }
const shown = ['log', '-2', '--format=%h', 'main']
/** A usage is not compared, nor why a number is none, nor where a value is missing. */
const messages = (text: string, exit: number | null) =>
  exit === 129
    ? ''
    : text
        .replace(/: invalid unit/, '')
        .replace(/^error: (missing value for .*)\nfatal: .*/, 'fatal: $1')
const ask = (args: string[], env: Readonly<Record<string, string>> = {}) =>
  compareWithGit(of, [...args, ...shown], { env: { ...own, ...env }, messages })

test.each([
  ['-c', 'core.abbrev=12'],
  ['-c', 'core.abbrev=12', '-c', 'CORE.Abbrev=9'],
  ['-c', 'core.abbrev=no'],
  ['-c', 'core.abbrev='],
  ['-c', 'core.abbrev'],
  ['-c', 'core.abbrev=x'],
  ['-c', `core.abbrev='12'`],
  ['-c', 'format.pretty=%s %x41', '-c', 'a.b=c=d', '-c', 'A.with "quotes" \\.c=\n'],
  ['-c', `include.path=${included}`],
  ['-c', 'include.path=relative'],
  ['-c', `includeIf.gitdir:/.path=${included}`],
  ['-c', 'foo'],
  ['-c', 'foo.'],
  ['-c', '=x'],
  ['-c', 'a.b_c=1'],
  ['-c', 'a.1c=1'],
  ['-c', 'a b.c=1'],
  ['-c', 'a.b\nc.d=1'],
  ['-c', '1.b=2', '-c', 'a..b=1'],
  ['--config-env=core.abbrev=DIGITS'],
  ['--config-env', 'core.abbrev=DIGITS'],
  ['--config-env=core.abbrev=NONE'],
  ['--config-env=core.abbrev'],
  ['--config-env=core.abbrev='],
])('%s %s %s %s', (...args) => {
  ask(args, { DIGITS: '11' })
})

describe('the environment', () => {
  const pair = { GIT_CONFIG_KEY_0: 'core.abbrev', GIT_CONFIG_VALUE_0: '12' }
  test.each([
    { ...pair, GIT_CONFIG_COUNT: '1' },
    { ...pair, GIT_CONFIG_COUNT: '0' },
    { ...pair, GIT_CONFIG_COUNT: '' },
    { ...pair, GIT_CONFIG_COUNT: '2' },
    { ...pair, GIT_CONFIG_COUNT: 'x' },
    { ...pair, GIT_CONFIG_COUNT: '-1' },
    { GIT_CONFIG_COUNT: '1', GIT_CONFIG_KEY_0: 'core.abbrev' },
    { GIT_CONFIG_COUNT: '1', GIT_CONFIG_KEY_0: '', GIT_CONFIG_VALUE_0: '' },
    { GIT_CONFIG_PARAMETERS: "'core.abbrev'='11'" },
    { GIT_CONFIG_PARAMETERS: "'core.abbrev=11'" },
    { GIT_CONFIG_PARAMETERS: "'core.abbrev=11'  'core.abbrev'='13' " },
    { GIT_CONFIG_PARAMETERS: " 'core.abbrev=11'" },
    { GIT_CONFIG_PARAMETERS: "'a.b'='1''core.abbrev=11'" },
    { GIT_CONFIG_PARAMETERS: "'a.b'= 'core.abbrev=11'" },
    { GIT_CONFIG_PARAMETERS: "'a.b'='it'\\''s' 'core.abbrev=14'" },
    { GIT_CONFIG_PARAMETERS: 'core.abbrev=11' },
    { GIT_CONFIG_PARAMETERS: "'core.abbrev'='11" },
    { ...pair, GIT_CONFIG_COUNT: '1', GIT_CONFIG_PARAMETERS: "'core.abbrev=11'" },
  ])('%o', (env) => {
    ask([], env)
    ask(['-c', 'core.abbrev=8'], env)
  })
})

test('what is written is read again', () => {
  const given = ['a.b=c', "a.it's 'quoted'.d='", 'a.b', 'a.b=', 'a.ü.c=é\n']
  const env = given.reduce((env, text) => withSetting(env, text), {})
  expect(commandSettings({ env })).toEqual([
    ['a.b', 'c'],
    ["a.it's 'quoted'.d", "'"],
    ['a.b', null],
    ['a.b', ''],
    ['a.ü.c', 'é\n'],
  ])
})

test('commands that read the files of a work tree read it, too', () => {
  const work = path.join(folder, 'work')
  git(folder, ['init', '-q', work])
  writeFileSync(path.join(work, 'made.log'), '')
  const excludes = path.join(folder, 'excludes')
  writeFileSync(excludes, '*.log\n')
  const hidden = ['-c', `core.excludesFile=${excludes}`, 'status', '--porcelain=v2']
  for (const args of [hidden, ['status', '--porcelain=v2']]) compareWithGit(work, args)
  expect(`${run(work, hidden, { env: own }).stdout}`).toBe('')
})
