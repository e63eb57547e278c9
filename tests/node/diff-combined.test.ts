/** `packlens diff` of a merge and its parents: git's combined changes. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { compareWithGit } from './beside-git.ts'
import { environment, run } from './cli-support.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'packlens-diff-combined-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function git(...args: readonly string[]): number | null {
  const who = ['-c', 'user.name=A', '-c', 'user.email=a@example.com']
  const env = { ...environment, GIT_CONFIG_GLOBAL: '/dev/null' }
  return spawnSync('git', [...who, ...args], { cwd: folder, env }).status
}

function commit(message: string, files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(folder, name), text)
  git('add', '-A')
  git('commit', '-q', '-m', message)
}

beforeAll(() => {
  git('init', '-q', '-b', 'main')
  commit('base', { f: 'a\nb\nc\nd\ne\nf\ng\n', kept: 'x\n' })
  git('checkout', '-q', '-b', 'side')
  commit('side', { f: 'a\nB\nc\nd\ne\nF\ng\n', s: 's\n' })
  git('checkout', '-q', 'main')
  commit('other', { f: 'a\nb\nc\nD\ne\nX\ng\n' })
  git('merge', '-q', 'side')
  commit('merge', { f: 'a\nB\nc\nD\ne\nY\ng\n' })
  git('branch', 'third', 'main~2')
})

describe.each(
  [
    ['', '--raw', '--stat -p', '--name-only', '-c', '--cc --raw', '-c --raw --numstat', '-m'],
    ['--name-status -c --combined-all-paths', '--combined-all-paths', '--exit-code', '--quiet'],
    ['-s', '--summary', '-z --raw', '--color', '--line-prefix=abc', '-U1 --full-index'],
    [
      '--diff-filter=M --raw',
      '--diff-filter=A -p',
      '--find-object=main:f',
      '--find-object=third:f',
    ],
    ['--dirstat', '-w', '--merge-base', '--abbrev=10 --raw'],
  ].flat(),
)('%s', (options) => {
  test.each([
    'main main^ main^2',
    'main^!',
    'main main^@',
    'main^@ main',
    'main^@',
    'main^ main main^2',
    '^main^ main ^main^2',
    'main main^ main^2 third',
    'main^{tree} main^^{tree} main^2^{tree}',
    'main main main',
    'main main^ main^2 -- s',
  ])('%s', (revisions) => {
    const args = `diff ${options} ${revisions}`.split(' ').filter((arg) => arg !== '')
    compareWithGit(folder, args, { messages: (text) => text.split('\n')[0]?.slice(0, 7) })
  })
})

test('is refused with options that combined changes do not have', () => {
  for (const option of ['-R', '--max-depth=1']) {
    const { exit, stderr } = run(folder, ['diff', option, '--raw', 'main^!'])
    expect([exit, stderr]).toEqual([128, expect.stringContaining('does not support')])
  }
})
