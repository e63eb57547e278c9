/** Files that git replaces or deletes between the check of a file and its read. */
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import type { Store } from 'packlens'
import { openSync } from 'packlens'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { storeOf } from './sources.ts'
import { codeOf, fixture, folderOf, gitDirectoryOf } from './support.ts'

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'packlens-'))
})
afterAll(() => {
  rmSync(folder, { recursive: true, force: true })
})

/** A fixture with one of its recorded multi-pack-indexes or commit-graphs. */
function withKind(name: string, kind: string, directory: string): string {
  const copy = mkdtempSync(path.join(folder, 'repository-'))
  cpSync(folderOf(fixture(name)), copy, { recursive: true })
  cpSync(path.join(copy, kind), path.join(copy, directory), { recursive: true })
  return copy
}

/** Makes the next reads of files with such names fail, as of deleted files. */
function rewritten(store: Store, names: RegExp, times: number): Store {
  const left = new Map<string, number>()
  return {
    ...store,
    get(name) {
      const bytes = store.get(name) as Uint8Array | null
      if (!bytes || !names.test(name)) return bytes
      const again = left.get(name) ?? times
      left.set(name, again - 1)
      return { size: bytes.byteLength, read: () => (again > 0 ? new Uint8Array() : bytes) }
    },
  }
}

describe('A ref that git rewrites', () => {
  const refs = /^(HEAD$|refs\/)/
  const of = gitDirectoryOf(fixture('loose'))

  test('is opened again', async () => {
    using plain = openSync(of)
    for (const times of [1, 2, 3]) {
      const stores = [1, 2].map(() => rewritten(storeOf(of), refs, times))
      const [repo, other] = stores.map((store) => openSync(store))
      expect(repo?.refs.list()).toEqual(plain.refs.list())
      expect(other?.resolve('HEAD')).toBe(plain.resolve('HEAD'))
    }
  })

  test('is CHANGED if that never ends', async () => {
    using repo = openSync(rewritten(storeOf(of), refs, Number.POSITIVE_INFINITY))
    expect(await codeOf(() => repo.resolve('HEAD'))).toBe('CHANGED')
    expect(await codeOf(() => repo.refs.list())).toBe('CHANGED')
  })
})

test('A loose object that git packed is read from its pack', () => {
  const { objects } = fixture('repacked')
  const [before, after] = ['0-loose', '1-packed'].map((moment) =>
    storeOf(folderOf({ path: `repacked/${moment}` })),
  ) as [Store, Store]
  const fan = /^objects\/[0-9a-f]{2}/
  let isPacked = false
  const store: Store = {
    get(name) {
      const bytes = (isPacked ? after : before).get(name) as Uint8Array | null
      if (isPacked || !bytes || !fan.test(name)) return bytes
      const read = () => {
        isPacked = true
        return new Uint8Array()
      }
      return { size: bytes.byteLength, read }
    },
    list: (name) => (isPacked ? after : before).list?.(name) ?? [],
  }
  using plain = openSync(before)
  const oids = objects.map(({ oid }) => oid).filter((oid) => plain.find(oid))
  expect(oids.length).toBeGreaterThan(3)
  for (const oid of oids) {
    isPacked = false
    using repo = openSync(store)
    expect(repo.read(oid).oid).toBe(oid)
    expect(isPacked).toBe(true)
  }
})

test('A multi-pack-index that git rewrites is opened again', () => {
  const copy = withKind('packs', 'kinds/midx-2', 'objects/pack')
  for (const times of [1, 2]) {
    using repo = openSync(rewritten(storeOf(copy), /multi-pack-index/, times))
    for (const { oid } of fixture('packs').objects) {
      expect(repo.info(oid).oid).toBe(oid)
    }
  }
})

test.each(['levels', 'dates', 'chain'])('A deleted commit-graph is ignored: %s', (kind) => {
  const graphs = /info\/(commit-graph|commit-graphs\/graph-.*)$/
  const copy = withKind('walks', `graphs/${kind}`, 'objects/info')
  using plain = openSync(copy)
  const [first] = plain.revList(['--all'])
  for (const verify of ['oid', 'none'] as const) {
    const store = rewritten(storeOf(copy), graphs, Number.POSITIVE_INFINITY)
    using repo = openSync(store, { verify })
    expect(repo.countCommits(['--all'])).toBe(plain.countCommits(['--all']))
    expect(repo.isAncestor(`${first}`, 'HEAD')).toBe(plain.isAncestor(`${first}`, 'HEAD'))
  }
})
