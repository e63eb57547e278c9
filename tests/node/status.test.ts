/** The status of work trees: what is read for it, and that nothing is written. */
import { createHash } from 'node:crypto'
import fs, {
  chmodSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { inspect } from 'node:util'
import type { FsClient, Stats, StatusEntry, StatusOptions } from 'packlens'
import { open, openSync } from 'packlens'
import { afterAll, describe, expect, test } from 'vitest'
import { folderHandle } from './folder-handle.ts'
import { conflicted, gitIn, madeWorktree, settledWorktree, write } from './made-worktree.ts'
import { collect, errorOf } from './support.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'packlens-status-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const made = (name: string, ...init: string[]) => madeWorktree(path.join(folder, name), ...init)

const settled = (name: string, files: number) => settledWorktree(path.join(folder, name), files)

function counted(place: string): { readonly rows: StatusEntry[]; readonly stats: Stats } {
  using repo = openSync(place)
  return { rows: [...repo.status()], stats: repo.stats() }
}

const emptyBlob = (place: string) => gitIn(place, 'hash-object', '-w', '/dev/null').trim()

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

const short = (entries: readonly StatusEntry[]) =>
  entries.map((entry) => {
    if (entry.kind !== 'changed') return `${entry.kind} ${entry.path}`
    return `${entry.staged}, ${entry.unstaged} ${entry.path}`
  })

describe('of a clean work tree', () => {
  test('no file is read', () => {
    const [few, many] = [counted(settled('few', 3)), counted(settled('many', 300))]
    expect([few.rows, many.rows]).toEqual([[], []])
    expect(many.stats.filesOpened).toBe(few.stats.filesOpened)
    const own = readFileSync(path.join(folder, 'many', '7.txt'))
    // A file is read once its times say that it may have changed.
    utimesSync(path.join(folder, 'many', '7.txt'), 1_000_000_001, 1_000_000_001)
    const touched = counted(path.join(folder, 'many'))
    expect(touched.rows).toEqual([])
    expect(touched.stats.filesOpened).toBe(many.stats.filesOpened + 1)
    expect(touched.stats.bytesRead).toBe(many.stats.bytesRead + own.byteLength)
  })

  test('files of attributes and of ignored paths are not read either', () => {
    const place = settled('described', 3)
    write(place, '.gitignore', '*.o\n')
    write(place, '.gitattributes', '* text\n')
    for (const name of ['.gitignore', '.gitattributes']) utimesSync(path.join(place, name), 9, 9)
    gitIn(place, 'add', '.')
    gitIn(place, 'commit', '-q', '-m', 'described')
    const clean = counted(place)
    expect(clean.rows).toEqual([])
    write(place, 'x.o', '')
    const { rows, stats } = counted(place)
    expect(rows).toEqual([])
    // `.gitignore` and `info/exclude`, as there is a file that is not tracked.
    expect(stats.filesOpened).toBe(clean.stats.filesOpened + 2)
  })
})

test('a file whose size is another is not read', () => {
  const place = settled('sizes', 3)
  const clean = counted(place)
  writeFileSync(path.join(place, '1.txt'), 'longer\n')
  const { rows, stats } = counted(place)
  expect(short(rows)).toEqual(['null, modified 1.txt'])
  expect(stats.filesOpened).toBe(clean.stats.filesOpened)
})

test('trees of HEAD are read only where the index does not know that it has the same', () => {
  const place = made('cached')
  // git writes what it knows of trees.
  gitIn(place, 'reset', '-q', '--hard')
  const before = counted(place)
  expect(before.rows).toEqual([])
  // The commit.
  expect(before.stats.objects).toBe(1)
  write(place, 'b/d/e.txt', 'staged\n')
  gitIn(place, 'add', 'b/d/e.txt')
  const { rows, stats } = counted(place)
  expect(short(rows)).toEqual(['modified, null b/d/e.txt'])
  // Also the root, `b` and `b/d`, but not `many` and `x`.
  expect(stats.objects).toBe(4)
})

test('of an index without trees, as other programs write, their ids are computed', () => {
  const place = made('without-trees')
  gitIn(place, 'reset', '-q', '--hard')
  const index = path.join(place, '.git', 'index')
  const bytes = readFileSync(index)
  const at = bytes.lastIndexOf('TREE')
  expect(at).toBeGreaterThan(0)
  const without = bytes.subarray(0, at)
  const hash = createHash('sha1').update(without).digest()
  writeFileSync(index, Buffer.concat([without, hash]))
  const { rows, stats } = counted(place)
  expect(rows).toEqual([])
  // The commit.
  expect(stats.objects).toBe(1)
  write(place, 'b/d/e.txt', 'other\n')
  gitIn(place, 'update-index', '--cacheinfo', `100644,${emptyBlob(place)},b/d/e.txt`)
  // A path alone is in no tree.
  write(place, 'x/later.txt', 'later\n')
  gitIn(place, 'add', '-N', 'x/later.txt')
  const changed = counted(place)
  expect(short(changed.rows)).toEqual(['modified, modified b/d/e.txt', 'null, added x/later.txt'])
  // Also the root, `b`, `b/d` and `x`.
  expect(changed.stats.objects).toBe(5)
})

test('a complete status has all tracked files, and the ids of what changed', () => {
  const place = made('complete')
  write(place, 'a.txt', 'changed\n')
  write(place, 'b/c.txt', 'longer than before\n')
  chmodSync(path.join(place, 'run.sh'), 0o644)
  rmSync(path.join(place, 'many/5'))
  renameSync(path.join(place, 'x/y/z.txt'), path.join(place, 'moved.txt'))
  gitIn(place, 'add', '-N', 'moved.txt')
  using repo = openSync(place)
  const rows = [...repo.status({ complete: true })]
  const plain = [...repo.status()]
  expect(short(rows.filter(({ kind }) => kind !== 'unchanged'))).toEqual(short(plain))
  const changed = new Set(plain.map((row) => row.path))
  const all = gitIn(place, 'ls-files', '-s', '-z').split('\0').slice(0, -1)
  const expected = all.flatMap((line) => {
    const [, mode, oid, name = ''] = /^(\d+) (\w+) \d\t(.*)$/s.exec(line) ?? []
    const text = Buffer.from(name, 'latin1').toString()
    if (changed.has(text) || text === 'x/y/z.txt') return []
    return [{ kind: 'unchanged', path: text, mode: Number.parseInt(mode ?? '', 8), oid }]
  })
  const unchanged = rows.filter(({ kind }) => kind === 'unchanged')
  expect(unchanged.map((row) => JSON.parse(JSON.stringify(row)))).toEqual(expected)
  expect(inspect(unchanged[0])).toContain("kind: 'unchanged'")
  const worktreeOid = (name: string, from = rows) => {
    const row = from.find((one) => one.path === name)
    return row?.kind === 'changed' ? row.worktreeOid : undefined
  }
  const names = ['a.txt', 'b/c.txt', 'run.sh', 'moved.txt']
  const ids = gitIn(place, 'hash-object', ...names)
    .trim()
    .split('\n')
  expect(names.map((name) => worktreeOid(name))).toEqual(ids)
  expect(worktreeOid('many/5')).toBeNull()
  // Otherwise a file of another size is not read.
  expect(worktreeOid('b/c.txt', plain)).toBeNull()
  expect([...repo.status({ complete: true, path: 'b/d' })].map((row) => row.path)).toEqual([
    'b/d/e.txt',
    'b/d/f.txt',
  ])
})

test('names that are not text are found', () => {
  const place = made('bytes')
  const name = Buffer.from([0x62, 0xff, 0xe9])
  writeFileSync(Buffer.concat([Buffer.from(`${place}/x/`), name]), 'new')
  const row = counted(place).rows.find(({ kind }) => kind === 'untracked')
  expect(Buffer.from(row?.pathBytes ?? [])).toEqual(Buffer.concat([Buffer.from('x/'), name]))
})

test('parts of a second do not count, as in git', () => {
  const place = settled('parts', 3)
  gitIn(place, 'config', 'core.trustctime', 'false')
  const clean = counted(place)
  write(place, '1.txt', 'A\n')
  utimesSync(path.join(place, '1.txt'), 1_000_000_000.5, 1_000_000_000.5)
  const { rows, stats } = counted(place)
  expect(gitIn(place, 'diff-files', '--name-only')).toBe('')
  expect(rows).toEqual([])
  expect(stats.filesOpened).toBe(clean.stats.filesOpened)
})

test("Node's own `fs` says all that the disk knows, however it was imported", async () => {
  const place = settled('own', 3)
  const other = path.join(place, '1.txt')
  write(place, '1.new', 'A\n')
  utimesSync(path.join(place, '1.new'), 1_000_000_000, 1_000_000_000)
  renameSync(path.join(place, '1.new'), other)
  const rowsOf = async (client: object, dirs: object) => {
    await using repo = await open({ fs: client as typeof fs, ...dirs })
    return short(await collect(repo.status()))
  }
  const gitdir = path.join(place, '.git')
  for (const client of [fs, await import('node:fs')]) {
    expect(await rowsOf(client, { dir: place })).toEqual(['null, modified 1.txt'])
    expect(await rowsOf(client, { dir: place, gitdir })).toEqual(['null, modified 1.txt'])
  }
  // Of others the inode and the time of the change of the inode are not known.
  expect(await rowsOf({ promises: fs.promises }, { dir: place })).toEqual([])
  await expect(rowsOf(fs, { gitdir: place })).rejects.toMatchObject({ code: 'NOT_FOUND' })
  await expect(rowsOf(fs, { gitdir })).rejects.toMatchObject({ code: 'UNSUPPORTED' })
})

test('a file that changed within the tick in which the index was written is found', () => {
  const place = settled('racy', 3)
  const { atime, mtimeMs } = statSync(path.join(place, '.git', 'index'))
  const seconds = Math.floor(mtimeMs / 1000)
  // The times of the file, and then those of the index, are those of one second.
  write(place, '1.txt', 'A\n')
  utimesSync(path.join(place, '1.txt'), atime, seconds)
  gitIn(place, 'add', '1.txt')
  gitIn(place, 'commit', '-q', '-m', 'racy')
  utimesSync(path.join(place, '.git', 'index'), atime, seconds)
  gitIn(place, 'config', 'core.trustctime', 'false')
  expect(counted(place).rows).toEqual([])
  write(place, '1.txt', 'B\n')
  utimesSync(path.join(place, '1.txt'), atime, seconds)
  expect(short(counted(place).rows)).toEqual(['null, modified 1.txt'])
})

test('nothing is written', () => {
  const place = made('unwritten')
  const facts = () =>
    readdirSync(path.join(place, '.git'), { recursive: true, encoding: 'utf8' }).map((name) => {
      const { mtimeNs, ctimeNs, ino } = statSync(path.join(place, '.git', name), { bigint: true })
      return `${name} ${mtimeNs} ${ctimeNs} ${ino}`
    })
  write(place, 'a.txt', 'changed\n')
  utimesSync(path.join(place, 'b', 'c.txt'), 1, 1)
  const [before, bytes] = [facts(), readFileSync(path.join(place, '.git', 'index'))]
  expect(short(counted(place).rows)).toEqual(['null, modified a.txt', 'null, deleted sub'])
  expect(facts()).toEqual(before)
  expect(readFileSync(path.join(place, '.git', 'index')).equals(bytes)).toBe(true)
})

describe('rows', () => {
  const place = made('rows')
  gitIn(place, 'mv', 'x/y/z.txt', 'moved.txt')
  gitIn(place, 'rm', '-q', '--cached', 'é ü.txt')
  write(place, 'b/c.txt', 'staged\n')
  gitIn(place, 'add', 'b/c.txt')
  write(place, 'b/c.txt', 'more\n')
  rmSync(path.join(place, 'b/d/e.txt'))
  rmSync(path.join(place, 'b/d/f.txt'))
  symlinkSync('e.txt', path.join(place, 'b/d/f.txt'))
  chmodSync(path.join(place, 'many/5'), 0o755)
  gitIn(place, 'update-index', '--chmod=+x', 'many/6')
  write(place, 'later', 'x\n')
  gitIn(place, 'add', '-N', 'later')
  write(place, 'new/one/file', '')
  write(place, 'new/two', '')
  write(place, '.git/info/exclude', '*.o\n')
  write(place, 'objects/a.o', '')

  const expected = [
    'modified, modified b/c.txt',
    'null, deleted b/d/e.txt',
    'null, type-changed b/d/f.txt',
    'null, added later',
    'null, modified many/5',
    'modified, modified many/6',
    'renamed, null moved.txt',
    'null, deleted sub',
    'deleted, null é ü.txt',
  ]

  test('are those of git', () => {
    const { rows } = counted(place)
    expect(short(rows)).toEqual([...expected, 'untracked new/', 'untracked é ü.txt'])
  })

  test('have modes, ids and old paths', () => {
    const { rows } = counted(place)
    const of = (name: string) => rows.find((row) => row.path === name)
    const id = gitIn(place, 'rev-parse', 'HEAD:x/y/z.txt').trim()
    expect(of('moved.txt')).toMatchObject({ oldPath: 'x/y/z.txt', similarity: 100, headOid: id })
    expect(of('many/5')).toMatchObject({ indexMode: 0o100644, worktreeMode: 0o100755 })
    const executable = { indexMode: 0o100755, worktreeMode: 0o100644 }
    expect(of('many/6')).toMatchObject({ headMode: 0o100644, ...executable })
    expect(rows.find((row) => row.path === 'é ü.txt' && row.kind === 'changed')).toMatchObject({
      headMode: 0o100644,
      indexMode: null,
    })
    expect(of('b/d/e.txt')).toMatchObject({ indexMode: 0o100644, worktreeMode: null })
    expect(of('later')).toMatchObject({ headMode: null, indexMode: null, worktreeMode: 0o100644 })
    expect(JSON.parse(JSON.stringify(of('new/')))).toEqual({ kind: 'untracked', path: 'new/' })
    expect(inspect(of('many/5'))).toContain("unstaged: 'modified'")
    expect(JSON.parse(JSON.stringify(of('b/c.txt')))).toMatchObject({ staged: 'modified' })
  })

  test('options choose them', () => {
    using repo = openSync(place)
    const of = (options: Parameters<typeof repo.status>[0]) => short([...repo.status(options)])
    expect(of({ untracked: 'no' })).toEqual(expected)
    const all = ['untracked new/one/file', 'untracked new/two', 'untracked é ü.txt']
    expect(of({ untracked: 'all' })).toEqual([...expected, ...all])
    const listed = of({ ignored: 'traditional' })
    expect(listed.filter((row) => row.startsWith('ignored'))).toEqual(['ignored objects/'])
    const matching = of({ ignored: 'matching', untracked: 'all' })
    expect(matching.filter((row) => row.startsWith('ignored'))).toEqual(['ignored objects/a.o'])
    expect(of({ renames: false, untracked: 'no' })).toContain('deleted, null x/y/z.txt')
    expect(of({ path: 'new/one' })).toEqual(['untracked new/one/'])
    expect(of({ pathspec: ['b/d', ':!*.txt'] })).toEqual([])
    expect(of({ path: 'b/d' })).toEqual(expected.slice(1, 3))
  })

  test('are the same with promises, in a worker, and in little memory', async () => {
    const { rows } = counted(place)
    await using repo = await open(place)
    expect(short(await collect(repo.status()))).toEqual(short(rows))
    await using client = await open({ fs: { promises: fs.promises }, dir: place })
    expect(short(await collect(client.status()))).toEqual(short(rows))
    await using far = await open(place, { worker: true })
    expect(short(await collect(far.status()))).toEqual(short(rows))
    using little = openSync(place, { memory: 1 << 20 })
    expect(short([...little.status()])).toEqual(short(rows))
  })
})

test('a conflict has its stages', () => {
  const place = conflicted(made('conflict'))
  const row = counted(place).rows.find(({ kind }) => kind === 'unmerged')
  const ids = gitIn(place, 'ls-files', '-u').match(/[0-9a-f]{40}/g) ?? []
  expect(row).toMatchObject({ path: 'a.txt', worktreeMode: 0o100644 })
  expect(row?.kind === 'unmerged' && row.stages.map((stage) => stage?.oid)).toEqual(ids)
  expect(JSON.parse(JSON.stringify(row))).toMatchObject({ kind: 'unmerged', stages: [{}, {}, {}] })
})

test('a file larger than memory is hashed in parts', () => {
  const place = settled('large', 1)
  write(place, 'large', 'x'.repeat(6 << 20))
  gitIn(place, 'add', '.')
  gitIn(place, 'commit', '-q', '-m', 'large')
  utimesSync(path.join(place, 'large'), 1, 1)
  using repo = openSync(place, { memory: 2 << 20 })
  expect([...repo.status()]).toEqual([])
  expect(repo.stats().memoryHighWater).toBeLessThan(2 << 20)
  write(place, 'large', 'y'.repeat(6 << 20))
  expect(short([...repo.status()])).toEqual(['null, modified large'])
})

describe('what cannot be answered', () => {
  const place = made('refused')

  test.each([
    ['a git directory', () => openSync(path.join(place, '.git'))],
    ['a store that lists anything', () => openSync(storeOf(() => ['index', 'a']))],
    ['a store that lists paths', () => openSync(storeOf(() => ['f 0 0 - - - - - ../a']))],
    ['a store that lists nothing', () => openSync(storeOf(() => []))],
  ])('%s has no work tree', async (_, openIt) => {
    using repo = openIt()
    const error = await errorOf(() => [...repo.status()])
    expect(error.code).toBe('UNSUPPORTED')
    expect(error.message).toContain('no work tree')
  })

  test('a filter or an encoding that is not known', async () => {
    write(place, '.gitattributes', 'a.txt filter=other\nb/c.txt working-tree-encoding=EUC-JP\n')
    gitIn(place, 'config', 'filter.other.clean', 'cat')
    utimesSync(path.join(place, 'a.txt'), 1, 1)
    using repo = openSync(place)
    const error = await errorOf(() => [...repo.status()])
    expect(error).toMatchObject({ code: 'UNSUPPORTED', subject: 'other' })
    utimesSync(path.join(place, 'b', 'c.txt'), 1, 1)
    gitIn(place, 'config', '--unset', 'filter.other.clean')
    expect(await errorOf(() => [...repo.status()])).toMatchObject({ subject: 'EUC-JP' })
  })

  test('a symbolic link, of a source that lists none', () => {
    const linked = settled('hidden', 2)
    symlinkSync('0.txt', path.join(linked, 'link'))
    gitIn(linked, 'add', 'link')
    const list = (name: string) => {
      return name.startsWith('.worktree-stat') ? ['f - 1 9 - - - - index', 'without-links'] : []
    }
    using repo = openSync(storeOf(list, linked))
    const rows = ['null, deleted 0.txt', 'null, deleted 1.txt', 'added, unknown link']
    expect(short([...repo.status()])).toEqual(rows)
  })

  function storeOf(list: (folder: string) => string[], worktree = place) {
    const file = (name: string) => {
      const from = path.join(worktree, '.git', name)
      const isFile =
        !name.startsWith('.worktree') && statSync(from, { throwIfNoEntry: false })?.isFile()
      return isFile ? readFileSync(from) : null
    }
    return {
      get: (name: string) => file(name),
      list: (name: string) => {
        if (name.startsWith('.worktree')) return list(name)
        const from = path.join(worktree, '.git', name)
        return statSync(from, { throwIfNoEntry: false }) ? readdirSync(from) : []
      },
    }
  }
})

test('git-lfs has pointers in place of files', () => {
  const place = settled('lfs', 1)
  const content = 'large\n'
  write(place, '.gitattributes', '*.bin filter=lfs\n')
  write(place, 'a.bin', content)
  // What git adds is the output of the command, here that of git-lfs for this content.
  const pointer = path.join(folder, 'pointer')
  const text = [
    'version https://git-lfs.github.com/spec/v1',
    `oid sha256:${sha256(content)}`,
    `size ${content.length}`,
    '',
  ].join('\n')
  writeFileSync(pointer, text)
  gitIn(place, 'config', 'filter.lfs.clean', `cat '${pointer}'; cat >/dev/null`)
  gitIn(place, 'add', '.')
  gitIn(place, 'commit', '-q', '-m', 'pointers')
  utimesSync(path.join(place, 'a.bin'), 1, 1)
  expect(counted(place).rows).toEqual([])
  write(place, 'a.bin', 'Large\n')
  expect(short(counted(place).rows)).toEqual(['null, modified a.bin'])
})

describe('submodules', () => {
  const place = path.join(folder, 'superproject')
  const sub = path.join(place, 'libs/sub')
  gitIn(folder, 'init', '-q', place)
  gitIn(place, 'init', '-q', sub)
  write(sub, 'file', 'file\n')
  gitIn(sub, 'add', '.')
  gitIn(sub, 'commit', '-q', '-m', 'one')
  gitIn(place, 'init', '-q', path.join(sub, 'inner'))
  gitIn(path.join(sub, 'inner'), 'commit', '-q', '--allow-empty', '-m', 'one')
  gitIn(sub, 'add', '.')
  gitIn(sub, 'commit', '-q', '-m', 'two')
  gitIn(place, 'add', '.')
  gitIn(place, 'commit', '-q', '-m', 'one')

  const { open: openFile, readFile, readdir, readlink, stat, lstat } = fs.promises
  const client = { promises: { open: openFile, readFile, readdir, readlink, stat, lstat } }

  /** Asks all kinds of sources that have a work tree. */
  async function states(options: StatusOptions = {}) {
    using direct = openSync(place)
    const rows = [...direct.status(options)]
    const others = [
      await open(place),
      await open(place, { worker: true }),
      await open({ fs: client as unknown as FsClient, dir: place }),
      await open(folderHandle(place)),
    ]
    for (const repo of others) {
      expect(await collect(repo.status(options))).toEqual(rows)
      repo.close()
    }
    return rows.map((row) => (row.kind === 'changed' ? row.submodule : row.kind))
  }

  test('are looked into, and those in them', async () => {
    expect(await states()).toEqual([])
    write(place, 'libs/sub/inner/other', 'other\n')
    const untracked = { hasOtherCommit: false, isModified: false, hasUntracked: true }
    expect(await states()).toEqual([untracked])
    expect(await states({ untracked: 'no' })).toEqual([])
    expect(await states({ ignoreSubmodules: 'untracked' })).toEqual([])
    write(place, 'libs/sub/file', 'file changed\n')
    expect(await states()).toEqual([{ ...untracked, isModified: true }])
    expect(await states({ ignoreSubmodules: 'dirty' })).toEqual([])
    gitIn(path.join(sub, 'inner'), 'commit', '-q', '--allow-empty', '-m', 'two')
    expect(await states({ ignoreSubmodules: 'dirty' })).toEqual([])
    gitIn(sub, 'commit', '-q', '-m', 'three', '--allow-empty')
    const moved = { hasOtherCommit: true, isModified: false, hasUntracked: false }
    expect(await states({ ignoreSubmodules: 'dirty' })).toEqual([moved])
    gitIn(place, 'config', 'diff.ignoreSubmodules', 'all')
    expect(await states()).toEqual([])
    expect(await states({ ignoreSubmodules: 'none' })).toEqual([
      { hasOtherCommit: true, isModified: true, hasUntracked: true },
    ])
  })

  test('that are damaged are errors', async () => {
    writeFileSync(path.join(sub, '.git/index'), 'no index')
    gitIn(place, 'config', '--unset', 'diff.ignoreSubmodules')
    using repo = openSync(place)
    expect(await errorOf(() => [...repo.status()])).toMatchObject({ code: 'CORRUPT' })
    expect([...repo.status({ ignoreSubmodules: 'dirty' })].length).toBe(1)
  })
})
