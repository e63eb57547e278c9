/**
 * Reftables that git compacts while the repository is open: recorded states of git 2.55
 * replace each other during the reads.
 */
import fs, { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import type { Ref, Repository, Store } from 'packlens'
import { open, openSync } from 'packlens'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { asyncStoreOf, storeOf } from './sources.ts'
import { codeOf, collect, filesBelow, root } from './support.ts'

const states = ['0-several', '1-compacted', '2-grown', '3-again', '4-own']
const fixture = path.join(root, 'target', 'fixtures', 'reftable-live')
const MAIN = 'refs/heads/main'

/** The answers of git for a state. */
const said = states.map((state) => {
  const lines = (file: string) =>
    readFileSync(path.join(fixture, state, file), 'utf8')
      .split('\n')
      .filter(Boolean)
  const refs = new Map(lines('refs.txt').map((line) => line.split(' ') as [string, string]))
  return { refs, log: lines('log.txt') }
})

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'packlens-'))
})
afterAll(() => {
  rmSync(folder, { recursive: true, force: true })
})

/** Makes a folder equal to a state of the repository; as in git, new files come first. */
function become(copy: string, state: number): void {
  const from = path.join(fixture, states[state] as string)
  cpSync(from, copy, { recursive: true })
  const kept = new Set(filesBelow(from))
  for (const name of filesBelow(copy)) if (!kept.has(name)) rmSync(path.join(copy, name))
}

const lines = (refs: Iterable<Ref>) => Array.from(refs, ({ name, oid }) => [name, oid])

/** Questions, each with the right answer in a state. */
const questions: [
  name: string,
  ask: (repo: Repository) => Promise<unknown>,
  right: (state: number) => unknown,
][] = [
  [
    'a list',
    async (repo) => lines(await collect(repo.refs.list())),
    (at) => [...(said[at]?.refs ?? [])],
  ],
  ['a ref', async (repo) => (await repo.refs.get(MAIN))?.oid, (at) => said[at]?.refs.get(MAIN)],
  [
    'a log',
    async (repo) => (await collect(repo.refs.log(MAIN))).map(({ newOid }) => newOid),
    (at) => said[at]?.log,
  ],
  [
    'refs that point at an object',
    async (repo) => lines(await collect(repo.refs.pointsAt(said[4]?.refs.get(MAIN) as string))),
    (at) => [...(said[at]?.refs ?? [])].filter(([, oid]) => oid === said[4]?.refs.get(MAIN)),
  ],
  [
    'names that can be created',
    async (repo) => {
      const names = [11, 12, 70, 80].map((number) => `refs/changes/${number}/head/x`)
      return Array.from((await repo.refs.checkAvailable(names)).values(), ({ ok }) => ok)
    },
    (at) => [11, 12, 70, 80].map((number) => !said[at]?.refs.has(`refs/changes/${number}/head`)),
  ],
]

const ways: [string, (copy: string) => Promise<Repository>][] = [
  ['a path', (copy) => open(copy)],
  ['a store that answers at once', (copy) => open(storeOf(copy))],
  ['a store that promises', (copy) => open(asyncStoreOf(copy))],
  ['promises of fs', (copy) => open({ fs: { promises: fs.promises }, gitdir: copy })],
  ['a worker', (copy) => open(copy, { worker: true })],
]

test.each(ways)('Refs from %s are the current ones', async (way, openIt) => {
  const copy = mkdtempSync(path.join(folder, 'repository-'))
  become(copy, 0)
  using repo = await openIt(copy)
  const opened: number[] = []
  for (const at of states.keys()) {
    become(copy, at)
    // Twice: known state must not change the answer.
    for (const [name, ask, right] of [...questions, ...questions]) {
      expect(await ask(repo), `${name} in ${at}`).toEqual(right(at))
    }
    opened.push(repo.stats().tablesOpened)
  }
  // Each table is opened once, however often it is used: those of this state that earlier ones lack.
  if (way !== 'a store that promises') expect(opened).toEqual([11, 12, 17, 18, 20])
})

