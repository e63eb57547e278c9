/** Searches find what git grep does: tests/fixtures/tree-searches.mjs. */
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { deflateSync } from 'node:zlib'
import { open, openSync } from 'packlens'
import { afterAll, describe, expect, test } from 'vitest'
import { CONFIGURED, QUESTIONS, searchedTree } from '../fixtures/searched-trees.mjs'
import { compareWithGit } from './beside-git.ts'
import { run } from './cli-support.ts'
import { gitIn, write } from './made-worktree.ts'
import { looseObjects } from './sources.ts'
import { collect, errorOf, root } from './support.ts'

const file = path.join(root, 'tests', 'fixtures', 'tree-searches.json')
type Answers = readonly (readonly [status: number, output: string])[]
const { answers, configured } = JSON.parse(readFileSync(file, 'utf8')) as {
  readonly answers: Answers
  readonly configured: Answers
}
const { objects, commit } = searchedTree()
const { store } = looseObjects(objects)

const folder = mkdtempSync(path.join(tmpdir(), 'packlens-grep-'))
afterAll(() => rmSync(folder, { recursive: true }))
mkdirSync(path.join(folder, 'refs', 'heads'), { recursive: true })
writeFileSync(path.join(folder, 'HEAD'), 'ref: refs/heads/main\n')
writeFileSync(path.join(folder, 'refs', 'heads', 'main'), `${commit}\n`)
for (const [type, content] of objects) {
  const bytes = Buffer.concat([Buffer.from(`${type} ${content.length}\0`), content])
  const oid = createHash('sha1').update(bytes).digest('hex')
  mkdirSync(path.join(folder, 'objects', oid.slice(0, 2)), { recursive: true })
  writeFileSync(path.join(folder, 'objects', oid.slice(0, 2), oid.slice(2)), deflateSync(bytes))
}
const of = ['--git-dir', folder]
const grep = (...args: string[]) => run(folder, [...of, 'grep', ...args])

describe('the command prints what git prints:', () => {
  test('all questions have answers', () => expect(answers.length).toBe(QUESTIONS.length))

  test.each(QUESTIONS.map((args, at) => [args.join(' '), at] as const))('grep %s', (_, at) => {
    const { exit, stdout } = grep(...(QUESTIONS[at] ?? []))
    expect([exit, Buffer.from(stdout).toString('latin1')]).toEqual(answers[at])
  })

  test('of all settings, too', () => expect(configured.length).toBe(CONFIGURED.length))

  test.each(
    CONFIGURED.map(
      (one, at) => [`${one.settings.join(' ')} ${one.args.join(' ')}`, one, at] as const,
    ),
  )('grep %s', (_, { settings, args }, at) => {
    const set = settings.flatMap((setting) => ['-c', setting])
    const { exit, stdout } = run(folder, [...set, ...of, 'grep', ...args])
    expect([exit, Buffer.from(stdout).toString('latin1')]).toEqual(configured[at])
  })

  test.each([
    [['-e', 'x', '--and', 'HEAD'], 'patterns are combined'],
    [['(', '-e', 'x', 'HEAD'], 'patterns are combined'],
    [['-E', 'x(', 'HEAD'], 'a regular expression is malformed'],
    [['\\(x\\)\\1', 'HEAD'], 'back references'],
    [['x'], 'searches trees and blobs'],
    [['-f', 'nowhere', 'HEAD'], "cannot open 'nowhere': No such file or directory"],
    [['-P', 'x', 'HEAD'], 'does not support --perl-regexp'],
    [['x', 'HEAD', '-n'], "option '-n' must come before non-option arguments"],
    [['x', 'nowhere', '--'], 'unable to resolve revision: nowhere'],
    [[], 'no pattern given'],
  ])('grep %j fails', (args, message) => {
    const { exit, stderr } = grep(...args)
    expect([exit, `${stderr}`]).toEqual([128, expect.stringContaining(message)])
  })
})

test('paths begin at the current directory, unless whole names are wanted', () => {
  const place = path.join(folder, 'worktree')
  const inside = path.join(place, 'a', 'caf\u00e9')
  mkdirSync(inside, { recursive: true })
  gitIn(place, 'init', '-q')
  for (const name of ['top', 'a/near', 'a/caf\u00e9/in', 'a/caf\u00e9/in two'])
    write(place, name, 'x\n')
  gitIn(place, 'add', '.')
  gitIn(place, 'commit', '-q', '-m', 'files')
  const askAll = () => {
    for (const how of [
      [],
      ['-l'],
      ['-c'],
      ['-z'],
      ['--heading'],
      ['--full-name'],
      ['--no-full-name'],
    ]) {
      for (const paths of [[], ['.'], ['..'], [':/'], ['../../top']]) {
        compareWithGit(inside, ['grep', ...how, 'x', 'HEAD', '--', ...paths])
      }
      compareWithGit(inside, ['grep', ...how, 'x', 'HEAD:top', 'HEAD:a', '--', ':/'])
    }
  }
  askAll()
  gitIn(place, 'config', 'grep.fullName', 'true')
  askAll()
})

