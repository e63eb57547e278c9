/** `status` and `statusMatrix` of `packlens/isomorphic-git` beside isomorphic-git's own. */
import fs, {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import theirs from 'isomorphic-git'
import ours from 'packlens/isomorphic-git'
import { afterAll, expect, test } from 'vitest'
import { conflicted, gitIn, madeWorktree, write } from './made-worktree.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'packlens-isomorphic-git-status-'))
afterAll(() => {
  ours.closeRepositories()
  rmSync(folder, { recursive: true, force: true })
})

/** Makes a work tree whose files differ in every way from the index and `HEAD`. */
function changed(name: string): string {
  const place = madeWorktree(path.join(folder, name))
  write(place, '.gitignore', '*.o\nbuild/\n')
  write(place, 'twice', '1\n')
  write(place, 'thrice', '1\n')
  gitIn(place, 'add', '.gitignore', 'twice', 'thrice')
  gitIn(place, 'commit', '-q', '-m', 'more')
  gitIn(place, 'branch', 'older', 'HEAD~1')
  write(place, 'twice', '2\n')
  write(place, 'thrice', '2\n')
  write(place, 'b/c.txt', 'staged\n')
  write(place, 'added', 'x\n')
  write(place, 'changed', 'x\n')
  write(place, 'gone', 'x\n')
  gitIn(place, 'add', 'twice', 'thrice', 'b/c.txt', 'added', 'changed', 'gone')
  write(place, 'twice', '1\n')
  write(place, 'thrice', '3\n')
  write(place, 'changed', 'y\n')
  rmSync(path.join(place, 'gone'))
  rmSync(path.join(place, 'b/d/e.txt'))
  write(place, 'b/d/f.txt', 'another\n')
  gitIn(place, 'rm', '-q', '--cached', 'a.txt', 'run.sh', 'x/y/z.txt')
  write(place, 'run.sh', 'false\n')
  rmSync(path.join(place, 'x/y/z.txt'))
  chmodSync(path.join(place, 'many/3'), 0o755)
  write(place, 'new/file', '')
  write(place, 'new/one.o', '')
  write(place, 'build/out', '')
  write(place, 'b.o', '')
  return place
}

test('a git directory that has no HEAD yet, beside the worktree', async () => {
  const [dir, gitdir] = ['bare-tree', 'bare-tree.git'].map((name) => path.join(folder, name))
  mkdirSync(gitdir as string)
  write(dir as string, '.gitignore', 'a.txt\nd/\n')
  write(dir as string, 'c/.gitignore', 'e.txt\n')
  for (const filepath of ['a.txt', 'b.txt', 'c/a.txt', 'c/d.txt', 'c/e.txt', 'd/']) {
    const asked = { fs, dir, gitdir, filepath } as { fs: typeof fs; dir: string; filepath: string }
    expect(await ours.isIgnored(asked), filepath).toBe(await theirs.isIgnored(asked))
  }
})

test('a matrix of no paths is no list', async () => {
  const asked = { fs, dir: madeWorktree(path.join(folder, 'none')), filepaths: [] }
  expect(await theirs.statusMatrix(asked)).toBeUndefined()
  expect(await ours.statusMatrix(asked)).toBeUndefined()
})

test('a walk over the index', async () => {
  const dir = conflicted(madeWorktree(path.join(folder, 'walk')))
  const map = async (path: string, [entry]: readonly unknown[]) => {
    const asked = ['type', 'mode', 'oid', 'stat', 'content']
    const call = (name: string) => (entry as Record<string, () => Promise<unknown>>)[name]?.()
    return [path, ...(await Promise.all(asked.map(call)))]
  }
  const index = readFileSync(path.join(dir, '.git', 'index'))
  const expected = await theirs.walk({ fs, dir, trees: [theirs.STAGE()], map })
  expect(expected.length).toBeGreaterThan(100)
  expect(await ours.walk({ fs, dir, trees: [ours.STAGE()], map })).toEqual(expected)
  const mixed = await theirs.walk({ fs, dir, trees: [ours.STAGE() as never], map })
  expect(mixed).toEqual(expected)
  expect(readFileSync(path.join(dir, '.git', 'index')).equals(index)).toBe(true)
})

test.each([
  {},
  { ref: 'older' },
  { ignored: true },
  { filepaths: ['b', 'new'] },
  { filepaths: ['b/d/', 'many/7', 'b/c', 'a.txt/x'] },
  { filter: (filepath: string) => filepath.endsWith('.txt') },
])('the matrix with %o', async (options) => {
  const dir = changed(`matrix-${Math.random()}`)
  const index = readFileSync(path.join(dir, '.git', 'index'))
  const own = await ours.statusMatrix({ fs, dir, ...options })
  expect(readFileSync(path.join(dir, '.git', 'index')).equals(index)).toBe(true)
  const all = await theirs.statusMatrix({ fs, dir, refresh: false, ...options })
  // With `ignored` isomorphic-git lists the git directory, too.
  expect(own).toEqual(all.filter(([name]) => !name.startsWith('.git/')))
  expect(own.length).toBeGreaterThan(0)
})

test('the matrix is the same with `HEAD`, whose trees are not read, and with its id', async () => {
  const dir = changed('same')
  write(dir, 'intended', 'x\n')
  gitIn(dir, 'add', '--intent-to-add', 'intended')
  write(dir, 'sub', 'a file in place of a submodule\n')
  const matrices = async (dir: string) => {
    const ref = gitIn(dir, 'rev-parse', 'HEAD').trim()
    return [await ours.statusMatrix({ fs, dir }), await ours.statusMatrix({ fs, dir, ref })]
  }
  const [plain, byId] = await matrices(dir)
  expect(plain).toEqual(byId)
  expect(plain).toContainEqual(['intended', 0, 2, 3])
  gitIn(dir, 'rm', '-q', '-f', '--cached', 'sub')
  gitIn(dir, 'add', 'sub')
  const [withFile, withFileById] = await matrices(dir)
  expect(withFile).toEqual(withFileById)
  const [inConflict, inConflictById] = await matrices(
    conflicted(madeWorktree(path.join(folder, 'conflict'))),
  )
  expect(inConflict).toEqual(inConflictById)
})

test('all words are those of isomorphic-git', async () => {
  const dir = changed('words')
  const matrix = await theirs.statusMatrix({ fs, dir, refresh: false, ignored: true })
  const words = new Set<string>()
  const paths = matrix.map(([name]) => name).filter((name) => !name.startsWith('.git/'))
  for (const filepath of [...paths, 'nope', 'nope.o']) {
    const word = await ours.status({ fs, dir, filepath })
    expect(word, filepath).toBe(await theirs.status({ fs, dir, filepath, refresh: false }))
    words.add(word)
  }
  expect([...words].sort()).toEqual([
    ...['*absent', '*added', '*deleted', '*modified', '*undeleted', '*undeletemodified'],
    ...['*unmodified', 'absent', 'added', 'deleted', 'ignored', 'modified', 'unmodified'],
  ])
})

test('before the first commit', async () => {
  const dir = path.join(folder, 'unborn')
  gitIn(folder, 'init', '-q', dir)
  write(dir, 'staged', 'x\n')
  gitIn(dir, 'add', 'staged')
  write(dir, 'new', 'x\n')
  expect(await ours.statusMatrix({ fs, dir })).toEqual([
    ['new', 0, 2, 0],
    ['staged', 0, 2, 2],
  ])
  expect(await ours.status({ fs, dir, filepath: 'staged' })).toBe('added')
})

test('the worktree is needed', async () => {
  const gitdir = path.join(folder, 'words', '.git')
  for (const name of ['status', 'statusMatrix'] as const) {
    const call = ours[name]({ fs, gitdir, filepath: 'a' } as never)
    await expect(call).rejects.toMatchObject({
      code: 'MissingParameterError',
      caller: `git.${name}`,
    })
  }
})

test('a walk over the worktree', async () => {
  const dir = changed('workdir')
  symlinkSync('many', path.join(dir, 'link'))
  const facts = async (path: string, [entry]: readonly unknown[]) => {
    if (path === '.git') return null
    const call = (name: string) => (entry as Record<string, () => Promise<unknown>>)[name]?.()
    const [type, mode, oid] = await Promise.all(['type', 'mode', 'oid'].map(call))
    const content = (await call('content')) as Uint8Array | undefined
    const stat = type === 'tree' ? null : await call('stat')
    return [path, type, mode, oid, content && new Uint8Array(content), stat]
  }
  const index = readFileSync(path.join(dir, '.git', 'index'))
  const own = await ours.walk({ fs, dir, trees: [ours.WORKDIR()], map: facts })
  expect(readFileSync(path.join(dir, '.git', 'index'))).toEqual(index)
  const mixed = await theirs.walk({ fs, dir, trees: [ours.WORKDIR() as never], map: facts })
  const expected = await theirs.walk({ fs, dir, trees: [theirs.WORKDIR()], map: facts })
  expect(expected.length).toBeGreaterThan(100)
  expect(own).toEqual(expected)
  expect(mixed).toEqual(expected)
})

test('modes of a client that says nothing of kinds in them, such as lightning-fs', async () => {
  const dir = changed('kinds')
  symlinkSync('many', path.join(dir, 'link'))
  const lstat = async (name: string) => {
    const stat = await fs.promises.lstat(name)
    const kinds = {
      isFile: () => stat.isFile(),
      isDirectory: () => stat.isDirectory(),
      isSymbolicLink: () => stat.isSymbolicLink(),
    }
    return { size: stat.size, mtimeMs: stat.mtimeMs, mode: stat.mode & 0o777, ...kinds }
  }
  const client = { promises: { ...fs.promises, lstat } } as never
  const map = async (name: string, [entry]: readonly unknown[]) =>
    name === '.git' ? null : [name, await (entry as { mode(): Promise<number> }).mode()]
  const modes = await ours.walk({ fs: client, dir, trees: [ours.WORKDIR()], map })
  expect(modes).toEqual(await ours.walk({ fs, dir, trees: [ours.WORKDIR()], map }))
  expect(modes).toContainEqual(['link', 0o120000])
})

test('of the worktree only files that may have changed are read for ids', async () => {
  const dir = madeWorktree(path.join(folder, 'unread'))
  for (let at = 0; at < 100; at++) utimesSync(path.join(dir, `many/${at}`), 1e9, 1e9)
  // git updates the times of its index.
  gitIn(dir, 'status')
  write(dir, 'many/7', 'changed\n')
  const read: string[] = []
  const readFile = (name: string, options: object) => {
    if (!`${name}`.includes('.git')) read.push(path.relative(dir, `${name}`))
    return fs.promises.readFile(name, options)
  }
  const client = { promises: { ...fs.promises, readFile } } as never
  const map = async (name: string, [entry]: readonly unknown[]) =>
    name === '.git' ? null : (entry as { oid(): Promise<unknown> }).oid()
  await ours.walk({ fs: client, dir: path.join(dir), trees: [ours.WORKDIR()], map })
  expect(read.filter((name) => name.startsWith('many/'))).toEqual(['many/7'])
})

test('ignored paths', async () => {
  const dir = changed('ignored')
  write(dir, 'b/.gitignore', '*.txt\n!c.txt\n')
  write(dir, '.git/info/exclude', 'secret\n')
  const paths = ['b.o', 'new/one.o', 'new/file', 'build/out', 'b/c.txt', 'b/x.txt', 'a.txt']
  for (const filepath of [...paths, 'secret', 'x/secret/y', '.', '.git', 'b/.git']) {
    const expected = await theirs.isIgnored({ fs, dir, filepath })
    expect([filepath, await ours.isIgnored({ fs, dir, filepath })]).toEqual([filepath, expected])
  }
  // isomorphic-git does not look whether a path is that of a directory.
  expect(await ours.isIgnored({ fs, dir, filepath: 'build' })).toBe(true)
  const missing = ours.isIgnored({ fs, dir } as never)
  await expect(missing).rejects.toMatchObject({ code: 'MissingParameterError' })
})
