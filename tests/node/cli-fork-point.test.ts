/** `merge-base --fork-point`: where a branch left another one that was rewound since. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { environment, run } from './cli-support.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'packlens-fork-point-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Commits have dates of their own, so that git finds the newest merge base first. */
let seconds = 1_700_000_000

function git(...args: readonly string[]) {
  seconds += 60
  const date = `${seconds} +0000`
  const env = { ...environment, GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date }
  const { status, stdout, stderr } = spawnSync('git', args, { cwd: folder, env })
  return { exit: status, stdout: `${stdout}`, stderr: `${stderr}` }
}

/** `topic` left `main` at the commit `two`, which `main` has left itself. */
beforeAll(() => {
  const commit = (message: string) => {
    const who = ['-c', 'user.name=A', '-c', 'user.email=a@x']
    expect(git(...who, 'commit', '-q', '--allow-empty', '-m', message)).toMatchObject({ exit: 0 })
  }
  expect(git('init', '-q', '-b', 'main', folder)).toMatchObject({ exit: 0 })
  commit('one')
  commit('two')
  expect(git('switch', '-q', '-c', 'topic')).toMatchObject({ exit: 0 })
  commit('on topic')
  expect(git('switch', '-q', 'main')).toMatchObject({ exit: 0 })
  expect(git('reset', '-q', '--hard', 'HEAD~1')).toMatchObject({ exit: 0 })
  commit('other two')
  expect(git('switch', '-q', '--orphan', 'unrelated')).toMatchObject({ exit: 0 })
  commit('root')
  expect(git('branch', 'silent', 'main')).toMatchObject({ exit: 0 })
  expect(git('reflog', 'expire', '--expire=all', 'refs/heads/silent')).toMatchObject({ exit: 0 })
  expect(git('tag', 'main-tag', 'main')).toMatchObject({ exit: 0 })
  expect(git('tag', 'unrelated', 'main')).toMatchObject({ exit: 0 })
  expect(git('switch', '-q', 'topic')).toMatchObject({ exit: 0 })
})

test.each([
  ['main'],
  ['main', 'topic'],
  ['main', 'topic~1'],
  ['topic', 'main'],
  ['HEAD', 'main'],
  ['refs/heads/main', 'unrelated'],
  ['silent', 'topic'],
  ['silent', 'main'],
  ['main-tag', 'main'],
  ['unrelated', 'main'],
  ['nothing'],
  ['main', 'nothing'],
  ['main', 'topic^{tree}'],
  ['main', 'topic', 'main'],
  [],
])('merge-base --fork-point %s %s', (...args) => {
  const all = ['merge-base', '--fork-point', ...args]
  const own = run(folder, all)
  const { exit, stdout, stderr } = git(...all)
  expect({ exit: own.exit, stdout: `${own.stdout}` }).toEqual({ exit, stdout })
  // The usage is in our words.
  if (exit !== 129) expect(own.stderr).toBe(stderr)
})

test('the fork is not the merge base', () => {
  const { stdout } = run(folder, ['merge-base', '--fork-point', 'main', 'topic'])
  expect(`${stdout}`).toBe(git('rev-parse', 'topic~1').stdout)
  expect(git('merge-base', 'main', 'topic').stdout).toBe(git('rev-parse', 'main~1').stdout)
})
