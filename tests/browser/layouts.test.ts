/** Folders with several repositories, and paths outside the opened folder. */
import type { OpenOptions, Repository } from 'packlens'
import { open } from 'packlens'
import { beforeAll, describe, expect, test } from 'vitest'
import { writeFolder } from './opfs.ts'
import { archiveOf, codeOf, collect, type Expected, errorOf, fixtures } from './support.ts'
import type { Bytes } from './untar.ts'

const utf8 = new TextDecoder()
const contentOf = async (repo: Repository, spec: string) =>
  utf8.decode((await repo.read(spec)).data)

/** Returns the files of a fixture below one of its folders. */
async function filesBelow(path: string): Promise<Map<string, Bytes>> {
  const files = [...(await archiveOf({ path } as Expected))]
  const inside = files.filter(([name]) => name.startsWith(`${path}/`))
  return new Map(inside.map(([name, bytes]) => [name.slice(path.length + 1), bytes]))
}

function listed(files: ReadonlyMap<string, Bytes>): File[] {
  return [...files].map(([name, bytes]) => {
    const file = new File([bytes], name.replace(/.*\//, ''))
    return Object.defineProperty(file, 'webkitRelativePath', { value: `picked/${name}` })
  })
}

type Opening = (path: string, options?: OpenOptions) => Promise<Repository>
const kinds: [string, Opening][] = [
  ['a folder', async (path, options) => open(await folderOf(path), options)],
  [
    'a folder in a worker',
    async (path, options) => open(await folderOf(path), { ...options, worker: true }),
  ],
  ['a list of files', async (path, options) => open(listed(await filesBelow(path)), options)],
]

const folders = new Map<string, FileSystemDirectoryHandle>()
async function folderOf(path: string): Promise<FileSystemDirectoryHandle> {
  const folder =
    folders.get(path) ??
    (await writeFolder(`l-${path.replace(/\W/g, '-')}`, await filesBelow(path)))
  folders.set(path, folder)
  return folder
}

let base: string
beforeAll(async () => {
  await using repo = await open(await folderOf('layouts'), { gitDir: 'base.git' })
  base = await repo.resolve('main')
})

describe.each(kinds)('In %s', (_, openIt) => {
  test('the named repository borrows from the others', async () => {
    await using repo = await openIt('layouts', { gitDir: 'borrower.git' })
    expect(await contentOf(repo, 'main:own.txt')).toBe('own\n')
    expect(await contentOf(repo, 'borrowed:README.md')).toBe('base\n')
    expect(await contentOf(repo, 'more:more.txt')).toBe('more\n')
    expect((await collect(repo.objects({ fields: 'info' }))).length).toBeGreaterThan(8)
  })

  test('alternates and the directory of objects can be given', async () => {
    await using repo = await openIt('layouts', {
      gitDir: 'bare',
      alternates: ['../base.git/objects'],
    })
    expect(await contentOf(repo, `${base}:README.md`)).toBe('base\n')
    await using other = await openIt('layouts', {
      gitDir: 'bare',
      objectDirectory: '../base.git/objects',
    })
    expect(await contentOf(other, `${base}:README.md`)).toBe('base\n')
    expect(await codeOf(() => other.read('HEAD'))).toBe('NOT_FOUND')
  })

  test('a path outside is an error that says what to do', async () => {
    await using repo = await openIt('layouts/borrower.git')
    expect(await contentOf(repo, 'main:own.txt')).toBe('own\n')
    const error = await errorOf(() => repo.find(base))
    expect(error.code).toBe('BAD_INPUT')
    expect(error.message).toContain('`gitDir`')
    await using lenient = await openIt('layouts/borrower.git', { alternates: ['nowhere'] })
    expect(await lenient.find(base)).toBe(null)
  })

  test('a folder without a repository is NOT_FOUND', async () => {
    expect(await codeOf(() => openIt('layouts', { gitDir: 'nowhere' }))).toBe('NOT_FOUND')
  })
})

describe.each(kinds.slice(0, 2))('In %s', (_, openIt) => {
  test('a linked worktree, and a submodule, are opened', async () => {
    const of = fixtures.find(({ name }) => name === 'worktree-linked') as Expected
    await using repo = await openIt('worktree', { gitDir: 'linked/.git' })
    expect(await repo.resolve('HEAD')).toBe(of.head.oid)
    expect((await collect(repo.refs.list())).map(({ name, oid }) => [name, oid])).toEqual(
      of.refs.map(({ name, oid }) => [name, oid]),
    )
    await using sub = await openIt('layouts', { gitDir: 'super/inner/sub/.git' })
    expect(await sub.resolve('HEAD')).toBe(base)
  })
})
