/** Refs that git packs during a question: each is in its file or in `packed-refs`. */
import type { Store, SyncRepository } from 'packlens'
import { openSync } from 'packlens'
import { describe, expect, test } from 'vitest'
import { storeOf } from './sources.ts'
import { fixture, folderOf } from './support.ts'

const main = fixture('main')

describe('Refs that are packed during a question', () => {
  const [older = '', newer = ''] = ['main~1', 'main'].map((spec) => main.resolve[spec] ?? '')

  /** A store of refs as texts, with the objects of `main`; `atEachLook` is called first. */
  function refsIn(files: Map<string, string>, atEachLook: (name: string) => void): Store {
    const store = storeOf(folderOf(main))
    const get: Store['get'] = (name) => {
      atEachLook(name)
      const text = files.get(name)
      if (text !== undefined) return new TextEncoder().encode(text)
      return name.startsWith('objects/') ? store.get(name) : null
    }
    const list: Store['list'] = (folder) => {
      atEachLook(`${folder}/`)
      if (folder.startsWith('objects')) return store.list?.(folder) ?? []
      const below = [...files.keys()].filter((name) => name.startsWith(`${folder}/`))
      const parts = below.map((name) => /^[^/]*\/?/.exec(name.slice(folder.length + 1))?.[0] ?? '')
      return [...new Set(parts)]
    }
    return { get, list }
  }

  /** Opens these refs; `ref` is packed right before read number `look` is answered. */
  function openPacking(files: Map<string, string>, ref: string, look = ref) {
    return openSync(
      refsIn(files, (name) => {
        const value = files.get(ref)
        if (name !== look || value === undefined) return
        files.delete(ref)
        const others = (files.get('packed-refs') ?? '').split('\n').filter(Boolean)
        const kept = others.filter((line) => !line.endsWith(` ${ref}`))
        const lines = [...kept, `${value.trim()} ${ref}`]
        files.set('packed-refs', lines.map((line) => `${line}\n`).join(''))
      }),
    )
  }

  const sideAndMain = () =>
    new Map([
      ['HEAD', 'ref: refs/heads/main\n'],
      ['packed-refs', `${older} refs/heads/main\n`],
      ['refs/heads/side', `${newer}\n`],
    ])

  test('are listed, even if their directory is listed after packed-refs was read', () => {
    const files = new Map([
      ['HEAD', 'ref: refs/heads/main\n'],
      ['packed-refs', `${newer} refs/heads/main\n`],
      ['refs/heads/side', `${older}\n`],
      ['refs/tags/v1', `${older}\n`],
    ])
    using repo = openPacking(files, 'refs/tags/v1', 'refs/tags/')
    const names = repo.refs.list().map(({ name }) => name)
    expect(names).toEqual(['refs/heads/main', 'refs/heads/side', 'refs/tags/v1'])
    expect(files.has('refs/tags/v1')).toBe(false)
  })

  test('have their packed value, even if packed-refs was read for another name', () => {
    const files = new Map([
      ['HEAD', 'ref: refs/heads/main\n'],
      ['packed-refs', `${older} refs/heads/main\n`],
      ['refs/heads/main', `${newer}\n`],
    ])
    using repo = openPacking(files, 'refs/heads/main')
    expect(repo.resolve('main')).toBe(newer)
    expect(files.has('refs/heads/main')).toBe(false)
  })

  test('are found by a short name, even if packed-refs was read for another candidate', () => {
    const files = sideAndMain()
    using repo = openPacking(files, 'refs/heads/side')
    expect(repo.resolve('side')).toBe(newer)
    expect(files.has('refs/heads/side')).toBe(false)
  })

  test('precede later candidates of the same short name', () => {
    const files = sideAndMain().set('refs/tags/side', `${older}\n`)
    using repo = openPacking(files, 'refs/tags/side')
    expect(repo.resolve('side')).toBe(older)
    expect(files.has('refs/tags/side')).toBe(false)
  })

  test('conflict with a name below them, also while they are packed', () => {
    const files = sideAndMain()
    using repo = openPacking(files, 'refs/heads/side')
    const name = 'refs/heads/side/new'
    const found = repo.refs.checkAvailable([name]).get(name)
    expect(found).toMatchObject({ ok: false, conflictsWith: 'refs/heads/side' })
    expect(files.has('refs/heads/side')).toBe(false)
  })

  /** Counts the reads of packed-refs in a question to an open repository. */
  function looksOf(question: (repo: SyncRepository) => unknown): number {
    let looks = 0
    const count = (name: string) => void (name === 'packed-refs' && looks++)
    using repo = openSync(refsIn(sideAndMain(), count))
    repo.resolve('HEAD')
    looks = 0
    question(repo)
    return looks
  }

  test('take one read of packed-refs in a question about a name', () => {
    expect(looksOf(({ refs }) => refs.checkAvailable(['refs/heads/two']))).toBe(1)
    expect(looksOf((repo) => repo.resolve('main'))).toBe(1)
    expect(looksOf((repo) => repo.resolve('refs/heads/main'))).toBe(1)
  })
})
