/**
 * What every kind of source is asked, and what git says to that. Answers can be
 * cloned: a question may be asked in a worker and its answer judged outside.
 */
import type { BatchOptions, ObjectRow, OpenOptions, Repository } from 'packlens'
import { load, open, openSync } from 'packlens'
import { codeOf, collect } from './asking.ts'
import type { Expected } from './expected.ts'

/** Where a question is asked. */
export interface Place {
  /** Opens the repository anew. */
  readonly open: (options?: OpenOptions) => Promise<Repository>
  readonly openSync: () => Repository
}

/** When a kind takes promises: what is read to be opened may be there afterwards. */
export type Promises = 'never' | 'opening' | 'always'

/** A kind of source. */
export interface Kind {
  readonly name: string
  readonly promises: Promises
  /** Returns what a fixture is when it comes from this kind; null if it cannot. */
  readonly of: (fixture: Expected) => Expected | null
  /** Asks a question about a fixture. */
  readonly ask: (question: Question, of: Expected) => Promise<unknown>
}

type Source = Parameters<typeof open>[0]

/** Where questions are asked about a source, which is made anew for each opening. */
export async function placeOf(
  make: () => Source | Promise<Source>,
  always: OpenOptions = {},
): Promise<Place> {
  await load()
  const ready = await make()
  return {
    open: async (options) => open(await make(), { ...always, ...options }),
    openSync: () => openSync(ready, always),
  }
}

/** A kind of source that is opened and asked right here. */
export function kind(
  name: string,
  promises: Promises,
  of: Kind['of'],
  make: (of: Expected) => Source | Promise<Source>,
  options?: OpenOptions,
): Kind {
  const ask: Kind['ask'] = async (question, of) =>
    question.ask(await placeOf(() => make(of), options), of)
  return { name, promises, of, ask }
}

export interface Question {
  readonly name: string
  readonly ask: (place: Place, of: Expected) => Promise<unknown>
  readonly wanted: (of: Expected, kind: Kind) => unknown
}

const contents: Question['wanted'] = ({ objects }) =>
  objects.map(({ oid, type, size, sha256 }) => ({ oid, type, size, sha256, length: size }))

async function readAll(repo: Repository, of: Expected) {
  const found = []
  for (const { oid } of of.objects) found.push(await described(repo, oid))
  return found
}

async function described(repo: Repository, spec: string) {
  const { oid, type, size, data } = await repo.read(spec)
  return { oid, type, size, sha256: await sha256(data), length: data.byteLength }
}

