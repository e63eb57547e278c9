/** Reads objects of a type: compared with git's answers to `rev^{type}`. */
import type { GitObject, ObjectType, Repository } from 'packlens'
import { open, openSync } from 'packlens'
import { describe, expect, test } from 'vitest'
import { codeOf, fixture, folderOf } from './support.ts'

const of = fixture('main')

type Method = 'readCommit' | 'readTree' | 'readBlob' | 'readTag'

const methods: Readonly<Record<ObjectType, Method>> = {
  commit: 'readCommit',
  tree: 'readTree',
  blob: 'readBlob',
  tag: 'readTag',
}

/** Revisions and types that git was asked for; a path names `path^{type}`. */
const asked = Object.entries(of.resolve).flatMap(([spec, oid]) => {
  const [, revision, type] = /^([^:]+)\^\{(commit|tree|blob|tag)\}$/.exec(spec) ?? []
  return revision ? [{ revision, type: type as ObjectType, oid }] : []
})

describe('Reading an object of a type', () => {
  test('peels a revision as git does, and returns no other type', async () => {
    using repo = await open(folderOf(of))
    using now = openSync(folderOf(of))
    expect(asked.filter(({ oid }) => oid !== null).length).toBeGreaterThan(150)
    expect(asked.filter(({ oid }) => oid === null).length).toBeGreaterThan(50)
    for (const { revision, type, oid } of asked) {
      const sync = () => now[methods[type]](revision)
      if (oid === null) {
        const plain = repo.resolve(revision).then(
          () => 'WRONG_TYPE',
          ({ code }) => code,
        )
        const codes = [await plain, 'WRONG_TYPE']
        const found = [await codeOf(sync), await codeOf(() => repo[methods[type]](revision))]
        for (const code of found) expect(codes, `${revision} as ${type}`).toContain(code)
      } else {
        const found = [sync(), (await repo[methods[type]](revision)) as GitObject]
        for (const object of found) expect([object.type, object.oid]).toEqual([type, oid])
      }
    }
  })

  test.each([true, false])('accepts paths; worker: %s', async (worker) => {
    using repo = await open(folderOf(of), { worker })
    const path = 'v1.0:src'
    expect((await repo.readTree(path)).oid).toBe(of.resolve[path])
    expect((await repo.readTree('v1.0')).oid).toBe(of.resolve['v1.0^{tree}'])
    expect((await repo.readCommit('v1.0')).parents[0]).toBe(of.resolve['v1.0^'])
    expect((await repo.readTag('v1.0')).target).toBe(of.resolve['v1.0^{}'])
    expect((await repo.readBlob('HEAD:README.md')).size).toBeGreaterThan(0)
    for (const wrong of wrongIn(repo)) expect(await codeOf(wrong)).toBe('WRONG_TYPE')
    expect(await codeOf(() => repo.readCommit('nope'))).toBe('NOT_FOUND')
  })
})

function wrongIn(repo: Repository): (() => Promise<GitObject>)[] {
  return [
    () => repo.readCommit('HEAD:README.md'),
    () => repo.readTree('HEAD:README.md'),
    () => repo.readBlob('HEAD'),
    () => repo.readTag('HEAD'),
  ]
}
