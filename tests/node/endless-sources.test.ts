/** Every question ends, whatever the source answers. */
import { cpSync, existsSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Store, SyncRepository } from 'packlens'
import { openSync } from 'packlens'
import { afterAll, describe, expect, test } from 'vitest'
import { isPacklensError } from '../../dist/base/errors.js'
import { Needs } from '../../dist/session/needs.js'
import { storeOf } from './sources.ts'
import { codeOf, errorOf, fixture, folderOf, gitDirectoryOf } from './support.ts'

const main = fixture('main')
const temporary = mkdtempSync(path.join(tmpdir(), 'packlens-progress-'))
afterAll(() => rmSync(temporary, { recursive: true, force: true }))

/** A source is asked no more often than this. */
const MOST_GETS = 2000

const calls: [string, (repo: SyncRepository) => unknown][] = [
  ['revList', (repo) => [...repo.revList([], { all: true })]],
  ['revListObjects', (repo) => [...repo.revListObjects([], { all: true })].length],
  ['countCommits', (repo) => repo.countCommits([], { all: true })],
  ['countObjects', (repo) => repo.countObjects([], { all: true })],
  ['refs.list', (repo) => repo.refs.list().map(({ name }) => name)],
  ['refs.pointsAt', (repo) => repo.refs.pointsAt('HEAD').map(({ name }) => name)],
  ['refs.containing', (repo) => repo.refs.containing('HEAD').map(({ name }) => name)],
  ['a search of messages', (repo) => repo.resolve(':/.')],
]

/** Two names in every directory of refs that are listed but cannot be opened. */
function withDanglingNames(): Store {
  const store = storeOf(gitDirectoryOf(main))
  let gets = 0
  return {
    get(name) {
      if (++gets > MOST_GETS) throw new Error(`${name} was asked for without an end`)
      return store.get(name)
    },
    list(directory) {
      const names = [...((store.list?.(directory) ?? []) as string[])]
      return /^refs\/(heads|tags)$/.test(directory) ? [...names, 'dangling', 'gone'] : names
    },
  }
}

describe.each(calls)('%s', (_, ask) => {
  test('answers as if names that cannot be opened were missing', () => {
    using plain = openSync(gitDirectoryOf(main))
    using repo = openSync(withDanglingNames())
    expect(ask(repo)).toEqual(ask(plain))
  })
})

test('a dangling symbolic link below refs/ is not a ref, and neither is a loop of them', () => {
  const folder = path.join(temporary, 'links')
  cpSync(gitDirectoryOf(main), folder, { recursive: true })
  symlinkSync('not-there', path.join(folder, 'refs', 'heads', 'dangling'))
  symlinkSync('loop', path.join(folder, 'refs', 'heads', 'loop'))
  expect(existsSync(path.join(folder, 'refs', 'heads', 'loop'))).toBe(false)
  using plain = openSync(folderOf(main))
  using repo = openSync(folder)
  for (const [, ask] of calls) expect(ask(repo)).toEqual(ask(plain))
})

test('a file whose content changes at every read does not repeat a question for ever', async () => {
  const store = storeOf(gitDirectoryOf(main))
  let gets = 0
  const changing: Store = {
    ...withDanglingNames(),
    get(name) {
      if (++gets > 10 * MOST_GETS) throw new Error('asked for without an end')
      if (name === 'packed-refs' || name.endsWith('/dangling')) {
        const text = `# pack-refs with: peeled fully-peeled sorted \n${main.head.oid} refs/heads/n${gets}\n`
        return new TextEncoder().encode(
          name === 'packed-refs' ? text : `ref: refs/heads/n${gets}\n`,
        )
      }
      return store.get(name)
    },
  }
  using repo = openSync(changing)
  for (const [, ask] of calls) {
    const outcome = await codeOf(() => {
      ask(repo)
      throw new TypeError('an answer will do as well')
    }).catch((error: Error) => error.message)
    expect(['an answer will do as well', 'CHANGED', 'CORRUPT', 'NOT_FOUND']).toContain(outcome)
  }
  expect(gets).toBeLessThan(10 * MOST_GETS)
})

describe('The needs of a question', () => {
  /** Imports modules of the package, because its bundle for Node does not export them. */
  const code = async (ask: () => void) => (await errorOf(ask, isPacklensError as never)).code
  const needs = () => new Needs((file) => `file ${file}`)
  const file = (name: string) =>
    ({ kind: 'file', path: new TextEncoder().encode(name), near: undefined }) as const

  test('may name a path again for each new path', () => {
    const counted = needs()
    for (let at = 0; at < 5000; at++) {
      counted.count(file(`refs/heads/${at}`))
      counted.count(file('packed-refs'))
    }
  })

  test('may not repeat a few paths for ever', async () => {
    const counted = needs()
    const error = await code(() => {
      for (;;) for (const name of ['a', 'b', 'c']) counted.count(file(name))
    })
    expect(error).toBe('INTERNAL')
  })

  test('may not repeat the same bytes for ever, unless the file was replaced', async () => {
    const counted = needs()
    const bytes = (number: number) =>
      ({ kind: 'bytes', file: number, offset: 0, length: 1 }) as const
    expect([1, 2, 3].map(() => counted.count(bytes(1)))).toEqual([1, 2, 3])
    expect(counted.count(bytes(2))).toBe(1)
    expect(
      await code(() => {
        for (;;) counted.count(bytes(2))
      }),
    ).toBe('LIMIT')
    const changing = new Needs(() => 'packed-refs')
    expect(
      await code(() => {
        for (let number = 0; ; number++) changing.count(bytes(number))
      }),
    ).toBe('INTERNAL')
  })
})
