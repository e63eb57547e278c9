/** `for-each-ref`: colors, push destinations and root refs, as git 2.55.0.618 prints them. */
import { spawnSync } from 'node:child_process'
import { appendFileSync, copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { environment, run } from './cli-support.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'packlens-ref-colors-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const CONFIG = `
[remote "origin"]
	url = x
	fetch = +refs/heads/*:refs/remotes/origin/*
[remote "up"]
	url = y
	fetch = +refs/heads/*:refs/remotes/up/*
	push = refs/heads/a:refs/heads/x/a
	push = ^refs/heads/bad*
	push = +refs/heads/b*:refs/heads/z/b*
	push = c
[branch "a"]
	remote = origin
	merge = refs/heads/a
	pushRemote = up
[branch "b"]
	remote = up
	merge = refs/heads/bb
[branch "bad"]
	remote = up
[branch "c"]
	pushRemote = up
`

/** Files beside `refs/` that are root refs, and others. */
const ROOTS = ['AUTO_MERGE', 'BISECT_EXPECTED_REV', 'ORIG_HEAD', 'NOTES_MERGE_PARTIAL', 'A-B_HEAD']
const OTHERS = ['FETCH_HEAD', 'MERGE_HEAD', 'lower_HEAD', 'OTHER', 'A-HEAD']

beforeAll(() => {
  const git = (...args: string[]) => {
    const who = ['-c', 'user.name=A', '-c', 'user.email=a@example.com']
    const { status, stderr } = spawnSync('git', [...who, ...args], {
      cwd: folder,
      env: environment,
    })
    if (status !== 0) throw new Error(`git ${args.join(' ')}: ${stderr}`)
  }
  const file = (name: string) => path.join(folder, '.git', name)
  git('init', '-q', '-b', 'main')
  git('commit', '-q', '--allow-empty', '-m', 'one')
  for (const name of ['a', 'b', 'bad', 'c']) git('branch', name)
  for (const name of [...ROOTS, ...OTHERS]) copyFileSync(file('refs/heads/a'), file(name))
  writeFileSync(file('FOO_HEAD'), 'ref: refs/heads/a\n')
  appendFileSync(file('config'), CONFIG)
})

const list = (...args: string[]) => {
  const { exit, stdout, stderr } = run(folder, ['for-each-ref', ...args])
  return exit === 0 ? `${stdout}` : `${exit} ${stderr}`
}

const RED = '\x1b[31m'
const END = '\x1b[m'

test.each([
  ['%(color:red)%(refname:short)%(color:reset)|', `${RED}a${END}|`],
  ['%(color:Red)x%(color:normal)y', `${RED}xy${END}`],
  ['%(color:red)x%(*color:reset)y', `${RED}x${END}y${END}`],
  ['x%(*color:red)y', `x${RED}y`],
  ['%(if)%(color:red)%(then)a%(color: bold blue )%(end)', `a\x1b[1;34m${END}`],
])('the format %s has colors', (format, expected) => {
  expect(list('--color', `--format=${format}`, 'refs/heads/a')).toBe(`${expected}\n`)
  const plain = stripVTControlCharacters(expected).replace(/^a$/, format.includes('if') ? '' : 'a')
  expect(list(`--format=${format}`, 'refs/heads/a')).toBe(`${plain}\n`)
})

test('colors are quoted, count for --omit-empty, and have messages', () => {
  const quoted = list('--color', '--shell', '--format=%(color:red)%(refname)', 'refs/heads/a')
  expect(quoted).toBe(`'${RED}''refs/heads/a''${END}'\n`)
  const empty = ['--omit-empty', '--format=%(color:normal)', 'refs/heads/a']
  expect(list('--color=always', ...empty)).toBe(`${END}\n`)
  expect(list('--color=never', ...empty)).toBe('')
  expect(list('--sort=color:red', '--format=%(refname)', 'refs/heads/a')).toBe('refs/heads/a\n')
  const unknown = 'error: invalid color value: foo\nfatal: unrecognized color: %(color:foo)\n'
  expect(list('--format=%(color:foo)')).toBe(`128 ${unknown}`)
  expect(list('--format=%(color)')).toBe('128 fatal: expected format: %(color:<color>)\n')
  expect(list('--color=foo')).toContain('option `color\' expects "always", "auto", or "never"')
})

test('%(push:remoteref) is what remote.<name>.push says', () => {
  const fields = '--format=%(refname:short) %(push:remoteref) %(push:remotename)'
  const lines = ['a refs/heads/x/a up', 'b refs/heads/z/b up', 'bad  up', 'c  up', 'main  ']
  expect(list(fields)).toBe(`${lines.join('\n')}\n`)
})

test('root refs are listed before others', () => {
  const names = (...args: string[]) =>
    list('--include-root-refs', '--format=%(refname)%(symref)', ...args)
      .split('\n')
      .slice(0, -1)
  const heads = ['a', 'b', 'bad', 'c', 'main'].map((name) => `refs/heads/${name}`)
  const roots = [...ROOTS, 'FOO_HEADrefs/heads/a', 'HEADrefs/heads/main'].sort()
  expect(names()).toEqual([...roots, ...heads])
  expect(names('F*', 'refs/heads/a', 'HEAD')).toEqual([...roots.slice(3, 5), heads[0]])
  expect(names('--ignore-case', 'orig*')).toEqual(['ORIG_HEAD'])
  expect(names('--exclude=HEAD', '--exclude=A*', '--count=2')).toEqual(roots.slice(2, 4))
  expect(names('--start-after=HEAD')).toEqual([...roots.slice(5), ...heads])
  expect(names('--no-include-root-refs')).toEqual(heads)
  expect(names('--points-at=main', '--sort=-refname')).toEqual([...roots, ...heads].reverse())
  expect(list('--include-root-refs', '--contains=main')).toContain('128 fatal: packlens')
})
