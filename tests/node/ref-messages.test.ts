/** `for-each-ref`: trailers, descriptions and the mailmap, as git 2.55.0.618 prints them. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { environment, run } from './cli-support.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'packlens-ref-messages-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function git(...args: readonly string[]): void {
  const who = ['-c', 'user.name=A U Thor', '-c', 'user.email=a@old.example']
  const dates = { GIT_AUTHOR_DATE: '1700000000 +0000', GIT_COMMITTER_DATE: '1700000000 +0000' }
  const env = { ...environment, ...dates, GIT_CONFIG_GLOBAL: '/dev/null' }
  const { status, stderr } = spawnSync('git', [...who, ...args], { cwd: folder, env })
  if (status !== 0) throw new Error(`git ${args.join(' ')}: ${stderr}`)
}

const MESSAGE = `one

body

Signed-off-by: A <a@b>
Acked-by: B
  folded
Fixes: #1
`

beforeAll(() => {
  git('init', '-q', '-b', 'main')
  git('commit', '-q', '--allow-empty', '-m', MESSAGE)
  git('tag', '-m', 'tagged\n\nReviewed-by: C <c@d>', 'v1')
  git('branch', 'first')
  git('commit', '-q', '--allow-empty', '-m', 'two')
  git('tag', 'light')
  writeFileSync(path.join(folder, '.mailmap'), 'New Name <new@example.com> <a@old.example>\n')
  git('add', '.mailmap')
  git('commit', '-q', '-m', 'three\n\nSome: x\nnot a trailer')
  git('tag', 'blob', 'HEAD:.mailmap')
})

/** Returns what a field is of `first`, `main`, `blob`, `light` and `v1`. */
function fieldOf(field: string): string[] {
  const { exit, stdout, stderr } = run(folder, ['for-each-ref', `--format=%(${field})%00`])
  return exit === 0 ? `${stdout}`.split('\0\n').slice(0, -1) : [stderr]
}

const SIGNED = 'Signed-off-by: A <a@b>\n'

test.each([
  ['trailers', `${SIGNED}Acked-by: B\n  folded\nFixes: #1\n`, 'Reviewed-by: C <c@d>\n'],
  [
    'contents:trailers:unfold',
    `${SIGNED}Acked-by: B folded\nFixes: #1\n`,
    'Reviewed-by: C <c@d>\n',
  ],
  ['trailers:key=acked-by,unfold', 'Acked-by: B folded\n', ''],
  ['trailers:key=Fixes,valueonly,separator=%x2C', '#1', ''],
  ['trailers:keyonly', 'Signed-off-by\nAcked-by\nFixes\n', 'Reviewed-by\n'],
  ['trailers:key=', '', ''],
  ['*trailers:key=Fixes', '', 'Fixes: #1\n'],
])('%%(%s)', (field, first, tag) => {
  expect(fieldOf(field)).toEqual([first, '', '', '', tag])
})

test.each([
  ['describe', ['v1', /^v1-2-g[0-9a-f]{7}$/, '', /^v1-1-g[0-9a-f]{7}$/, 'v1']],
  ['describe:tags', ['v1', /^light-1-g[0-9a-f]{7}$/, '', 'light', 'v1']],
  ['describe:tags=', ['v1', /^v1-2-g[0-9a-f]{7}$/, '', /^v1-1-g/, 'v1']],
  ['describe:abbrev=12', ['v1', /^v1-2-g[0-9a-f]{12}$/, '', /^v1-1-g[0-9a-f]{12}$/, 'v1']],
  ['describe:tags,match=v*,abbrev=0', ['v1', 'v1', '', 'v1', 'v1']],
  ['describe:exclude=v1', ['', '', '', '', '']],
  ['*describe', ['', '', '', '', 'v1']],
])('%%(%s)', (field, expected) => {
  const found = fieldOf(field)
  expect(found.length).toBe(expected.length)
  for (const [at, one] of expected.entries()) {
    if (typeof one === 'string') expect(found[at]).toBe(one)
    else expect(found[at]).toMatch(one)
  }
})

test.each([
  ['authorname:mailmap', 'New Name', ''],
  ['authorname:', 'A U Thor', ''],
  ['committeremail:mailmap', '<new@example.com>', ''],
  ['authoremail:mailmap,trim', 'new@example.com', ''],
  ['authoremail:localpart,mailmap', 'new', ''],
  ['authoremail', '<a@old.example>', ''],
  ['taggername:mailmap', '', 'New Name'],
  ['*authoremail:mailmap', '', '<new@example.com>'],
])('%%(%s)', (field, commit, tag) => {
  expect(fieldOf(field)).toEqual([commit, commit, '', commit, tag])
})

test.each([
  ['trailers:foo', 'unknown %(trailers) argument: foo'],
  ['contents:trailers:only,key', 'expected %(trailers:key=<value>)'],
  ['trailers:only=maybe,unfold', 'unknown %(trailers) argument: unfold'],
  ['contents:trailersx', 'unrecognized %(contents) argument: trailersx'],
  ['describe:tags,foo=1,abbrev=4', 'unrecognized %(describe) argument: foo=1,abbrev=4'],
  ['describe:abbrev=x,tags', 'cannot fully parse describe:abbrev=x,tags'],
  ['describe:abbrev', 'argument expected for describe:abbrev'],
  ['describe:abbrev=-1', 'positive value expected describe:abbrev=-1'],
  ['describe:match', 'value expected describe:match='],
  ['authorname:foo', 'unrecognized %(authorname) argument: foo'],
  ['authoremail:mailmap,foo', 'unrecognized %(authoremail) argument: foo'],
])('refuses %%(%s)', (field, message) => {
  expect(fieldOf(field)).toEqual([`fatal: ${message}\n`])
})

test('sorts by these fields', () => {
  const names = (key: string) => {
    const { stdout } = run(folder, ['for-each-ref', `--sort=${key}`, '--format=%(refname:short)'])
    return `${stdout}`.split('\n').slice(0, -1)
  }
  expect(names('-describe:abbrev=0,tags')).toEqual(['first', 'v1', 'main', 'light', 'blob'])
  expect(names('trailers')).toEqual(['main', 'blob', 'light', 'v1', 'first'])
})
