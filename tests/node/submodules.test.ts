/** The submodules of a tree: as git reads them from `.gitmodules`. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { inspect } from 'node:util'
import { open, openSync } from 'packlens'
import { afterAll, expect, test } from 'vitest'
import { gitIn, madeWorktree } from './made-worktree.ts'
import { codeOf, collect, errorOf } from './support.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'packlens-submodules-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const place = madeWorktree(path.join(folder, 'made'))
const commit = gitIn(place, 'rev-parse', 'HEAD').trim()

/** Commits a `.gitmodules`, with a commit at each path; returns the new commit. */
function committed(text: string, paths: readonly string[]): string {
  writeFileSync(path.join(place, '.gitmodules'), text, 'latin1')
  gitIn(place, 'add', '.gitmodules')
  for (const at of paths) {
    gitIn(place, 'update-index', '--add', '--cacheinfo', `160000,${commit},${at}`)
  }
  gitIn(place, 'commit', '-q', '-m', 'submodules')
  return gitIn(place, 'rev-parse', 'HEAD').trim()
}

const TEXT = `[submodule "libs/one"]
	path = libs/one
	url = https://host.example/one
	url = https://host.example/one.git
	branch = .
[submodule "TWO"] path = two
	url = ../two
[submodule "no-url"]
	path = no url
[submodule "../evil"]
	path = evil
	url = https://host.example/evil
[submodule "option"]
	path = -option
	url = --upload-pack=true
[submodule "first"]
	path = shared
	url = https://host.example/first
[submodule "second"]
	path = shared
	url = https://host.example/second
[submodule "gone"]
	path = gone
	url = https://host.example/gone
	update = none
[submodule "a file"]
	path = a.txt
`
const all = committed(TEXT, ['libs/one', 'two', 'no url', 'shared'])

test('submodules have the URLs that git registers, and the commits of the tree', async () => {
  using repo = openSync(place)
  const found = [...repo.submodules(all)]
  expect(found.map((submodule) => submodule.toJSON())).toEqual([
    {
      ...{ name: 'libs/one', path: 'libs/one', url: 'https://host.example/one.git' },
      ...{ branch: '.', commit },
    },
    { name: 'TWO', path: 'two', url: '../two', branch: null, commit },
    { name: 'no-url', path: 'no url', url: null, branch: null, commit },
    {
      ...{ name: 'second', path: 'shared', url: 'https://host.example/second' },
      ...{ branch: null, commit },
    },
    {
      ...{ name: 'gone', path: 'gone', url: 'https://host.example/gone' },
      ...{ branch: null, commit: null },
    },
    { name: 'a file', path: 'a.txt', url: null, branch: null, commit: null },
  ])
  for (const { name, path: at, url } of found) {
    if (!url?.startsWith('https') || name === 'gone') continue
    gitIn(place, 'submodule', 'init', at)
    expect(gitIn(place, 'config', `submodule.${name}.url`).trim()).toBe(url)
  }
  await using other = await open(place, { memory: 1 << 20 })
  expect(await collect(other.submodules())).toEqual(found)
  expect(inspect(found[0])).toContain("name: 'libs/one'")
})

test('names and paths are bytes', () => {
  committed('[submodule "\xc3\xa9\xff"]\n\tpath = \xc3\xa9\xff\n', [])
  using repo = openSync(place)
  const [only] = [...repo.submodules('HEAD')]
  expect(only?.path).toBe('é\ufffd')
  expect([only?.nameBytes, only?.pathBytes].map((bytes) => [...(bytes ?? [])])).toEqual([
    [0xc3, 0xa9, 0xff],
    [0xc3, 0xa9, 0xff],
  ])
})

test('a tree without `.gitmodules` has none', () => {
  using repo = openSync(place)
  expect([...repo.submodules(commit)]).toEqual([])
  expect([...repo.submodules(`${all}:libs`)]).toEqual([])
})

test('a line that git refuses is named, and a file that is too large is not read', async () => {
  using repo = openSync(place, { memory: 1 << 20 })
  committed('[submodule "a"]\n\tpath\n', [])
  const error = await errorOf(() => [...repo.submodules()])
  expect([error.code, error.subject]).toEqual(['CORRUPT', '2'])
  committed(`# ${'x'.repeat(1 << 20)}`, [])
  expect(await codeOf(() => [...repo.submodules()])).toBe('LIMIT')
  expect(await codeOf(() => [...repo.submodules('nowhere')])).toBe('NOT_FOUND')
})