test('patterns are read from a file, but not from its empty lines', () => {
  const patterns = path.join(folder, 'patterns')
  writeFileSync(patterns, 'last\r\n\n\xe9tude\nthe', 'latin1')
  const { exit, stdout } = grep('-n', '-f', patterns, 'HEAD', '--', 'run', 'sub')
  const lines = ['HEAD:run:2:the needle needle needle', 'HEAD:run:3:last needle', '']
  expect([exit, `${stdout}`]).toEqual([0, lines.join('\n')])
  const input = run(folder, ['--git-dir', folder, 'grep', '-c', '-f', '-', 'HEAD', '--', 'run'], {
    stdin: 'last\nthe\n',
  })
  expect(`${input.stdout}`).toBe('HEAD:run:2\n')
})

test('dashes may be a pattern', () => {
  const place = path.join(folder, 'dashes')
  mkdirSync(place)
  gitIn(place, 'init', '-q')
  write(place, 'one', 'a -- b\n-e\n')
  write(place, 'two', 'a -- b\n')
  gitIn(place, 'add', '.')
  gitIn(place, 'commit', '-q', '-m', 'files')
  for (const args of [
    ['-e', '--', 'HEAD', '--', 'one'],
    ['-e', '--', 'HEAD'],
    ['-e', '--', '--or', '-e', 'b', 'HEAD', '--', 'two'],
    ['--', '-e', 'HEAD'],
    ['-n', '-e', '--', 'HEAD', '--'],
  ]) {
    compareWithGit(place, ['grep', ...args])
  }
})

test('lines after a match have the column of a match that does not count', () => {
  for (const args of [
    ['-v', '-A3'],
    ['-m1', '-A4'],
    ['-m1', '-W'],
    ['-v', '-B2', '-A1'],
  ]) {
    const asked = ['grep', '-n', '--column', ...args, 'needle', 'HEAD', '--', 'run', 'sub/deep']
    compareWithGit(folder, [...of, ...asked])
  }
})

test('a blob is searched, which has no path', () => {
  using repo = openSync(store)
  const hits = [...repo.grep(`${commit}:run`, 'last', { pathspec: 'elsewhere' })]
  expect(hits).toMatchObject([{ kind: 'match', path: '', line: 3, text: 'last needle' }])
  expect([...repo.grep(`${commit}:b.bin`, 'needle')]).toMatchObject([{ kind: 'match' }])
})

test('both classes find the same lines, in pages', async () => {
  using repo = await open(store)
  using sync = openSync(store)
  const options = { columns: true, path: ['run', 'sub'], after: 1 }
  const hits = await collect(repo.grep(commit, ['needle', new Uint8Array([0xe9])], options))
  expect(hits.map((hit) => JSON.stringify(hit))).toEqual(
    [...sync.grep(commit, ['needle', new Uint8Array([0xe9])], options)].map((hit) =>
      JSON.stringify(hit),
    ),
  )
  expect(hits.map(({ path, line, kind }) => `${path} ${line} ${kind}`)).toEqual([
    'run 1 match',
    'run 2 match',
    'run 3 match',
    'sub/deep/more 10 match',
    'sub/deep/more 11 context',
    'sub/deep/more 15 match',
    'sub/deep/more 16 context',
    'sub/x.c 0 binary',
  ])
  const spans = [
    [4, 10],
    [11, 17],
    [18, 24],
  ]
  expect(hits[1]).toMatchObject({ column: 5, matches: spans, text: 'the needle needle needle' })
  const binary = [...sync.grep(commit, 'needle', { path: 'sub/x.c' })]
  expect(binary).toMatchObject([{ kind: 'binary', path: 'sub/x.c', line: 0 }])
  const text = [...sync.grep(commit, 'needle', { path: 'sub/x.c', attributes: false })]
  expect(text).toMatchObject([{ kind: 'match', line: 1 }])
})

test('counts and files', () => {
  using repo = openSync(store)
  const counts = repo.grep(commit, 'needle', { answer: 'counts', pathspec: 'su*' })
  expect([...counts].map(({ path, count }) => [path, count])).toEqual([
    ['sub/deep/more', 2],
    ['sub/x.c', 1],
  ])
  const files = repo.grep(commit, 'needle', { answer: 'files-without', maxDepth: 0 })
  expect([...files].map(({ path }) => path)).toEqual([
    '.gitattributes',
    'crlf',
    'empty',
    'feed',
    'feeds',
    'han',
    'space',
  ])
})

test('malformed and large expressions are typed errors', async () => {
  using repo = openSync(store)
  const codeOf = (pattern: string) =>
    errorOf(() => [...repo.grep(commit, pattern, { syntax: 'extended' })]).then(({ code }) => code)
  expect(await codeOf('a(')).toBe('BAD_INPUT')
  expect(await codeOf('(a)\\1')).toBe('UNSUPPORTED')
  expect(await codeOf('(((a{999}){999}){999})')).toBe('LIMIT')
  expect(await codeOf('('.repeat(5000))).not.toBe('TRAP')
})

test('a tree that lacks a file is an error', async () => {
  const blob = objects.findIndex(([, content]) => `${content}` === 'Needle\r\nhay\r\n\r\n')
  const { store: damaged } = looseObjects(objects.filter((_, at) => at !== blob))
  using repo = openSync(damaged)
  const error = await errorOf(() => [...repo.grep(commit, 'needle')])
  expect(error.code).toBe('NOT_FOUND')
})

test('an aborted search fails', async () => {
  using repo = await open(store)
  const rows = repo.grep(commit, 'needle', { signal: AbortSignal.abort() })
  expect(await errorOf(() => rows.next())).toMatchObject({ code: 'ABORTED' })
})
