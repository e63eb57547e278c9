/** Commits selected by what is written in them: the same as git lists. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { CommitsOptions } from 'packlens'
import { openSync } from 'packlens'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { git } from '../../scripts/lib/git-oracle.mjs'
import { run } from './cli-support.ts'
import { errorOf } from './support.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'packlens-commit-filters-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const gitDir = path.join(folder, 'made')

const PERSONS = ['Ann <ann@x.org>', 'Bob B. <bob@x.org>', 'ÄRGER <>', 'ann (a|b) <ann+b@y>']
const MESSAGES = [
  'first line\n\nsecond Line\nthird a+b',
  'fix: things\n',
  'other',
  'ÜBER alles (a|b)\n\nfix',
  '',
  '*star* a^b$c\n\n\nx{1} xx',
  'Ann and Bob\nfirst.third',
]

beforeAll(() => {
  git(gitDir, ['init', '-q', '--bare', gitDir])
  let out = ''
  for (let at = 0; at < 60; at++) {
    const message = MESSAGES[at % MESSAGES.length] ?? ''
    // One encoding that git re-codes.
    const latin = at % 11 === 3
    const data = Buffer.from(message, latin ? 'latin1' : 'utf8').toString('latin1')
    const person = (place: number) => {
      const name = Buffer.from(PERSONS[place % PERSONS.length] ?? '', latin ? 'latin1' : 'utf8')
      return `${name.toString('latin1')} ${1_300_000_000 + at * 60 - (at % 7 === 0 ? 1000 : 0)} +0100`
    }
    out += `commit refs/heads/main\nmark :${at + 1}\nauthor ${person(at)}\n`
    out += `committer ${person(at * 3 + 1)}\n${latin ? 'encoding ISO-8859-1\n' : ''}`
    out += `data ${data.length}\n${data}\n`
    if (at > 3 && at % 5 === 0) out += `from :${at}\nmerge :${at - 3}\n`
    out += `M 100644 inline ${at % 2 ? 'a' : 'b'}\ndata 2\n${at % 10}\n\n`
  }
  const args = ['--git-dir', gitDir, 'fast-import', '--quiet', '--force']
  const { status, stderr } = spawnSync('git', args, { input: Buffer.from(out, 'latin1') })
  expect(stderr.toString()).toBe('')
  expect(status).toBe(0)
})

const cases: [string[], CommitsOptions][] = [
  [['--author=Ann'], { author: 'Ann' }],
  [['--author=^Ann', '--author=Bob'], { author: ['^Ann', 'Bob'] }],
  [['--author=Ann', '--committer=Bob'], { author: 'Ann', committer: 'Bob' }],
  [['--author=x.org>$'], { author: 'x.org>$' }],
  [['--author=13000'], { author: '13000' }],
  [['--author='], { author: '' }],
  [['-i', '--author=ärger'], { ignoreCase: true, author: 'ärger' }],
  [['--author=ÄRGER'], { author: 'ÄRGER' }],
  [['-i', '--grep=über'], { ignoreCase: true, grep: 'über' }],
  [['--grep=third', '--grep=fix'], { grep: ['third', 'fix'] }],
  [['--grep=third\nfix'], { grep: 'third\nfix' }],
  [['--all-match', '--grep=third', '--grep=first'], { allMatch: true, grep: ['third', 'first'] }],
  [
    ['--invert-grep', '--grep=fix', '--author=Ann'],
    { invertGrep: true, grep: 'fix', author: 'Ann' },
  ],
  [['--invert-grep', '--author=Ann'], { invertGrep: true, author: 'Ann' }],
  [
    ['--invert-grep', '--all-match', '--grep=third', '--grep=first'],
    { invertGrep: true, allMatch: true, grep: ['third', 'first'] },
  ],
  [['--grep=^second'], { grep: '^second' }],
  [['--grep=first.*third'], { grep: 'first.*third' }],
  [['--grep=^$'], { grep: '^$' }],
  [['--grep=Ann'], { grep: 'Ann' }],
  [['--grep=a+b'], { grep: 'a+b' }],
  [['--grep=(a|b)'], { grep: '(a|b)' }],
  [['--grep=*'], { grep: '*' }],
  [['--grep=a^b$c'], { grep: 'a^b$c' }],
  [['--grep=x\\{2\\}'], { grep: 'x\\{2\\}' }],
  [['--grep=\\(alles\\|^oth\\)er\\?'], { grep: '\\(alles\\|^oth\\)er\\?' }],
  [['-E', '--grep=a|fix$'], { regexp: 'extended', grep: 'a|fix$' }],
  [['-F', '--grep=a+b'], { regexp: 'fixed', grep: 'a+b' }],
  [
    ['-E', '-F', '--grep=(a|b)', '--author=(a|b)'],
    { regexp: 'fixed', grep: '(a|b)', author: '(a|b)' },
  ],
  [['--grep=fix', '--max-count=3', '--skip=1'], { grep: 'fix', limit: 3, skip: 1 }],
  [['--since-as-filter=@1300001500'], { sinceAsFilter: 1_300_001_500 }],
  [['--max-age=1300001500'], { since: 1_300_001_500 }],
]

describe.each(['', 'a'])('of path "%s"', (limit) => {
  test.each(cases)('%j', (args, options) => {
    const paths = limit ? ['--', limit] : ['--']
    const expected = git(gitDir, ['rev-list', ...args, 'main', ...paths])
    using repo = openSync(gitDir)
    const path = limit ? { path: limit } : {}
    expect([...repo.revList('main', { ...options, ...path })]).toEqual(expected)
    const reverse = git(gitDir, [
      'rev-list',
      '--topo-order',
      '--reverse',
      ...args,
      'main',
      ...paths,
    ])
    const sorted = { ...options, ...path, order: 'topo', reverse: true } as const
    expect([...repo.revList('main', sorted)]).toEqual(reverse)
    const { exit, stdout } = run(gitDir, ['rev-list', ...args, 'main', ...paths])
    expect(stdout.toString()).toBe(expected.map((id) => `${id}\n`).join(''))
    expect(exit).toBe(0)
  })
})

test('the questions tell the commits apart', () => {
  const counts = cases.map(([args]) => git(gitDir, ['rev-list', '--count', ...args, 'main'])[0])
  expect(new Set(counts).size).toBeGreaterThan(12)
})

test('parents are rewritten to commits that are listed without the patterns', () => {
  using repo = openSync(gitDir)
  const options = { path: 'a', author: 'Ann', fullHistory: true }
  const lines = Array.from(repo.revListGraph('main', options), ({ oid, parents }) =>
    [oid, ...parents].join(' '),
  )
  const args = ['rev-list', '--parents', '--full-history', '--author=Ann', 'main', '--', 'a']
  expect(lines).toEqual(git(gitDir, args))
  expect(lines.length).toBeGreaterThan(1)
})

test.each([
  ['BAD_INPUT', { grep: '[' }],
  ['BAD_INPUT', { grep: '\\(' }],
  ['BAD_INPUT', { grep: '*', regexp: 'extended' }],
  ['UNSUPPORTED', { author: '\\(a\\)\\1' }],
  ['LIMIT', { committer: 'a\\{9999\\}\\{9999\\}' }],
] as const)('%s for %j', async (code, options) => {
  using repo = openSync(gitDir)
  expect(await errorOf(() => [...repo.revList('main', options)])).toMatchObject({ code })
})
