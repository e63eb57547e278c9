/** Answers of `packlens/isomorphic-git` beside those of isomorphic-git itself. */
import fs, { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import theirs from 'isomorphic-git'
import { createFsFromVolume, Volume } from 'memfs'
import type { FsClient } from 'packlens'
import ours from 'packlens/isomorphic-git'
import { afterAll, describe, expect, test } from 'vitest'
import { conflicted, gitIn, madeWorktree, write } from './made-worktree.ts'
import type { Expected } from './support.ts'
import { fixture, gitDirectoryOf } from './support.ts'

type Functions = Record<string, (parameters: object) => Promise<unknown>>
type Question = readonly [name: string, parameters: Readonly<Record<string, unknown>>]
type Answer = { readonly value: unknown } | { readonly code: string }

const [here, there] = [ours, theirs] as unknown as [Functions, Functions]

afterAll(() => ours.closeRepositories())

async function answer(functions: Functions, [name, parameters]: Question): Promise<Answer> {
  try {
    return { value: await functions[name]?.(parameters) }
  } catch (error) {
    const { code, name: className, caller } = error as Error & { code?: string; caller?: string }
    // What isomorphic-git does not expect, it throws as it comes.
    if (code) expect(caller).toBe(`git.${name}`)
    return { code: code ?? className }
  }
}

/** isomorphic-git has Buffers where these are bytes. */
function plain(value: unknown): unknown {
  if (value instanceof Uint8Array) return new Uint8Array(value)
  if (Array.isArray(value)) return value.map(plain)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, field]) => [key, plain(field)]))
}

/** Failures for valid objects: of names with `\`, old modes, authors without names, and the like. */
const OWN_LIMITS = new Set(['TypeError', 'UnsafeFilepathError', 'InternalError'])

/** Malformed objects of the fixture `main`, which isomorphic-git parses, but not as git does. */
const MALFORMED: Readonly<Record<string, string>> = {
  'refs/odd/no-people': 'has no author',
  'refs/odd/empty-author': 'has a header `autho`',
  'refs/odd/no-blank-line': 'has its headers as message',
  'refs/odd/tag-empty-message': 'has its headers as message',
  'refs/odd/tag-no-blank-line': 'has its headers as message',
  'refs/odd/before-epoch': 'has a date before 1970, which to git is none',
  'refs/odd/more-brackets': 'has an address with a bracket',
  'refs/odd/extra-headers': 'has a header `unknow` for one without value',
  'refs/odd/crlf': 'has a header without name',
  'refs/odd/absurd-zones': 'has zones of more or fewer than four digits',
  'refs/odd/latin1': 'is decoded as UTF-8',
}

const malformed = new Map(
  fixture('main').refs.flatMap(({ name, oid }) => {
    const difference = MALFORMED[name]
    return oid && difference ? [[oid, difference] as const] : []
  }),
)

/** Says why the answers to a question differ, for each difference that is intended. */
function reason([name, parameters]: Question, found: Answer): string | undefined {
  const { oid, ref } = parameters
  if ('code' in found && OWN_LIMITS.has(found.code)) return 'fails for valid objects'
  if (name === 'listRefs') return 'lists v1.0^{}, which is no ref'
  if (name === 'expandRef' && ref === 'origin') return 'a directory is no ref'
  return malformed.get(oid as string)
}

const REFS = ['HEAD', 'main', 'v1.0', 'heads/main', 'origin', 'nope', 'config', 'refs/tags/nested']
const PATHS = [
  ...['', 'folder', 'nope', 'folder/', '/x', 'folder/nope', 'README.md/x'],
  // `.` and `..` are names as others.
  ...['files//empty', './files/empty', 'files/../files/empty', 'files/./empty', '..'],
]