test.each(ways)('A list from %s resumes after its tables were deleted', async (_, openIt) => {
  const copy = mkdtempSync(path.join(folder, 'repository-'))
  for (const at of [0, 1, 2, 3]) {
    become(copy, at)
    using repo = await openIt(copy)
    const listed: Ref[] = []
    for await (const ref of repo.refs.list()) {
      if (listed.length === 5) become(copy, at + 1)
      listed.push(ref)
    }
    expectMixed(lines(listed), at)
  }
})

/** Refs in order, each as before or after; refs of both states are listed. */
function expectMixed(listed: (string | null)[][], at: number): void {
  const [before, after] = [said[at]?.refs, said[at + 1]?.refs] as [
    Map<string, string>,
    (typeof said)[0]['refs'],
  ]
  const names = listed.map(([name]) => name as string)
  expect(names).toEqual([...new Set(names)].sort())
  for (const [name, oid] of listed) {
    expect([before.get(name as string), after.get(name as string)]).toContain(oid)
  }
  const lasting = [...before.keys()].filter((name) => after.has(name))
  expect(names).toEqual(expect.arrayContaining(lasting))
}

/** A store in which git writes before read number `at`. */
class Changing {
  looks = 0
  readonly #files: Map<string, Uint8Array>[]
  readonly #from: number
  readonly #moment: number

  constructor(from: number, moment: number) {
    this.#from = from
    this.#moment = moment
    this.#files = [from, from + 1].map((at) => filesOf(at))
  }

  look(): Map<string, Uint8Array> {
    const files = this.#files[this.looks++ < this.#moment ? 0 : 1]
    return files as Map<string, Uint8Array>
  }

  get changed(): boolean {
    return this.looks > this.#moment
  }

  get from(): number {
    return this.#from
  }

  store(): Store {
    return {
      get: async (name) => {
        const bytes = this.look().get(name)
        if (!bytes) return null
        const read = async (offset: number, length: number) => {
          // A deleted file has no bytes.
          const now = this.look().get(name)
          const same = now && Buffer.from(now).equals(bytes)
          return same ? bytes.slice(offset, offset + length) : new Uint8Array()
        }
        return { size: bytes.byteLength, read }
      },
      list: async (directory) => {
        const inside = [...this.look().keys()].filter((name) => name.startsWith(`${directory}/`))
        return inside
          .map((name) => name.slice(directory.length + 1))
          .filter((name) => !name.includes('/'))
      },
    }
  }
}

const kept = new Map<number, Map<string, Uint8Array>>()

function filesOf(at: number): Map<string, Uint8Array> {
  const from = path.join(fixture, states[at] as string)
  const files =
    kept.get(at) ??
    new Map(
      filesBelow(from).map((name) => [name, new Uint8Array(readFileSync(path.join(from, name)))]),
    )
  kept.set(at, files)
  return files
}

test.each(questions)('%s is right whenever git compacts', async (name, ask, right) => {
  for (const from of [0, 1, 2, 3]) {
    const opened = new Changing(from, Number.POSITIVE_INFINITY)
    ;(await open(opened.store())).close()
    for (let moment = opened.looks; ; moment++) {
      const changing = new Changing(from, moment)
      using repo = await open(changing.store())
      const answer = await ask(repo)
      if (!changing.changed) break
      if (name === 'a list') expectMixed(answer as string[][], from)
      else expect([right(from), right(from + 1)]).toContainEqual(answer)
      // Later answers are those of the new state.
      expect(await ask(repo)).toEqual(right(from + 1))
    }
  }
})

test('If the list of tables is replaced during every read, it is read again', async () => {
  const files = filesOf(0)
  let replaced = 0
  const store: Store = {
    get: (name) => {
      const bytes = files.get(name)
      if (!bytes) return null
      const read = (offset: number, length: number) => {
        const isGone = name === 'reftable/tables.list' && replaced-- > 0
        return isGone ? new Uint8Array() : bytes.slice(offset, offset + length)
      }
      return { size: bytes.byteLength, read }
    },
    list: () => [],
  }
  using repo = openSync(store)
  for (let times = 0; times < 6; times++) {
    replaced = 2
    expect(repo.refs.get(MAIN)?.oid).toBe(said[0]?.refs.get(MAIN))
    expect(replaced).toBeLessThan(1)
  }
  replaced = 10
  expect(await codeOf(() => repo.refs.get(MAIN))).toBe('CHANGED')
})
