/** Objects as plain data, and the names of modes. */
import path from 'node:path'
import { inspect } from 'node:util'
import type { CommitObject, TagObject } from 'packlens'
import { openSync } from 'packlens'
import { describe, expect, test } from 'vitest'
import { looseObjects } from './sources.ts'
import { fixture, fixtures, folderOf, root } from './support.ts'

const main = fixture('main')

/** Property names whose values are bytes, which plain data must not have. */
const BYTES = /"0":|Uint8Array|Buffer/

describe('Plain data', () => {
  const repo = openSync(folderOf(main))

  test('of a commit are its fields, with dates as seconds and minutes', () => {
    const commit = repo.readCommit('HEAD')
    const { oid, size, tree, parents, encoding, gpgsig, message } = commit
    const person = ({ name, email, seconds, offset }: CommitObject['author']) => {
      return { name, email, seconds, offset }
    }
    const [author, committer] = [person(commit.author), person(commit.committer)]
    expect(JSON.parse(JSON.stringify(commit))).toEqual({
      ...{ type: 'commit', oid, size, tree, parents, author, committer },
      ...{ encoding, gpgsig, message },
    })
    expect(Number.isInteger(author.seconds)).toBe(true)
  })

  test('of a tree are its entries, and of a walk the listed entries', () => {
    const { oid, size, entries } = repo.readTree('HEAD')
    const plain = entries.map(({ mode, type, oid, name }) => ({ mode, type, oid, name }))
    expect(JSON.parse(JSON.stringify(repo.readTree('HEAD')))).toEqual({
      ...{ type: 'tree', oid, size, entries: plain },
    })
    const walked = [...repo.walk('HEAD', { sizes: true })]
    expect(JSON.parse(JSON.stringify(walked))).toEqual(
      walked.map(({ mode, type, oid, path, size }) => ({
        ...{ mode, type, oid, path },
        ...(size !== undefined && { size }),
      })),
    )
  })

  test('of a tag are its fields, also without a tagger', () => {
    const tag = repo.readTag('v1.0')
    const { oid, size, target, targetType, name, message, tagger } = tag
    expect(JSON.parse(JSON.stringify(tag))).toEqual({
      ...{ type: 'tag', oid, size, target, targetType, name, message },
      tagger: tagger && JSON.parse(JSON.stringify(tagger)),
    })
    const old = `object ${main.head.oid}\ntype commit\ntag old\n\nNo tagger.\n`
    const { store, oids } = looseObjects([['tag', old]])
    using loose = openSync(store)
    expect((loose.read(oids[0] as string) as TagObject).toJSON().tagger).toBeNull()
  })

  test('of a blob are its size, without its content', () => {
    const { oid, size } = repo.readBlob('HEAD:README.md')
    expect(JSON.stringify(repo.readBlob('HEAD:README.md'))).toBe(
      `{"type":"blob","oid":"${oid}","size":${size}}`,
    )
  })

  test('of every object have no bytes, nor has its console output', () => {
    for (const row of repo.objects()) {
      if (!('object' in row)) throw new Error(row.type)
      for (const it of [row, row.object()]) {
        expect(JSON.stringify(it)).not.toMatch(BYTES)
        expect(inspect(it)).not.toMatch(BYTES)
        expect(inspect(it)).toContain(row.oid)
      }
    }
  })

  test('of refs and their changes are their fields without bytes', () => {
    const refs = [...repo.refs.list({ peel: true })]
    expect(JSON.parse(JSON.stringify(refs))).toEqual(
      refs.map(({ name, oid, target, peeled }) => ({ name, oid, target, peeled })),
    )
    using logged = openSync(path.join(root, 'target', 'fixtures', 'refs'))
    const changes = [...logged.refs.log('HEAD')]
    expect(changes.length).toBeGreaterThan(0)
    expect(JSON.parse(JSON.stringify(changes))).toEqual(
      changes.map(({ oldOid, newOid, message, committer }) => {
        return { oldOid, newOid, message, committer: committer.toJSON() }
      }),
    )
    for (const it of [...refs, ...changes]) {
      expect(JSON.stringify(it)).not.toMatch(BYTES)
      expect(inspect(it)).toBe(inspect(it.toJSON()))
    }
  })

  test('are shown by a console', () => {
    const commit = repo.readCommit('HEAD')
    expect(inspect(commit)).toBe(inspect(commit.toJSON()))
    expect(inspect(commit.author)).toBe(inspect(commit.author.toJSON()))
    const [entry] = repo.readTree('HEAD').entries
    expect(inspect(entry)).toBe(inspect(entry?.toJSON()))
  })

  test('of a damaged object throw, and a console shows the error', () => {
    const { store, oids } = looseObjects([
      ['commit', 'author A <a@b> 1 +0000\n\nno tree\n'],
      ['tree', '100644 cut'],
    ])
    using repo = openSync(store)
    for (const oid of oids) {
      const object = repo.read(oid)
      expect(() => JSON.stringify(object)).toThrow(expect.objectContaining({ code: 'CORRUPT' }))
      expect(inspect(object)).toContain('CORRUPT')
      expect(inspect(object)).toContain(oid)
    }
  })
})

test('Modes have the names of git’s types', () => {
  const seen = new Set<string>()
  for (const of of fixtures) {
    using repo = openSync(folderOf(of))
    for (const [spec, { flat }] of Object.entries(of.lsTree)) {
      const lines = Buffer.from(flat, 'base64').toString('latin1').split('\0').slice(0, -1)
      for (const entries of [repo.readTree(spec).entries, [...repo.walk(spec)]]) {
        expect(entries.length).toBe(lines.length)
        for (const [at, line] of lines.entries()) {
          const entry = entries[at]
          const mode = line.slice(0, 6)
          seen.add(mode)
          const { isTree, isBlob, isSubmodule, isSymlink, isExecutable } = entry ?? {}
          expect({ isTree, isBlob, isSubmodule, isSymlink, isExecutable }, line).toEqual({
            isTree: mode === '040000',
            isBlob: mode.startsWith('10') || mode === '120000',
            isSubmodule: mode === '160000',
            isSymlink: mode === '120000',
            isExecutable: mode === '100755',
          })
        }
      }
    }
  }
  expect([...seen].sort()).toEqual(['040000', '100644', '100755', '120000', '160000'])
})

test('The content of a blob as text is UTF-8, whatever its bytes', () => {
  const cases: [content: Uint8Array, text: string][] = [
    [Buffer.from('plain, süß, 😀\n'), 'plain, süß, 😀\n'],
    [Buffer.from([0xef, 0xbb, 0xbf, 0x61]), 'a'],
    [Buffer.from([0x61, 0xff, 0xc3, 0x62]), 'a\ufffd\ufffdb'],
    [Buffer.from([]), ''],
  ]
  const { store, oids } = looseObjects(cases.map(([content]) => ['blob', content]))
  using repo = openSync(store)
  expect(oids.map((oid) => repo.readBlob(oid).text())).toEqual(cases.map(([, text]) => text))
})