function* questions(
  { objects, head, refs }: Expected,
  files: readonly string[],
): Generator<Question> {
  yield ['listBranches', {}]
  yield ['listBranches', { remote: 'origin' }]
  yield ['listTags', {}]
  yield ['listRefs', { filepath: 'refs/heads' }]
  yield ['listRefs', { filepath: 'refs/tags' }]
  yield ['listRefs', { filepath: 'refs/none' }]
  yield ['listNotes', {}]
  yield ['listRemotes', {}]
  for (const path of ['core.bare', 'Core.fileMode', 'core.repositoryformatversion', 'no.such']) {
    for (const name of ['getConfig', 'getConfigAll']) yield [name, { path }]
  }
  yield ['currentBranch', {}]
  yield ['currentBranch', { fullname: true, test: true }]
  for (const ref of REFS) {
    yield ['expandRef', { ref }]
    for (const depth of [undefined, 0, 1, 2, 3]) yield ['resolveRef', { ref, depth }]
  }
  yield ['log', {}]
  yield ['log', { depth: 3 }]
  yield ['log', { ref: 'v1.0' }]
  yield ['log', { since: new Date(1112912353000) }]
  yield ['log', { author: '^(a u|bob)' }]
  yield ['listFiles', { ref: 'HEAD' }]
  // Refs lead to the objects that are unusual.
  const named = new Set(refs.map(({ oid }) => oid))
  const some = objects.filter(({ oid }, at) => at < 50 || named.has(oid))
  const small = some.filter(({ size }) => size < 100_000)
  for (const { oid } of small) {
    for (const format of ['parsed', 'content', 'wrapped', 'deflated']) {
      yield ['readObject', { oid, format }]
    }
    for (const name of ['readCommit', 'readTree', 'readTag', 'readBlob']) yield [name, { oid }]
    yield ['expandOid', { oid: oid.slice(0, 8) }]
    yield ['readNote', { oid }]
  }
  if (head.oid) {
    for (const filepath of [...files.slice(0, 20), ...PATHS]) {
      for (const name of ['readBlob', 'readTree']) yield [name, { oid: head.oid, filepath }]
      yield ['readObject', { oid: head.oid, filepath, encoding: 'utf8' }]
    }
  }
  const commits = small.filter(({ type }) => type === 'commit').slice(0, 10)
  for (const { oid } of commits) {
    for (const { oid: ancestor } of commits) {
      yield ['isDescendent', { oid, ancestor }]
      yield ['findMergeBase', { oids: [oid, ancestor] }]
    }
    yield ['findMergeBase', { oids: [oid] }]
  }
  for (const { oid, type } of small.filter(({ type }) => type !== 'commit').slice(0, 5)) {
    expect(type).not.toBe('commit')
    yield ['isDescendent', { oid, ancestor: head.oid ?? oid }]
    yield ['findMergeBase', { oids: [oid, oid] }]
  }
}

describe('The same answers as isomorphic-git', () => {
  test.each([
    ['main', 1300],
    ['loose', 990],
    ['graphs', 1090],
    ['pack-v3', 1100],
    ['hostile', 500],
    ['unborn', 140],
    ['empty', 60],
  ])('of the fixture %s: at least %i', async (name, least) => {
    const expected = fixture(name)
    const place = { fs, gitdir: gitDirectoryOf(expected), cache: {} }
    const files = await ours.listFiles({ ...place, ref: 'HEAD' }).catch(() => [])
    let equal = 0
    for (const [name, parameters] of questions(expected, files)) {
      const question: Question = [name, { ...place, ...parameters }]
      const [own, other] = [await answer(here, question), await answer(there, question)]
      if (reason(question, other)) continue
      expect(plain(own), `${name} ${JSON.stringify(parameters)}`).toEqual(plain(other))
      equal++
    }
    expect(equal).toBeGreaterThanOrEqual(least)
  })

  test('of the index, also with a conflict and before the first commit', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'packlens-peer-index-'))
    const dir = madeWorktree(path.join(folder, 'made'))
    const compare = async (least: number) => {
      const own = await ours.listFiles({ fs, dir, gitdir: path.join(dir, '.git') })
      expect(own).toEqual(await theirs.listFiles({ fs, dir }))
      expect(own.length).toBe(least)
    }
    await compare(108)
    conflicted(dir)
    write(dir, 'new', 'x')
    gitIn(dir, 'add', 'new')
    await compare(108)
    rmSync(path.join(dir, '.git', 'index'))
    await compare(0)
    rmSync(folder, { recursive: true })
  })

  test('of a walk, also of its own walk with TREE() of packlens', async () => {
    const memory = createFsFromVolume(new Volume())
    const place = { fs: memory, gitdir: '/walk.git' } as unknown as { fs: FsClient; gitdir: string }
    const blob = (text: string) =>
      theirs.writeBlob({ ...place, blob: new TextEncoder().encode(text) } as never)
    const tree = (entries: readonly (readonly [mode: string, path: string, oid: string])[]) => {
      const kinds: Record<string, string> = { '040000': 'tree', 160000: 'commit' }
      const shaped = entries.map(([mode, path, oid]) => {
        return { mode, path, oid, type: kinds[mode] ?? 'blob' }
      })
      return theirs.writeTree({ ...place, tree: shaped } as never)
    }
    await theirs.init({ ...place, bare: true } as never)
    const [one, other] = [await blob('1'), await blob('2')]
    const inner = await tree([
      ['100644', 'x', one],
      ['100755', 'run', one],
    ])
    // Order by name, by name as of a directory, by UTF-16 and by code points all differ.
    const names = ['a.txt', 'a-b', 'a0', 'é', '\uff61', '\u{1f600}', 'z']
    const files = names.map((name) => ['100644', name, one] as const)
    const first = await tree([...files, ['040000', 'a', inner], ['160000', 'sub', '1'.repeat(40)]])
    const second = await tree([
      ...files.slice(1),
      ['100644', 'a', other],
      ['120000', 'link', other],
    ])
    const map = async (path: string, entries: readonly unknown[]) => {
      const facts = (entries as (Functions | null)[]).map(async (entry) => {
        if (!entry) return entry
        const answered = ['type', 'mode', 'oid', 'stat'].map((name) => entry[name]?.({}))
        // isomorphic-git looks for the commits of submodules in the repository.
        return Promise.all([...answered, path === 'sub' ? null : entry.content?.({})])
      })
      return [path, await Promise.all(facts)]
    }
    const trees = ({ TREE }: Pick<typeof ours, 'TREE'>) => [
      TREE({ ref: first }),
      TREE({ ref: second }),
    ]
    const expected = await theirs.walk({ ...place, trees: trees(theirs as never), map } as never)
    expect((expected as unknown[]).flat().length).toBeGreaterThan(20)
    expect(plain(await ours.walk({ ...place, trees: trees(ours), map }))).toEqual(plain(expected))
    const mixed = await theirs.walk({ ...place, trees: trees(ours), map } as never)
    expect(plain(mixed)).toEqual(plain(expected))
    const listed = await ours.listFiles({ ...place, ref: first })
    // isomorphic-git lists submodules, too.
    expect(listed).toEqual(await theirs.listFiles({ ...place, ref: first } as never))
  })
})

