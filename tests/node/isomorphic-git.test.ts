/** `packlens/isomorphic-git`: what isomorphic-git gets wrong, parameters, errors, refusals. */
import fs, { readFileSync } from 'node:fs'
import path from 'node:path'
import peer from 'isomorphic-git'
import { createFsFromVolume, Volume } from 'memfs'
import type { FsClient } from 'packlens'
import { openSync } from 'packlens'
import * as git from 'packlens/isomorphic-git'
import { afterAll, describe, expect, test } from 'vitest'
import { unpacked } from './cli-support.ts'
import { fixture, folderOf, gitDirectoryOf, root } from './support.ts'

afterAll(() => git.closeRepositories())

const placeOf = (name: string) => ({ fs, gitdir: gitDirectoryOf(fixture(name)) })
const main = placeOf('main')
const refOid = (name: string) =>
  fixture('main').refs.find((ref) => ref.name === name)?.oid as string

interface Thrown {
  readonly code: string
  readonly message: string
  readonly caller: string
  readonly data: Record<string, unknown>
  readonly cause: unknown
}

async function thrownBy(call: () => Promise<unknown>): Promise<Error & Thrown> {
  return call().then(
    () => expect.fail('nothing is thrown'),
    (error) => error,
  )
}

/** A repository in memory that isomorphic-git itself writes. */
async function written() {
  const memory = createFsFromVolume(new Volume())
  const place = { fs: memory, dir: '/r', gitdir: '/r/.git' }
  await peer.init({ ...place, defaultBranch: 'main' } as never)
  const blob = (text: string) =>
    peer.writeBlob({ ...place, blob: new TextEncoder().encode(text) } as never)
  const commit = async (
    message: string,
    timestamp: number,
    parent: string[],
    files: Record<string, string>,
  ) => {
    const entries = Object.entries(files).map(async ([name, text]) => {
      return { mode: '100644', path: name, oid: await blob(text), type: 'blob' as const }
    })
    const tree = await peer.writeTree({ ...place, tree: await Promise.all(entries) } as never)
    const author = { name: 'A', email: 'a@example.com', timestamp, timezoneOffset: 0 }
    const fields = { message, tree, parent, author, committer: author }
    return peer.writeCommit({ ...place, commit: fields } as never)
  }
  const ref = (name: string, value: string) =>
    peer.writeRef({ ...place, ref: name, value, force: true } as never)
  const log = async (parameters: object = {}) => {
    const results = await git.log({ ...place, fs: memory as unknown as FsClient, ...parameters })
    return results.map(({ commit }) => commit.message.trim())
  }
  return { place: { ...place, fs: memory as unknown as FsClient }, commit, ref, log }
}