async function sha256(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

const content: Question = {
  name: 'every object, with its content',
  async ask({ open }, of) {
    await using repo = await open()
    return await readAll(repo, of)
  },
  wanted: contents,
}

const withoutPromises: Question = {
  name: 'every object without promises, or that it needs them',
  async ask({ openSync }, of) {
    const read = () => {
      using repo = openSync()
      return of.objects.map(({ oid }) => repo.readSync(oid))
    }
    try {
      const found = read().map(async ({ oid, type, size, data }) => {
        return { oid, type, size, sha256: await sha256(data), length: data.byteLength }
      })
      return await Promise.all(found)
    } catch (error) {
      return codeOf(() => Promise.reject(error))
    }
  },
  wanted: (of, kind) => (kind.promises === 'never' ? contents(of, kind) : 'BAD_INPUT'),
}

const littleMemory: Question = {
  name: 'every object, in little memory and at the same time',
  async ask({ open }, of) {
    await using repo = await open({ memory: 2 << 20 })
    const found = await Promise.all(of.objects.map(({ oid }) => described(repo, oid)))
    return { found, within: repo.stats().memoryHighWater <= 2 << 20 }
  },
  wanted: (of, kind) => ({ found: contents(of, kind), within: true }),
}

const info: Question = {
  name: 'how every object is stored',
  async ask({ open }, of) {
    await using repo = await open()
    const found = []
    for (const { oid, disk, deltabase } of of.objects) {
      const { type, size, diskSize, deltaBase } = await repo.info(oid)
      const base = deltaBase ?? '0'.repeat(oid.length)
      found.push({
        type,
        size,
        disk: disk === null ? null : diskSize,
        base: deltabase === null ? null : base,
      })
    }
    return found
  },
  wanted: ({ objects }) =>
    objects.map(({ type, size, disk, deltabase }) => ({ type, size, disk, base: deltabase })),
}

const batches: Question = {
  name: 'every object, in batches',
  async ask({ open }, of) {
    await using repo = await open()
    const specs = [...of.objects.map(({ oid }) => oid), 'no such thing']
    const pieces = specs.map((): Uint8Array[] => [])
    const types: string[] = []
    for (let start: BatchOptions['start'] | null; start !== null; ) {
      const batch = await repo.readMany(specs, { start, size: 50_000 })
      for (const row of batch) {
        types[row.index] = row.type
        if ('data' in row) pieces[row.index]?.push(row.data)
      }
      start = batch.next
    }
    const sums = pieces.map((list) => sha256(joined(list)))
    return { types, sums: (await Promise.all(sums)).slice(0, -1) }
  },
  wanted: ({ objects }) => ({
    types: [...objects.map(({ type }) => type), 'missing'],
    sums: objects.map((object) => object.sha256),
  }),
}

const listing: Question = {
  name: 'the list of all objects',
  async ask({ open }) {
    await using repo = await open()
    const ids = (rows: { type: string }[]) => rows.map((row) => (row as ObjectRow).oid)
    const sorted = ids(await collect(repo.objects({ fields: 'info' })))
    const stored = ids(await collect(repo.objects({ fields: 'info', unordered: true })))
    return [sorted, stored.sort()]
  },
  wanted({ objects }) {
    const ids = objects.map(({ oid }) => oid)
    return [ids, ids]
  },
}

const revisions: Question = {
  name: 'what revisions stand for',
  async ask({ open }, of) {
    await using repo = await open()
    const resolve = (spec: string) =>
      repo.resolve(spec).catch((error) => codeOf(() => Promise.reject(error)).then(() => null))
    const specs = Object.keys(of.resolve)
    // A name takes several looks into folders: at the same time they wait together.
    const found = await Promise.all(specs.map(resolve))
    return Object.fromEntries(specs.map((spec, at) => [spec, found[at]]))
  },
  wanted: ({ resolve }) => resolve,
}

const refs: Question = {
  name: 'its refs',
  async ask({ open }, of) {
    await using repo = await open()
    const list = await collect(repo.refs.list({ peel: true }))
    const tags = await collect(repo.refs.list({ prefix: 'refs/tags/' }))
    const head = await repo.refs.get('HEAD')
    const each = of.refs.map(async ({ name }) => (await repo.refs.get(name))?.oid)
    return {
      list: list.map(({ name, oid, peeled }) => ({ name, oid, peeled })),
      tags: tags.map(({ name }) => name),
      head: { symref: head?.target ?? null, oid: head?.oid ?? null },
      each: await Promise.all(each),
    }
  },
  wanted: ({ refs, head }) => ({
    list: refs.map(({ name, oid, peeled }) => ({ name, oid, peeled })),
    tags: refs.map(({ name }) => name).filter((name) => name.startsWith('refs/tags/')),
    head,
    each: refs.map(({ oid }) => oid),
  }),
}

const trees: Question = {
  name: 'its trees',
  async ask({ open }, of) {
    await using repo = await open()
    const lists: Record<string, string[]> = {}
    for (const [spec, { recursive }] of Object.entries(of.lsTree)) {
      if (recursive === undefined) continue
      const entries = await collect(repo.walk(spec, { recursive: true, sizes: true }))
      lists[spec] = entries.map(
        ({ type, oid, size, path }) => `${type} ${oid} ${size ?? '-'}\t${path}`,
      )
    }
    return lists
  },
  wanted({ lsTree }) {
    const lists = Object.entries(lsTree).flatMap(([spec, { recursive }]) =>
      recursive === undefined ? [] : [[spec, linesOf(recursive)]],
    )
    return Object.fromEntries(lists)
  },
}

/** What `git ls-tree -z -l` printed, without the modes. */
function linesOf(base64: string): string[] {
  const bytes = Uint8Array.from(atob(base64), (char) => char.charCodeAt(0))
  const lines = new TextDecoder().decode(bytes).split('\0').slice(0, -1)
  return lines.map((line) => line.replace(/^\d+ (\w+ \w+) +/, '$1 '))
}

const streams: Question = {
  name: 'streams, whole and in ranges',
  async ask({ open }, of) {
    await using repo = await open()
    const found = []
    for (const { oid, size } of largest(of)) {
      const middle = size >> 1
      const chunks = async (range?: { start?: number; end?: number }) =>
        collect(repo.stream(oid, { chunkSize: 1000, range }))
      const whole = await chunks()
      const halves = [...(await chunks({ end: middle })), ...(await chunks({ start: middle }))]
      found.push({
        longest: Math.max(0, ...whole.map(({ length }) => length)),
        whole: await sha256(joined(whole)),
        halves: await sha256(joined(halves)),
      })
    }
    return found
  },
  wanted: (of) =>
    largest(of).map(({ size, sha256 }) => ({
      longest: Math.min(size, 1000),
      whole: sha256,
      halves: sha256,
    })),
}

function largest({ objects }: Expected) {
  return [...objects].sort((a, b) => b.size - a.size).slice(0, 12)
}

function joined(list: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(list.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const bytes of list) {
    all.set(bytes, at)
    at += bytes.length
  }
  return all
}

const absent: Question = {
  name: 'that there is no such object',
  async ask({ open }, of) {
    await using repo = await open()
    const answers = []
    for (const spec of ['0'.repeat(of.objectFormat === 'sha1' ? 40 : 64), 'refs/heads/nope', 'x']) {
      answers.push(
        await codeOf(() => repo.read(spec)),
        await codeOf(() => repo.info(spec)),
        await codeOf(() => repo.resolve(`${spec}^{tree}`)),
        await codeOf(() => collect(repo.stream(spec))),
        await repo.find(spec),
        await repo.refs.get(spec),
      )
    }
    return answers
  },
  wanted() {
    const codes = Array.from({ length: 4 }, () => 'NOT_FOUND')
    return [1, 2, 3].flatMap(() => [...codes, null, null])
  },
}

type Call = (repo: Repository, oid: string, signal: AbortSignal) => Promise<unknown>

const calls: readonly Call[] = [
  (repo, oid, signal) => repo.read(oid, { signal }),
  (repo, oid, signal) => repo.find(oid, { signal }),
  (repo, oid, signal) => repo.info(oid, { signal }),
  (repo, oid, signal) => repo.resolve(oid, { signal }),
  (repo, oid, signal) => repo.readMany([oid], { signal }),
  (repo, _, signal) => collect(repo.objects({ signal })),
  (repo, oid, signal) => collect(repo.walk(oid, { signal })),
  (repo, oid, signal) => collect(repo.stream(oid, { signal })),
  (repo, _, signal) => collect(repo.refs.list({ signal })),
  (repo, _, signal) => repo.refs.get('HEAD', { signal }),
]

const aborted: Question = {
  name: 'nothing, if the signal was aborted',
  async ask({ open }, of) {
    const signal = AbortSignal.abort()
    const opening = await codeOf(() => open({ signal }))
    await using repo = await open()
    const codes = []
    for (const call of calls) codes.push(await codeOf(() => call(repo, oidIn(of), signal)))
    return [opening, ...codes, (await described(repo, oidIn(of))).sha256]
  },
  wanted: (of) => [...[0, ...calls].map(() => 'ABORTED'), sha256In(of)],
}

const abortedLater: Question = {
  name: 'something else, after the signal was aborted meanwhile',
  async ask({ open }, of) {
    await using repo = await open()
    const controller = new AbortController()
    const answer = outcome(repo.read(oidIn(of), { signal: controller.signal }))
    controller.abort()
    return [await answer, (await described(repo, oidIn(of))).sha256]
  },
  wanted: (of, { promises }) => [promises === 'always' ? 'ABORTED' : 'read', sha256In(of)],
}

const closed: Question = {
  name: 'nothing, once it was closed',
  async ask({ open }, of) {
    const repo = await open()
    const answer = outcome(repo.read(oidIn(of)))
    repo.close()
    repo.close()
    const { signal } = new AbortController()
    const codes = []
    for (const call of calls) codes.push(await codeOf(() => call(repo, oidIn(of), signal)))
    await using again = await open()
    return [await answer, ...codes, (await described(again, oidIn(of))).sha256]
  },
  wanted: (of, { promises }) => [
    promises === 'always' ? 'CLOSED' : 'read',
    ...calls.map(() => 'CLOSED'),
    sha256In(of),
  ],
}

function oidIn({ objects }: Expected): string {
  return objects[0]?.oid ?? ''
}

function sha256In({ objects }: Expected): string {
  return objects[0]?.sha256 ?? ''
}

function outcome(answer: Promise<unknown>): Promise<string> {
  return answer.then(
    () => 'read',
    (error) => codeOf(() => Promise.reject(error)),
  )
}

/** Many packs, loose objects, worktrees, both hashes, nothing at all. */
const chosen = [
  'mixed',
  'loose',
  'sha256',
  'sha256-loose',
  'main',
  'hostile',
  'worktree',
  'worktree-linked',
  'worktree-separate',
  'unborn',
  'empty',
]

/** Questions, and the fixtures that they are asked about. */
const rounds: readonly (readonly [readonly Question[], (of: Expected) => boolean])[] = [
  [[content, littleMemory, info], () => true],
  [[batches, revisions, refs, trees, streams, absent], ({ name }) => chosen.includes(name)],
  // A list looks into 256 folders.
  [[listing], ({ name }) => ['mixed', 'loose', 'sha256', 'worktree-linked'].includes(name)],
  [[withoutPromises, aborted, abortedLater, closed], ({ objects }) => objects.length > 0],
]

export const questions: readonly Question[] = rounds.flatMap(([list]) => list)

/** What a kind is asked about which fixtures. */
export function roundsOf(kind: Kind, fixtures: readonly Expected[]): [Question, Expected[]][] {
  return rounds.flatMap(([list, isAbout]) => {
    const about = fixtures.filter(isAbout).flatMap((of) => kind.of(of) ?? [])
    return list.map((question): [Question, Expected[]] => [question, about.map(thinned)])
  })
}

/** With every fifth revision: kinds of sources do not differ in the others. */
function thinned(of: Expected): Expected {
  const some = Object.entries(of.resolve).filter((_, at) => at % 5 === 0)
  return { ...of, resolve: Object.fromEntries(some) }
}