/** A configuration that isomorphic-git reads as git does. */
const CONFIG = `[core]
\tbare = false
\tbare = yes
\tfilemode = Off
\tsymlinks
\tignorecase = "NO"
\tlogallrefupdates = on
\tbigFileThreshold = 2K
\tother = true
\tcompression
[user]
\tname = A "b" c ; x
\temail
[User]
\tname = é # y
\tx = a "q # r" # c
\ty = "a\\"b"
\tempty =
[remote "o"]
\turl = https://h/p
\turl = second
\tfetch = +a:b
\tfetch = c
[remote "z"]
\tfetch = d
[branch "Main"]
\tremote = o
\tmerge = refs/heads/main
`

/** Variables of which isomorphic-git has other values than git, and git's. */
const AS_GIT: Readonly<Record<string, readonly unknown[]>> = {
  'core.BARE': [false, true, false],
  'core.bigfilethreshold': [2048, 3],
  'old.style.key': ['1'],
  'included.key': ['yes'],
  'core.ignorecase': [false, true],
  'tab.key': ['a\tb'],
  'remote.o': [],
}

describe('Configurations', () => {
  const place = (text: string) => {
    const files = {
      HEAD: 'ref: refs/heads/main\n',
      config: text,
      more: '[included]\n\tkey = yes\n',
    }
    const volume = Volume.fromJSON(files, '/repo.git')
    volume.mkdirSync('/repo.git/objects', { recursive: true })
    const memory = createFsFromVolume(volume)
    return { fs: memory, gitdir: '/repo.git' } as unknown as { fs: FsClient; gitdir: string }
  }

  test('have the same values', async () => {
    const there_ = place(CONFIG)
    const names = ['bare', 'filemode', 'symlinks', 'ignorecase', 'logallrefupdates', 'compression']
    const paths = [
      ...[...names, 'bigFileThreshold', 'other', 'Bare'].map((name) => `core.${name}`),
      ...['user.name', 'User.Name', 'user.email', 'user.x', 'user.y', 'user.empty', 'user.nope'],
      ...['remote.o.url', 'Remote.o.Fetch', 'remote.O.url', 'remote.z.url', 'branch.Main.merge'],
      ...['branch.main.merge', 'none', 'none.x', ''],
    ]
    const asked = paths.flatMap((path): Question[] => [
      ['getConfig', { ...there_, path }],
      ['getConfigAll', { ...there_, path }],
    ])
    const others: Question[] = [
      ['listRemotes', there_],
      ['getConfig', there_],
    ]
    for (const question of [...asked, ...others]) {
      const [own, other] = [await answer(here, question), await answer(there, question)]
      expect(own, `${question[0]} ${question[1].path}`).toEqual(other)
    }
    expect(await ours.getConfig({ ...there_, path: 'core.bare' })).toBe(true)
  })

  test("have git's values where these differ", async () => {
    const text = `${CONFIG}[Core]\n\tBARE = 0\n\tbigfilethreshold = 3\n\tignorecase = 1\n
[old.Style]\n\tkey = 1\n[include]\n\tpath = more\n[tab]\n\tkey = a\\tb\n[remote "o.x"]\n\turl = u\n`
    const different = place(text)
    for (const [path, values] of Object.entries(AS_GIT)) {
      expect([path, await ours.getConfigAll({ ...different, path })]).toEqual([path, values])
    }
    expect(await ours.listRemotes(different)).toEqual([
      { remote: 'o', url: 'second' },
      { remote: 'z', url: undefined },
      { remote: 'o.x', url: 'u' },
    ])
  })
})

test('Every function of isomorphic-git exists', () => {
  const missing = Object.keys(theirs).filter((name) => !(name in ours))
  expect(missing).toEqual([])
  expect(Object.keys(ours.Errors).sort()).toEqual(Object.keys(theirs.Errors).sort())
})