describe('Right where isomorphic-git is wrong:', () => {
  test.each(['index-v1', 'offset64', 'sha256', 'worktree-linked'])(
    'the fixture %s',
    async (name) => {
      const repo = openSync(folderOf(fixture(name)))
      const log = await git.log(placeOfAny(name))
      expect(log.map(({ oid }) => oid)).toEqual([...repo.revList('HEAD')])
      expect(log.length).toBeGreaterThan(1)
      const { oid } = repo.read('HEAD^{tree}')
      expect((await git.readTree({ ...placeOfAny(name), oid })).oid).toBe(oid)
    },
  )

  test('objects of alternates', async () => {
    const gitdir = path.join(unpacked, 'layouts', 'borrower.git')
    const oid = openSync(path.join(unpacked, 'layouts', 'base.git')).resolve('main')
    expect((await git.readBlob({ fs, gitdir, oid, filepath: 'README.md' })).blob.length).toBe(5)
  })

  test('replaced objects', async () => {
    const { commit, ref, log, place } = await written()
    const first = await commit('first', 1000, [], {})
    const second = await commit('second', 2000, [first], {})
    const other = await commit('REPLACED', 1000, [], {})
    await ref('refs/heads/main', second)
    await ref(`refs/replace/${first}`, other)
    expect(await log()).toEqual(['second', 'REPLACED'])
    const { commit: replaced } = await git.readCommit({ ...place, oid: first })
    expect(replaced.message).toBe('REPLACED\n')
  })

  test('old modes and names with a backslash', async () => {
    const modes = await git.readTree({ ...main, oid: refOid('refs/odd/tree-modes') })
    expect(modes.tree.map(({ mode }) => mode)).toContain('100664')
    const files = await git.listFiles({ ...placeOf('loose'), ref: 'HEAD' })
    expect(files).toContain('odd/back\\slash')
    const oid = await git.resolveRef({ ...placeOf('loose'), ref: 'HEAD' })
    const { blob } = await git.readBlob({ ...placeOf('loose'), oid, filepath: 'odd/back\\slash' })
    expect(new TextDecoder().decode(blob)).toBe('named odd/back\\slash\n')
  })

  test('modes of a walk, which are those that git writes today', async () => {
    const oid = refOid('refs/odd/tree-modes')
    const map = async (path: string, [entry]: (git.WalkerEntry | null)[]) =>
      `${path} ${(await entry?.mode())?.toString(8)}`
    const modes = await git.walk({ ...main, trees: [git.TREE({ ref: oid })], map })
    expect(modes).toContain('group-writable 100644')
    expect(modes).toContain('. 40000')
  })

  test('notes in directories', async () => {
    const { place, commit, ref } = await written()
    const about = (character: string) => character.repeat(40)
    const flat = { [about('c')]: 'flat' }
    await ref('refs/notes/commits', await commit('notes', 1000, [], flat))
    expect((await git.readNote({ ...place, oid: about('c') })).length).toBe(4)
    const { tree } = await git.readTree({
      ...place,
      oid: await git.resolveRef({ ...place, ref: 'refs/notes/commits' }),
    })
    const note = tree[0]?.oid as string
    const blob = (path: string) => ({ mode: '100644', path, oid: note, type: 'blob' as const })
    const directory = async (path: string, entries: object[]) => ({
      mode: '040000',
      path,
      oid: await peer.writeTree({ ...place, tree: entries } as never),
      type: 'tree' as const,
    })
    const deep = await directory('aa', [await directory('aa', [blob('a'.repeat(36))])])
    const root = await directory('', [deep, blob(about('c')), blob('README')])
    await ref('refs/notes/many', root.oid)
    const many = { ...place, ref: 'refs/notes/many' }
    expect(await git.listNotes(many)).toEqual([
      { target: about('a'), note },
      { target: about('c'), note },
    ])
    for (const oid of [about('a'), about('c')]) {
      expect(new TextDecoder().decode(await git.readNote({ ...many, oid }))).toBe('flat')
    }
    const error = await thrownBy(() => git.readNote({ ...many, oid: about('b') }))
    expect(error.code).toBe('NotFoundError')
  })

  test('text in other encodings', async () => {
    const { commit } = await git.readCommit({ ...main, oid: refOid('refs/odd/latin1') })
    const expected = openSync(folderOf(fixture('main'))).readCommit(refOid('refs/odd/latin1'))
    expect(expected.encoding).not.toBe(null)
    expect(commit.message.trim()).toBe(expected.message.trim())
    expect(commit.author.name).toBe(expected.author.name)
    expect(commit.message + commit.author.name).not.toContain('\ufffd')
  })

  test('histories with skewed clocks, in which each commit is listed once', async () => {
    const { commit, ref, log } = await written()
    const a = await commit('A', 5000, [], {})
    const b = await commit('B', 1000, [a], {})
    const c = await commit('C', 6000, [a], {})
    await ref('refs/heads/main', await commit('D', 7000, [b, c], {}))
    expect(await log()).toEqual(['D', 'C', 'A', 'B'])
    expect(await log({ depth: 2 })).toEqual(['D', 'C'])
  })

  test('histories of files, in which a merge of a branch that changed them is not listed', async () => {
    const { commit, ref, log } = await written()
    const base = await commit('base', 1000, [], { f: '1', g: '1' })
    const side = await commit('side-f', 2000, [base], { f: '2', g: '1' })
    const own = await commit('main-g', 3000, [base], { f: '1', g: '2' })
    await ref('refs/heads/main', await commit('merge', 4000, [own, side], { f: '2', g: '2' }))
    expect(await log({ filepath: 'f' })).toEqual(['side-f', 'base'])
  })

  test('changes of a commit, to its first parent', async () => {
    const { place, commit, ref } = await written()
    const base = await commit('base', 1000, [], { a: '1', b: '1' })
    await ref('refs/heads/main', await commit('next', 2000, [base], { b: '2', c: '1' }))
    const [next, first] = await git.log({ ...place, includeChanges: true })
    const [{ commit: expected } = { commit: { changes: undefined } }] = await peer.log({
      ...place,
      includeChanges: true,
    } as never)
    expect(next?.commit.changes?.map(([, , path]) => path)).toEqual(['a', 'b', 'c'])
    expect(next?.commit.changes).toEqual((expected as git.CommitObject).changes)
    expect(first?.commit.changes?.map(([added, removed]) => [!!added, removed])).toEqual([
      [true, null],
      [true, null],
    ])
  })

  test('objects that were never fetched', async () => {
    const answers = JSON.parse(readFileSync(path.join(root, 'tests/fixtures/partial.json'), 'utf8'))
    const [name, { promised }] = Object.entries(answers)[0] as [string, { promised: string[] }]
    const gitdir = path.join(unpacked, 'partial', `${name}.git`)
    const [oid = ''] = promised
    const error = await thrownBy(() => git.readBlob({ fs, gitdir, oid }))
    expect(error).toMatchObject({ code: 'NotFoundError', cause: { code: 'PROMISED' } })
    expect(error.message).toContain('never fetched')
  })

  test.each(['HEAD~1', 'HEAD^', 'HEAD^{tree}', '@', 'main~2^{tree}'])('%s', async (ref) => {
    const expected = openSync(folderOf(fixture('main'))).resolve(ref)
    expect(await git.resolveRef({ ...main, ref })).toBe(expected)
  })
})

