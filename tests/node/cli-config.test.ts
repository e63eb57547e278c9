/** `packlens config` prints what `git config` prints: tests/fixtures/config.mjs. */
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { run } from './cli-support.ts'
import { folder, home, latin1, recorded, withFolder, write } from './config-worktrees.ts'

describe('the command line', () => {
  const cases = recorded.flatMap((row, at) => row.asked.map((one) => ({ at, row, one })))

  test.each(cases)('case $at: git config $one.args', ({ row: { place, files }, one }) => {
    write(files)
    const answer = run(path.join(folder, place), ['config', ...one.args], { env: { HOME: home } })
    expect(latin1(answer.stdout)).toBe(one.exit === 0 ? withFolder(one.stdout) : '')
    expect(answer.exit).toBe(one.exit)
    const [line = ''] = answer.stderr.split('\n')
    // git writes the paths of files as they are written in others.
    const expected = withFolder(one.stderr).replace(/\/+(\.\/+)?/g, '/')
    const isOwn = /include depth|remote URLs|cannot be used together/.test(expected)
    if (!isOwn) expect(line).toBe(expected)
  })

  test('the recorded questions are of all kinds', () => {
    const count = (exit: number) => cases.filter(({ one }) => one.exit === exit).length
    expect(recorded.length).toBeGreaterThan(60)
    expect(count(0)).toBeGreaterThan(100)
    expect([count(1), count(6), count(128), count(129)].every((some) => some > 3)).toBe(true)
  })

  test.each([
    [['set', 'a.b', 'c'], 'changes nothing'],
    [['a.b', 'c'], 'changes nothing'],
    [['--unset', 'a.b'], 'changes nothing'],
    [['--global', '-l'], 'does not support --global'],
    [['-f', 'x', '-l'], 'does not support --file'],
    [['--type=bool', 'a.b'], 'does not support --type'],
    [['get', '--url=https://h', 'a.b'], 'does not support --url'],
  ])('%j is refused', (args, what) => {
    const { exit, stderr } = run(path.join(folder, 'Main'), ['config', ...args])
    expect([exit, stderr]).toEqual([128, `fatal: packlens config ${what}\n`])
  })
})
