/** `repo.checkIgnore` and `repo.checkAttr` say what `git check-ignore` and `check-attr` print. */
import { spawnSync } from 'node:child_process'
import fs, { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { inspect } from 'node:util'
import type { IgnoreRule, PathAttributes } from 'packlens'
import { open, openSync } from 'packlens'
import { afterAll, describe, expect, test } from 'vitest'
import { gitIn, madeWorktree, write } from './made-worktree.ts'
import { errorOf } from './support.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'packlens-path-facts-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const dir = madeWorktree(path.join(folder, 'made'))
write(dir, '.gitignore', '*.log\n!keep.log\nbuild/\né*\nnode_modules\n')
write(dir, 'b/.gitignore', '*\n!d/\n!*.c\n')
write(dir, '.git/info/exclude', '*.tmp\n')
write(dir, '.gitattributes', '[attr]source zz=1\n*.c source !dd eol=lf -diff\n')
write(dir, 'b/.gitattributes', '*.c text=auto\n')
gitIn(dir, 'add', '.gitattributes')
gitIn(dir, 'commit', '-q', '-m', 'attributes')
mkdirSync(path.join(dir, 'x', 'build'))
for (let at = 0; at < 300; at++) write(dir, `node_modules/${at}/package.json`, '')
symlinkSync('b', path.join(dir, 'link'))

const PATHS = [
  ...['a.log', 'keep.log', 'x.tmp', 'a.txt', 'é', 'build', 'build/', 'build/out.c', 'x/build'],
  ...['b', 'b/x.c', 'b/x.h', 'b/d', 'b/d/new', 'b/c.txt', 'many/1', 'node_modules/7/package.json'],
]

/** Returns what git prints: the file, the line and the pattern of each path. */
function ignored(paths: readonly string[], ...flags: string[]): unknown[] {
  const options = { cwd: dir, input: paths.join('\0') }
  const args = ['check-ignore', '-v', '-n', '-z', '--stdin', ...flags]
  const fields = `${spawnSync('git', args, options).stdout}`.split('\0')
  return paths.map((_, at) => {
    const [source, line, pattern] = fields.slice(4 * at, 4 * at + 3)
    return source === '' ? null : [source?.replace(/^\.git\//, ''), Number(line), pattern]
  })
}

const ofRules = (rules: readonly (IgnoreRule | null)[]) =>
  rules.map((rule) => rule && [rule.source, rule.line, rule.pattern])

describe('ignore rules', () => {
  test('are those of git for every source with a work tree', async () => {
    const expected = ignored(PATHS)
    expect(expected.filter((one) => one !== null).length).toBeGreaterThan(8)
    using sync = openSync(dir)
    expect(ofRules(sync.checkIgnore(PATHS))).toEqual(expected)
    using client = await open({ fs: { promises: fs.promises }, dir })
    expect(ofRules(await client.checkIgnore(PATHS))).toEqual(expected)
    using worker = await open(dir, { worker: true })
    expect(ofRules(await worker.checkIgnore(PATHS))).toEqual(expected)
  })

  test('count for tracked paths without the index', () => {
    const paths = [...PATHS, 'a.txt/']
    using repo = openSync(dir)
    const [own, expected] = [
      repo.checkIgnore(paths, { index: false }),
      ignored(paths, '--no-index'),
    ]
    expect(ofRules(own)).toEqual(expected)
    expect(expected[PATHS.indexOf('b/c.txt')]).not.toEqual(ignored(['b/c.txt'])[0])
  })

  test('have bytes, and are plain data', () => {
    using repo = openSync(dir)
    const [rule] = repo.checkIgnore([Uint8Array.of(0xc3, 0xa9), 'a.log'])
    expect(rule?.isIgnored).toBe(true)
    expect(rule?.patternBytes).toEqual(Uint8Array.of(0xc3, 0xa9, 0x2a))
    expect(rule?.sourceBytes).toEqual(new TextEncoder().encode('.gitignore'))
    expect(JSON.parse(JSON.stringify(rule))).toEqual({
      ...{ isIgnored: true, source: '.gitignore', line: 4, pattern: 'é*' },
    })
    expect(inspect(rule)).toContain('é*')
    expect(repo.checkIgnore('keep.log')[0]?.isIgnored).toBe(false)
    expect(repo.checkIgnore([])).toEqual([])
  })

  test('an ignored directory is not listed', async () => {
    const listed: string[] = []
    const readdir = (name: string, options: object) => {
      listed.push(path.relative(dir, `${name}`))
      return fs.promises.readdir(name, options)
    }
    const client = { promises: { ...fs.promises, readdir } } as unknown as typeof fs
    using repo = await open({ fs: client, dir })
    listed.length = 0
    const rules = await repo.checkIgnore(['node_modules/7/package.json', 'x/y/new'])
    expect(rules.map((rule) => rule?.isIgnored)).toEqual([true, undefined])
    expect(listed.filter((name) => !name.startsWith('.git'))).toEqual(['', 'x', 'x/y'])
  })

  test('paths that git refuses are errors that name them', async () => {
    using repo = await open(dir)
    for (const name of ['link/x', '../x', '/x', 'a//b', './a', 'sub/x', 'a/../b']) {
      const error = await errorOf(() => repo.checkIgnore(name))
      expect([error.code, error.subject]).toEqual(['BAD_INPUT', name])
    }
  })

  test('a source without a work tree has none', async () => {
    using repo = await open(bare('without.git'))
    expect((await errorOf(() => repo.checkIgnore('a.log'))).code).toBe('UNSUPPORTED')
    expect((await errorOf(() => repo.checkAttr('a.log'))).code).toBe('UNSUPPORTED')
  })
})

function bare(name: string): string {
  const place = path.join(folder, name)
  gitIn(folder, 'clone', '-q', '--bare', dir, place)
  return place
}

describe('attributes', () => {
  const paths = ['a.c', 'b/a.c', 'b/d/new.c', 'none', 'nothere/a.c']

  /** Returns what git prints, as an object for each path. */
  function printed(...args: string[]): Record<string, unknown>[] {
    const options = { cwd: dir, input: paths.join('\0') }
    const { stdout } = spawnSync('git', ['check-attr', '-z', '--stdin', ...args], options)
    const fields = `${stdout}`.split('\0')
    const all = paths.map((): Record<string, unknown> => ({}))
    for (let at = 0; at + 3 < fields.length; at += 3) {
      const [file, name, value] = fields.slice(at, at + 3) as [string, string, string]
      const plain = { set: true, unset: false }[value] ?? value
      if (value !== 'unspecified') (all[paths.indexOf(file)] ?? {})[name] = plain
    }
    return all
  }

  const plain = (found: PathAttributes[]) => found.map((one) => Object.fromEntries(one))

  test('are those of git for every source with a work tree', async () => {
    const expected = printed('-a')
    expect(expected[1]).toEqual({ source: true, zz: '1', eol: 'lf', diff: false, text: 'auto' })
    using sync = openSync(dir)
    expect(plain(sync.checkAttr(paths))).toEqual(expected)
    using client = await open({ fs: { promises: fs.promises }, dir })
    expect(plain(await client.checkAttr(paths))).toEqual(expected)
    const attributes = ['text', 'eol']
    expect(plain(await client.checkAttr(paths, { attributes }))).toEqual(printed(...attributes))
  })

  test('of a tree and of the index have no files of the work tree', async () => {
    using repo = await open(dir)
    const expected = printed('--cached', '-a')
    expect(expected[1]).not.toEqual(printed('-a')[1])
    expect(plain(await repo.checkAttr(paths, { cached: true }))).toEqual(expected)
    expect(plain(await repo.checkAttr(paths, { source: 'HEAD' }))).toEqual(expected)
    using other = await open(bare('bare.git'))
    expect(plain(await other.checkAttr(paths, { source: 'HEAD' }))).toEqual(expected)
  })

  test('names and paths that cannot be are refused', async () => {
    using repo = await open(dir)
    for (const attributes of ['te xt', '-x', '']) {
      const error = await errorOf(() => repo.checkAttr('a', { attributes }))
      expect([error.code, error.subject ?? '']).toEqual(['BAD_INPUT', attributes])
    }
    expect((await errorOf(() => repo.checkAttr('../a'))).code).toBe('BAD_INPUT')
    expect((await errorOf(() => repo.checkAttr('a', { source: 'nothere' }))).code).toBe('NOT_FOUND')
  })
})