/** A linked worktree is opened by its `.git` file. */
function placeOfAny(name: string) {
  const gitdir = name.endsWith('-linked') ? path.join(folderOf(fixture(name)), '.git') : undefined
  return { fs, gitdir: gitdir ?? gitDirectoryOf(fixture(name)) }
}

describe('Parameters', () => {
  test('name the repository, of a client in any shape', async () => {
    const { place, commit, ref } = await written()
    const oid = await commit('one', 1000, [], {})
    await ref('refs/heads/main', oid)
    const { promises } = place.fs as { promises: FsClient }
    const { readFile, readdir, stat } = place.fs as unknown as Record<string, CallableFunction>
    const shapes = [
      place.fs,
      promises,
      { readFile, readdir, stat },
      { _original_unwrapped_fs: place.fs },
    ]
    for (const fs of shapes as FsClient[]) {
      expect(await git.resolveRef({ fs, dir: '/r', ref: 'HEAD' })).toBe(oid)
      expect(await git.resolveRef({ fs, gitdir: '/r/.git', ref: 'HEAD', depth: 2 })).toBe(
        'refs/heads/main',
      )
      expect(await git.findRoot({ fs, filepath: '/r/some/file' })).toBe('/r')
    }
  })

  test('that are missing are named', async () => {
    const error = await thrownBy(() => git.readBlob({ ...main } as never))
    expect(error).toMatchObject({ code: 'MissingParameterError', data: { parameter: 'oid' } })
    expect(error.caller).toBe('git.readBlob')
    const missing = async (parameters: object) =>
      (await thrownBy(() => git.log(parameters as never))).data.parameter
    expect(await missing({})).toBe('fs')
    expect(await missing({ fs })).toBe('gitdir')
  })

  test('may name a directory of refs without objects and HEAD, but not a missing one', async () => {
    const volume = Volume.fromJSON({
      '/g/refs/heads/main': `${'1'.repeat(40)}\n`,
      '/s': 'gitdir: g',
    })
    const fs = createFsFromVolume(volume) as unknown as FsClient
    for (const gitdir of ['/g', '/g/', '/s']) {
      expect(await git.listBranches({ fs, gitdir })).toEqual(['main'])
      expect(await git.currentBranch({ fs, gitdir, test: true })).toBe(undefined)
      const error = await thrownBy(() => git.resolveRef({ fs, gitdir, ref: 'HEAD' }))
      expect(error.code).toBe('NotFoundError')
    }
    const error = await thrownBy(() => git.listBranches({ fs, gitdir: '/none' }))
    expect(error).toMatchObject({ code: 'NotFoundError', data: { what: '/none' } })
  })

  test('keep four repositories open, which notice new commits', async () => {
    const { place, commit, ref, log } = await written()
    const { promises } = place.fs as unknown as { promises: { stat(file: string): unknown } }
    let opened = 0
    const stat = (file: string) => {
      if (file === '/r/.git/objects') opened++
      return promises.stat(file)
    }
    const watched = { promises: { ...promises, stat } } as unknown as FsClient
    const first = await commit('one', 1000, [], {})
    await ref('refs/heads/main', first)
    const ask = () => git.resolveRef({ ...place, fs: watched, ref: 'main' })
    expect(await ask()).toBe(first)
    const second = await commit('two', 2000, [first], {})
    await ref('refs/heads/main', second)
    expect(await ask()).toBe(second)
    expect(await log({ fs: watched, cache: {} })).toEqual(['two', 'one'])
    expect(opened).toBe(1)
    for (const name of ['main', 'loose', 'graphs']) await git.currentBranch(placeOf(name))
    await ask()
    expect(opened).toBe(1)
    for (const name of ['main', 'loose', 'graphs', 'mixed']) await git.currentBranch(placeOf(name))
    await ask()
    expect(opened).toBe(2)
    git.closeRepositories()
    await ask()
    expect(opened).toBe(3)
  })
})

