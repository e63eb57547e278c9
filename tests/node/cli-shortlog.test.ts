/** `shortlog` of a log on standard input, as git reads one. */
import path from 'node:path'
import { expect, test } from 'vitest'
import { git } from '../../scripts/lib/git-oracle.mjs'
import { compareWithGit } from './beside-git.ts'
import { run, unpacked } from './cli-support.ts'

const folder = path.join(unpacked, 'main')

const LOGS = [
  ...['', '--pretty=raw', '--pretty=fuller', '--pretty=short', '--oneline', '--stat'].map(
    (format) => `${git(folder, ['log', ...(format ? [format] : [])]).join('\n')}\n`,
  ),
  '',
  'Author: A <a@b>',
  'Author: A <a@b>\n\n',
  'Author: A <a@b>\n\n\n\n  subject\n',
  'Author: A <a@b>\nDate: x\nAuthor: B <b@b>\n\nsubject\n',
  'Author: A <a@b>\n\nAuthor: B <b@b>\n\n x\n',
  'Author: A <a@b>\n\n  [PATCH 1/2] a subject  \n more\n\nAuthor: B <b>\n\n  [PATCH]\n',
  'Author: A <a@b>\n\n  one\n\nAuthor: A <b@c>\n\n   two\nauthor B <b@c> 1 +0\n\n \tthree\n',
  'Author: <a@b>\n\n  one\nAuthor:   A   X  <a@b> \n\n  two\nAuthor: A <a@b> Author: X <y>\n\n  x\n',
  'author: A <a@b>\n\n  x\nAuthor A <a@b>\n\n  x\nAuthor:A <a@b>\n\n  x\n Author: A <a@b>\n\n  x\n',
  'Author: A\n\n  x\nAuthor: A <a@b\n\n  x\nAuthor: A a@b>\n\n  x\n',
  'author A <a@b>\nCommit: B <b@c>\n\n  one\ncommitter C <c@d>\n\n  two\nCommitter: D <b>\n\n  x\n',
  'Author: A <a@b>\r\n\r\n  one\r\n\r\nAuthor: B <b@c>\n \n  one\n\n\r\n',
  'Author: A <a@b>\n\n  a subject\0 with more\n',
]

test.each(LOGS.map((log) => [log.slice(0, 70), log]))('of %j', (_, stdin) => {
  for (const options of [[], ['-s'], ['-n', '-e'], ['-c'], ['-w20,1,2'], ['--format=%h', '-3']]) {
    compareWithGit(folder, ['shortlog', ...options], { stdin })
  }
})

test.each([
  [['--group=trailer:x']],
  [['--group=format:%an']],
  [['--group=author', '--group=committer']],
  [['--group=author', '--group=author']],
  [['main~9..main']],
  [['--branches=nothing']],
  [['--', 'file']],
])('with %j', (options) => {
  compareWithGit(folder, ['shortlog', ...options], { stdin: 'Author: A <a@b>\n\n  one\n' })
})

test('at a terminal it lists HEAD', () => {
  const stdin = 'Author: A <a@b>\n\n  one\n'
  const [read, listed] = [false, true].map((fromTerminal) =>
    run(folder, ['shortlog'], { stdin, fromTerminal }),
  )
  expect(`${read?.stdout}`).toBe('A (1):\n      one\n\n')
  expect(listed).toEqual(run(folder, ['shortlog', 'HEAD']))
})
