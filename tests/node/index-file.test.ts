/** The index of a worktree, entry by entry as git lists it, in every form that git writes. */
import {
  appendFileSync,
  copyFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { inspect } from 'node:util'
import type { IndexFileEntry } from 'packlens'
import { open, openSync } from 'packlens'
import { afterAll, describe, expect, test } from 'vitest'
import { conflicted, gitIn, madeWorktree, write } from './made-worktree.ts'
import { codeOf, collect, errorOf } from './support.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'packlens-index-file-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const made = (name: string, ...init: string[]) => madeWorktree(path.join(folder, name), ...init)
const latin1 = (bytes: Uint8Array) => Buffer.from(bytes).toString('latin1')

/** Returns entries in the form of `git ls-files --debug -s -v -z`, without git's own flags. */
function shown(entries: Iterable<IndexFileEntry>): string[] {
  return [...entries].map(({ mode, oid, stage, pathBytes, stat, ...entry }) => {
    const tag = entry.isSkipped ? 'S' : stage > 0 ? 'M' : 'H'
    const letter = entry.isAssumedUnchanged ? tag.toLowerCase() : tag
    const { ctime, mtime, dev, ino, uid, gid, size } = stat
    return [
      `${letter} ${mode.toString(8).padStart(6, '0')} ${oid} ${stage}\t${latin1(pathBytes)}`,
      `ctime: ${ctime.seconds}:${ctime.nanoseconds}`,
      `mtime: ${mtime.seconds}:${mtime.nanoseconds}`,
      `dev: ${dev}\tino: ${ino}`,
      `uid: ${uid}\tgid: ${gid}`,
      `size: ${size}`,
    ].join('\n')
  })
}

const ENTRY =
  /([^\0]*)\0 {2}(ctime.*)\n {2}(mtime.*)\n {2}(dev.*)\n {2}(uid.*)\n {2}(size: \d+)\tflags.*\n/g

function expected(place: string, ...args: string[]): string[] {
  const text = gitIn(place, 'ls-files', '-s', '-v', '-z', '--debug', ...args)
  return [...text.matchAll(ENTRY)].map(([, ...parts]) => parts.join('\n'))
}

/** Compares all entries with git's, with promises and without, and `:path` of some. */
async function compare(place: string, least: number): Promise<void> {
  const entries = expected(place)
  expect(entries.length).toBeGreaterThanOrEqual(least)
  using repo = openSync(place)
  expect(shown(repo.index())).toEqual(entries)
  await using little = await open(place, { memory: 1 << 20 })
  expect(shown(await collect(little.index()))).toEqual(entries)
  for (const { path: name, oid, stage, isSkipped, mode } of repo.index()) {
    if (isSkipped || name.includes('many')) continue
    expect(repo.resolve(`:${stage}:${name}`), `${mode} ${name}`).toBe(oid)
  }
}

describe.each(['sha1', 'sha256'])('with ids of %s', (format) => {
  test.each([2, 3, 4])('version %i', async (version) => {
    const place = made(`v${version}-${format}`, `--object-format=${format}`)
    gitIn(place, 'config', 'index.version', `${version}`)
    gitIn(place, 'update-index', '--index-version', `${version}`)
    if (version > 2) gitIn(place, 'update-index', '--skip-worktree', 'x/y/z.txt')
    const header = readFileSync(path.join(place, '.git', 'index')).subarray(0, 8)
    expect([...header.subarray(4)]).toEqual([0, 0, 0, version])
    await compare(place, 108)
  })

  test.each([2, 4])('a split index of version %i', async (version) => {
    const place = made(`split${version}-${format}`, `--object-format=${format}`)
    gitIn(place, 'config', 'splitIndex.maxPercentChange', '100')
    gitIn(place, 'update-index', '--index-version', `${version}`)
    gitIn(place, 'update-index', '--split-index')
    await compare(place, 108)
    write(place, 'b/c.txt', 'replaced\n')
    write(place, 'b/new.txt', 'new\n')
    write(place, '0', 'the first one\n')
    gitIn(place, 'add', '.')
    gitIn(place, 'rm', '-q', '--cached', 'many/5', 'many/70', 'many/71', 'many/99')
    await compare(place, 105)
    const [shared] = readdirSync(path.join(place, '.git')).filter((name) => /^shared/.test(name))
    expect(shared).toMatch(/^sharedindex\.[0-9a-f]{40,64}$/)
    gitIn(place, 'commit', '-q', '-m', 'staged')
    conflicted(place)
    await compare(place, 107)
    using repo = openSync(place)
    expect([...repo.index({ path: 'a.txt' })].map(({ stage }) => stage)).toEqual([1, 2, 3])
    const ids = gitIn(place, 'fsck', '--unreachable', '--no-reflogs', '--connectivity-only')
    const found = repo.fsck({ unreachable: true, reflogs: false, connectivityOnly: true })
    const unreachable = found.filter(({ id }) => id === 'unreachable')
    expect(unreachable.map(({ oid }) => oid).sort()).toEqual(
      (ids.match(/[0-9a-f]{40,}/g) ?? []).sort(),
    )
  })
})

test('entries have flags', async () => {
  const place = made('flags')
  write(place, 'later', 'x\n')
  gitIn(place, 'add', '-N', 'later')
  gitIn(place, 'update-index', '--assume-unchanged', 'b/c.txt')
  gitIn(place, 'update-index', '--skip-worktree', 'b/d/e.txt')
  await compare(place, 109)
  using repo = openSync(place)
  const flags = (entry: IndexFileEntry) => [
    entry.isAssumedUnchanged,
    entry.isSkipped,
    entry.isIntentToAdd,
  ]
  const of = (name: string) => [...repo.index({ path: name })].map(flags)
  expect(of('later')).toEqual([[false, false, true]])
  expect(of('b/c.txt')).toEqual([[true, false, false]])
  expect(of('b/d/e.txt')).toEqual([[false, true, false]])
  expect(of('a.txt')).toEqual([[false, false, false]])
  const [entry] = repo.index({ path: 'sub' })
  expect(entry).toMatchObject({ type: 'commit', isSubmodule: true, isTree: false, path: 'sub' })
  expect(JSON.parse(JSON.stringify(entry))).toMatchObject({ path: 'sub', stat: { size: 0 } })
  expect(inspect(entry)).toContain("path: 'sub'")
})

test('a sparse index has directories, whose files are listed', async () => {
  const place = made('sparse')
  gitIn(place, 'sparse-checkout', 'set', '--cone', '--sparse-index', 'b')
  await compare(place, 108)
  using repo = openSync(place)
  const sparse = [...repo.index({ sparse: true })]
  expect(shown(sparse)).toEqual(expected(place, '--sparse'))
  const trees = sparse.filter(({ isTree }) => isTree).map(({ path: name }) => name)
  expect(trees).toEqual(['many/', 'x/'])
  const paths = (pathspec: string, options = {}) =>
    [...repo.index({ pathspec, ...options })].map(({ path: name }) => name)
  expect(paths('x')).toEqual(['x/y/z.txt'])
  expect(paths('x/y/z.txt')).toEqual(['x/y/z.txt'])
  expect(paths('*/z.txt')).toEqual(['x/y/z.txt'])
  expect(paths('b/c.txt')).toEqual(['b/c.txt'])
  expect(paths('x', { sparse: true })).toEqual(['x/'])
  expect(repo.resolve(':x/y/z.txt')).toBe(gitIn(place, 'rev-parse', 'HEAD:x/y/z.txt').trim())
})

test('pathspecs select entries as those of git do', () => {
  const place = made('pathspecs')
  using repo = openSync(place)
  for (const elements of [
    ['b'],
    ['*.txt', ':!b'],
    [':(glob)b/*'],
    ['many/1*'],
    ['sub/'],
    ['x/y/'],
  ]) {
    const found = [...repo.index({ pathspec: elements })].map(({ pathBytes }) => latin1(pathBytes))
    const names = gitIn(place, 'ls-files', '-z', '--', ...elements)
      .split('\0')
      .slice(0, -1)
    expect(found, `${elements}`).toEqual(names)
    expect(found.length).toBeGreaterThan(0)
  }
})

test('each call reads the index that git wrote last, which is that of its worktree', async () => {
  const place = made('live')
  const linked = path.join(folder, 'linked')
  gitIn(place, 'worktree', 'add', '-q', linked)
  write(linked, 'only-linked', 'x\n')
  gitIn(linked, 'add', '.')
  await compare(linked, 109)
  gitIn(linked, 'update-index', '--split-index')
  await compare(linked, 109)
  using repo = openSync(place)
  expect([...repo.index({ path: 'new' })]).toEqual([])
  const id = repo.resolve(':a.txt')
  write(place, 'a.txt', 'another\n')
  write(place, 'new', 'x\n')
  gitIn(place, 'add', '.')
  expect([...repo.index({ path: 'new' })].length).toBe(1)
  expect(repo.resolve(':a.txt')).not.toBe(id)
  expect([...repo.index({ path: 'only-linked' })]).toEqual([])
})

test('a repository without an index has no entries', () => {
  const place = made('none')
  rmSync(path.join(place, '.git', 'index'))
  using repo = openSync(place)
  expect([...repo.index()]).toEqual([])
})

describe('damage', () => {
  const place = made('damaged')
  gitIn(place, 'config', 'splitIndex.maxPercentChange', '100')
  gitIn(place, 'update-index', '--split-index')
  write(place, 'added', 'x\n')
  gitIn(place, 'add', '.')
  const gitDir = path.join(place, '.git')
  const index = path.join(gitDir, 'index')
  const [name = ''] = readdirSync(gitDir).filter((file) => file.startsWith('sharedindex.'))
  const shared = path.join(gitDir, name)
  const [bytes, sharedBytes] = [readFileSync(index), readFileSync(shared)]

  const failure = async () => {
    using repo = openSync(place)
    const error = await errorOf(() => [...repo.index()])
    expect(await codeOf(() => repo.resolve(':added'))).toBe('CORRUPT')
    const findings = repo.fsck().filter(({ severity }) => severity === 'error')
    expect(findings.map(({ id }) => id)).toContain(
      error.message.includes('smaller') ? 'shortIndexFile' : 'badIndexFile',
    )
    writeFileSync(index, bytes)
    writeFileSync(shared, sharedBytes)
    return error
  }

  test('a shared file that does not exist', async () => {
    rmSync(shared)
    const error = await failure()
    expect(error).toMatchObject({ code: 'CORRUPT', file: 'index' })
    expect(error.message).toContain('the shared file of a split index does not exist')
  })

  test('a shared file that is another one', async () => {
    copyFileSync(index, shared)
    expect(await failure()).toMatchObject({ code: 'CORRUPT', file: name })
  })

  test('a shared file that is cut short', async () => {
    writeFileSync(shared, sharedBytes.subarray(0, 500))
    expect(await failure()).toMatchObject({ code: 'CORRUPT', file: name })
  })

  test('an index that is cut short, or has more bytes', async () => {
    writeFileSync(index, bytes.subarray(0, 9))
    expect(await failure()).toMatchObject({ code: 'CORRUPT', file: 'index' })
    appendFileSync(index, 'x')
    expect(await failure()).toMatchObject({ code: 'CORRUPT', file: 'index' })
  })
})
