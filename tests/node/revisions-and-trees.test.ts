/** Revisions, refs and trees of every fixture, compared with git's answers. */
import type { Ref, Repository, SyncRepository } from 'packlens'
import { open, openSync } from 'packlens'
import { afterAll, describe, expect, test } from 'vitest'
import { asyncStoreOf } from './sources.ts'
import { codeOf, collect, errorOf, fixture, fixtures, folderOf, gitDirectoryOf } from './support.ts'

const compared = { specs: 0, refs: 0, trees: 0 }

afterAll(() => {
  expect(compared.specs).toBeGreaterThan(10_000)
  expect(compared.refs).toBeGreaterThan(300)
  expect(compared.trees).toBeGreaterThan(200)
})

describe.each(fixtures)('$name', (of) => {
  test('has the revisions that git resolves', async () => {
    using repo = await open(folderOf(of))
    using now = openSync(folderOf(of))
    for (const [spec, oid] of Object.entries(of.resolve)) {
      if (oid !== null) {
        expect(await repo.resolve(spec), spec).toBe(oid)
        expect(now.resolve(spec), spec).toBe(oid)
      } else {
        const error = await errorOf(() => repo.resolve(spec))
        const codes = ['NOT_FOUND', 'AMBIGUOUS', 'UNSUPPORTED', 'CORRUPT']
        expect(codes, `${spec}: ${error.message}`).toContain(error.code)
      }
      compared.specs += 1
    }
  })

  test('resolves revisions by reflog and message, and refuses those that depend on the time', async () => {
    using repo = await open(folderOf(of))
    for (const [spec, oid] of Object.entries(of.resolveMore)) {
      const answer = await repo.resolve(spec).catch(
        async (error) =>
          await codeOf(() => {
            throw error
          }),
      )
      // The time when git was asked is unknown.
      if (/day ago/.test(spec)) expect(['UNSUPPORTED', 'NOT_FOUND'], spec).toContain(answer)
      else expect(answer, spec).toBe(oid ?? 'NOT_FOUND')
    }
  })

  test('has the refs of git', async () => {
    using repo = await open(folderOf(of))
    using now = openSync(folderOf(of))
    const list = await collect(repo.refs.list({ peel: true }))
    // git lists the final targets of symbolic refs, packlens the next one.
    const targets = new Map(list.map(({ name, target }) => [name, target]))
    const end = (name: string): string => {
      const next = targets.get(name)
      return next ? end(next) : name
    }
    const expected = of.refs.map(({ name, oid, symref, peeled }) => {
      expect(symref && end(name)).toBe(symref)
      return { name, oid, target: symref && (targets.get(name) ?? null), peeled }
    })
    expect(list.map(plain)).toEqual(expected)
    expect(now.refs.list({ peel: true })).toEqual(list)
    for (const { nameBytes, name } of list) {
      expect(new TextDecoder().decode(nameBytes)).toBe(name)
    }
    for (const ref of expected) {
      expect(plain((await repo.refs.get(ref.name)) as Ref)).toEqual(ref)
      expect(plain(now.refs.get(ref.name) as Ref)).toEqual(ref)
      compared.refs += 1
    }
    const tags = expected.filter(({ name }) => name.startsWith('refs/tags/'))
    expect(now.refs.list({ prefix: 'refs/tags/', peel: true }).map(plain)).toEqual(tags)
    expect(await repo.refs.get('refs/heads/there-is-none')).toBeNull()
    expect(now.refs.get('refs/heads/there-is-none')).toBeNull()
  })

  test('has the HEAD of git', async () => {
    using repo = await open(folderOf(of))
    const head = await repo.refs.get('HEAD')
    expect({ oid: head?.oid, symref: head?.target }).toEqual(of.head)
    if (of.head.oid === null) expect(await repo.find('HEAD')).toBeNull()
    else expect((await repo.find('HEAD'))?.oid).toBe(of.head.oid)
  })

  test('has the trees of git', async () => {
    using repo = await open(folderOf(of))
    using now = openSync(folderOf(of))
    for (const [spec, { flat, recursive }] of Object.entries(of.lsTree)) {
      expect(await listing([repo, now], spec, false), spec).toBe(flat)
      compared.trees += 1
      if (recursive === undefined) continue
      expect(await listing([repo, now], spec, true), spec).toBe(recursive)
      compared.trees += 1
    }
  })

  test('has no object of an invented id', async () => {
    using repo = await open(folderOf(of))
    using now = openSync(folderOf(of))
    for (const spec of [
      '0'.repeat(of.objectFormat === 'sha1' ? 40 : 64),
      'refs/heads/nope',
      'fade',
    ]) {
      expect(await repo.find(spec)).toBeNull()
      expect(now.find(spec)).toBeNull()
      expect(await codeOf(() => repo.read(spec))).toBe('NOT_FOUND')
    }
  })
})

function plain({ name, oid, target, peeled }: Ref) {
  return { name, oid, target, peeled }
}

/** Lists a tree as `git ls-tree -z -l` does, with `-r -t` if it is recursive. */
async function listing(
  [repo, now]: [Repository, SyncRepository],
  spec: string,
  recursive: boolean,
): Promise<string> {
  const options = { recursive, sizes: true }
  const entries = await collect(repo.walk(spec, options))
  expect([...now.walk(spec, options)]).toEqual(entries)
  const parts = entries.flatMap(({ mode, type, oid, size, path, pathBytes }) => {
    expect(new TextDecoder().decode(pathBytes)).toBe(path)
    // git prints modes as it would write them today.
    const shown = type === 'blob' ? shownMode(mode) : type === 'tree' ? '040000' : '160000'
    const line = `${shown} ${type} ${oid} ${String(size ?? '-').padStart(7)}\t`
    return [Buffer.from(line), pathBytes, Buffer.from([0])]
  })
  return Buffer.concat(parts).toString('base64')
}

function shownMode(mode: number): string {
  if ((mode & 0o170000) === 0o120000) return '120000'
  return mode & 0o100 ? '100755' : '100644'
}

test('trees that are entered can be omitted', async () => {
  using repo = await open(folderOf(fixture('main')))
  const all = await collect(repo.walk('HEAD', { recursive: true }))
  const leaves = await collect(repo.walk('HEAD', { recursive: true, trees: false }))
  expect(leaves).toEqual(all.filter(({ type }) => type !== 'tree'))
  expect(leaves.length).toBeLessThan(all.length)
  expect(leaves.every(({ size }) => size === undefined)).toBe(true)
})

test.each(['mixed', 'sha256-loose'])(
  '%s has the same names from a store that returns promises',
  async (name) => {
    const of = fixture(name)
    await using repo = await open(asyncStoreOf(gitDirectoryOf(of)))
    for (const [spec, oid] of Object.entries(of.resolve)) {
      const found = await repo.resolve(spec).catch(() => null)
      expect(found, spec).toBe(oid)
    }
    const list = await collect(repo.refs.list({ peel: true }))
    expect(list.map(({ name, oid, peeled }) => ({ name, oid, peeled }))).toEqual(
      of.refs.map(({ name, oid, peeled }) => ({ name, oid, peeled })),
    )
    for (const [spec, { recursive }] of Object.entries(of.lsTree)) {
      if (recursive === undefined) continue
      const entries = await collect(repo.walk(spec, { recursive: true }))
      const expected = Buffer.from(recursive, 'base64').toString().split('\0').slice(0, -1)
      expect(entries.map(({ path }) => path)).toEqual(
        expected.map((line) => line.split('\t').slice(1).join('\t')),
      )
    }
  },
)