describe('Errors', () => {
  test('are instances of the classes of their names, and of isomorphic-git’s if these are given', async () => {
    const fail = () => thrownBy(() => git.readBlob({ ...main, oid: '1'.repeat(40) }))
    const error = await fail()
    expect(error).toBeInstanceOf(git.Errors.NotFoundError)
    expect(error).not.toBeInstanceOf(git.Errors.ObjectTypeError)
    expect(error).toBeInstanceOf(Error)
    expect(error).not.toBeInstanceOf(peer.Errors.NotFoundError)
    expect(JSON.parse(JSON.stringify(error))).toMatchObject({
      code: 'NotFoundError',
      caller: 'git.readBlob',
      data: { what: '1'.repeat(40) },
    })
    git.useErrors(peer.Errors)
    try {
      const both = await fail()
      expect(both).toBeInstanceOf(peer.Errors.NotFoundError)
      expect(both).toBeInstanceOf(git.Errors.NotFoundError)
      expect(both.caller).toBe('git.readBlob')
    } finally {
      git.useErrors({})
    }
  })

  test('of isomorphic-git itself are instances, too', async () => {
    const error = await thrownBy(() => peer.readBlob({ ...main, oid: '1'.repeat(40) }))
    expect(error).toBeInstanceOf(git.Errors.NotFoundError)
    expect(error).not.toBeInstanceOf(git.Errors.MergeConflictError)
  })

  test('say what was expected', async () => {
    const commit = fixture('main').head.oid as string
    const error = await thrownBy(() => git.readBlob({ ...main, oid: commit }))
    expect(error.data).toMatchObject({ oid: commit, actual: 'commit', expected: 'blob' })
    const ambiguous = await thrownBy(() => git.expandOid({ ...main, oid: 'bade' }))
    expect(ambiguous).toMatchObject({ code: 'AmbiguousError', data: { nouns: 'oids' } })
    expect(ambiguous.data.matches).toHaveLength(3)
    const deep = await thrownBy(() =>
      git.isDescendent({ ...main, oid: commit, ancestor: '1'.repeat(40), depth: 1 }),
    )
    expect(deep).toMatchObject({ code: 'MaxDepthError', data: { depth: 1 } })
  })

  test('name a symbolic ref that leads to itself', async () => {
    const { place } = await written()
    const symbolic = async (name: string, target: string) => {
      const { promises } = place.fs as unknown as { promises: typeof fs.promises }
      await promises.writeFile(`/r/.git/refs/heads/${name}`, `ref: refs/heads/${target}\n`)
    }
    await symbolic('one', 'two')
    await symbolic('two', 'one')
    const error = await thrownBy(() => git.resolveRef({ ...place, ref: 'one' }))
    expect(error).toMatchObject({ code: 'InternalError', caller: 'git.resolveRef' })
  })

  test('of a damaged history are no answer', async () => {
    const { place, commit, ref } = await written()
    const first = await commit('first', 1000, [], {})
    const missing = await commit('missing', 2000, [first], {})
    const last = await commit('last', 3000, [missing], {})
    await ref('refs/heads/main', last)
    const { promises } = place.fs as unknown as { promises: typeof fs.promises }
    await promises.unlink(`/r/.git/objects/${missing.slice(0, 2)}/${missing.slice(2)}`)
    const error = await thrownBy(() => git.isDescendent({ ...place, oid: last, ancestor: first }))
    expect(error).toMatchObject({ code: 'NotFoundError', data: { what: missing } })
    const none = { ...place, oid: last, ancestor: '1'.repeat(40) }
    expect(await git.isDescendent(none)).toBe(false)
  })

  test('of the client are thrown as they are', async () => {
    const broken = new Error('broken disk')
    const failing = { promises: { ...fs.promises, readFile: () => Promise.reject(broken) } }
    const error = await thrownBy(() => git.log({ fs: failing as never, gitdir: main.gitdir }))
    expect(error).toBe(broken)
  })
})

describe('Functions that packlens does not have', () => {
  test('say whom to ask', async () => {
    const write = await thrownBy(() => git.commit({ ...main, message: 'x' }))
    expect(write).toMatchObject({ code: 'UNSUPPORTED', caller: 'git.commit' })
    expect(write.message).toContain('`commit` of isomorphic-git')
    const walk = await thrownBy(() => git.walk({ ...main, trees: [peer.STAGE()] }))
    expect(walk.message).toContain("isomorphic-git's own `walk`")
  })

  test('are those that write, and some that read files of a worktree', async () => {
    const names = Object.keys(git).filter((name) => /^[a-z]/.test(name) && name !== 'default')
    const refused: string[] = []
    for (const name of names) {
      const call = (git as unknown as Record<string, (parameters: object) => unknown>)[name]
      const answer = Promise.resolve(call?.({}))
      const code = await answer.then(
        () => undefined,
        (error) => error.code,
      )
      if (code === 'UNSUPPORTED') refused.push(name)
    }
    expect(refused).toMatchSnapshot()
  })

  test('version() is that of packlens', () => {
    const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'))
    expect(git.version()).toBe(version)
  })
})
