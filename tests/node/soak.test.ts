/**
 * A long random mix of all calls, with faults, aborts and
 * repacks in between: every answer equals git's, or is an error that a fault allows.
 *
 * SOAK_STEPS is the number of calls, SOAK_SEED their seed.
 */
import { randomInt } from 'node:crypto'
import fs, { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import os from 'node:os'
import path from 'node:path'
import type { ObjectType, Repository } from 'packlens'
import { isPacklensError, open } from 'packlens'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { numbersFrom } from './seeded-random.ts'
import { Injected, Moment, UnreliableStore } from './soak-store.js'
import type { Expected } from './support.js'
import { filesBelow, fixture, folderOf, sha256 } from './support.js'

const STEPS = Number(process.env.SOAK_STEPS ?? 3000)
const SEED =
  process.env.SOAK_SEED === 'random' ? randomInt(2 ** 31) : Number(process.env.SOAK_SEED ?? 1)
const MEMORY = 4 << 20
/** The instance's memory before a repository is opened. */
const MODULE = 2 << 20
/** The number of concurrent calls. */
const AT_ONCE = 12

const random = numbersFrom(SEED)
const below = (end: number) => Math.floor(random() * end)
const chance = (share: number) => random() < share
function pick<T>(list: readonly T[]): T {
  return list[below(list.length)] as T
}

const STATES = ['0-loose', '1-packed', '2-grown', '3-repacked', '4-last']
const repacked = fixture('repacked')
const folders = STATES.map((name) => path.join(folderOf({ path: 'repacked' }), name))

const opened = { files: 0, closed: 0 }
const realOpen = fs.openSync
const realClose = fs.closeSync
beforeAll(() => {
  fs.openSync = (...args) => {
    opened.files++
    return realOpen(...args)
  }
  fs.closeSync = (descriptor) => {
    opened.closed++
    realClose(descriptor)
  }
  syncBuiltinESMExports()
})

let temporary = ''
afterAll(() => {
  fs.openSync = realOpen
  fs.closeSync = realClose
  syncBuiltinESMExports()
  if (temporary) rmSync(temporary, { recursive: true, force: true })
})

interface Known {
  readonly oid: string
  readonly type: ObjectType
  readonly size: number
  readonly sha256: string
}

/** A repository, and the expected answers. */
interface Subject {
  readonly name: string
  readonly objects: readonly Known[]
  /** Names that resolve to the same id in every state. */
  readonly names: readonly [name: string, oid: string][]
  /** Counts injected faults; an error is allowed if the count grew meanwhile. */
  readonly injected: () => number
  /** The current state of its history. */
  readonly moment: Moment
  open(): Promise<Repository>
  /** Advances to the next state. */
  advance(): void
  repo: Repository
}

const counts = {
  answers: 0,
  aborted: 0,
  faults: 0,
  notFound: 0,
  cancelled: 0,
  moves: 0,
  reopened: 0,
}

/** Returns the states that have an object; git's list is that of the last one. */
async function objectsOfMoments(): Promise<Set<string>[]> {
  const found: Set<string>[] = []
  for (const folder of folders) {
    await using repo = await open(folder)
    const oids = new Set<string>()
    for await (const row of repo.objects({ fields: 'info' })) {
      if (row.type === 'missing' || row.type === 'failed' || row.type === 'ambiguous') continue
      oids.add(row.oid)
    }
    found.push(oids)
  }
  expect([...(found.at(-1) ?? [])].sort()).toEqual(repacked.objects.map(({ oid }) => oid).sort())
  return found
}

function namesOf(of: Expected): [string, string][] {
  return Object.entries(of.resolve).filter((entry): entry is [string, string] => entry[1] !== null)
}

/** A fixture that does not change, read through a store that sometimes fails. */
async function staying(name: string): Promise<Subject> {
  const of = fixture(name)
  const store = new UnreliableStore(folderOf(of), { random, faults: 0.002 })
  const moment = new Moment(1)
  return {
    name,
    objects: of.objects,
    names: namesOf(of),
    injected: () => store.injected,
    moment,
    open: () => reliably(store),
    advance: () => {},
    repo: await reliably(store),
  }
}

/** Opens without faults: the calls after it are tested. */
async function reliably(store: UnreliableStore): Promise<Repository> {
  store.quiet = true
  const repo = await open(store, { memory: MEMORY })
  store.quiet = false
  return repo
}

/** A repository that is repacked, read through a store. */
async function moving(faults: number): Promise<Subject> {
  const store = new UnreliableStore(folders[0] as string, { random, faults })
  const moment = new Moment(STATES.length)
  return {
    name: faults > 0 ? 'repacked, with faults' : 'repacked',
    objects: repacked.objects,
    names: [],
    injected: () => store.injected,
    moment,
    open: () => {
      store.folder = folders[moment.now] as string
      return reliably(store)
    },
    advance: () => {
      store.folder = folders[moment.now] as string
    },
    repo: await reliably(store),
  }
}

/** A folder on disk whose files change as git changes them: new ones come first. */
async function movingFolder(): Promise<Subject> {
  temporary = mkdtempSync(path.join(os.tmpdir(), 'packlens-'))
  const folder = path.join(temporary, 'repository')
  cpSync(folders[0] as string, folder, { recursive: true })
  const moment = new Moment(STATES.length)
  const advance = () => {
    const next = folders[moment.now] as string
    cpSync(next, folder, { recursive: true })
    const kept = new Set(filesBelow(next))
    for (const name of filesBelow(folder)) {
      if (!kept.has(name)) rmSync(path.join(folder, name))
    }
  }
  const openIt = () => open(folder, { memory: MEMORY })
  return {
    name: 'repacked, on disk',
    objects: repacked.objects,
    names: [],
    injected: () => 0,
    moment,
    open: openIt,
    advance,
    repo: await openIt(),
  }
}

/** A call, and the comparison of its answer with git's. */
type Question = (subject: Subject, signal: AbortSignal | undefined) => Promise<void>

const questions: readonly [weight: number, Question][] = [
  [
    6,
    async ({ repo, objects }, signal) => {
      const known = pick(objects)
      const { type, size, data } = await repo.read(known.oid, { signal })
      expect({ type, size, sha256: sha256(data) }).toEqual(answerOf(known))
    },
  ],
  [
    4,
    async ({ repo, objects }, signal) => {
      const known = pick(objects)
      const { type, size } = await repo.info(known.oid, { signal })
      expect({ type, size }).toEqual({ type: known.type, size: known.size })
    },
  ],
  [
    3,
    async ({ repo, objects }, signal) => {
      const known = pick(objects)
      const chunks: Uint8Array[] = []
      const stops = chance(0.3) ? below(4) : Number.POSITIVE_INFINITY
      const stream = repo.stream(known.oid, { chunkSize: 1 << (4 + below(12)), signal })
      const reader = stream.getReader()
      for (;;) {
        if (chunks.length >= stops) {
          await reader.cancel()
          counts.cancelled++
          return
        }
        const { done, value } = await reader.read()
        if (done) break
        chunks.push(value)
      }
      expect(sha256(Buffer.concat(chunks))).toBe(known.sha256)
    },
  ],
  [
    2,
    async ({ repo, objects }, signal) => {
      const expected = Array.from({ length: 8 }, () => pick(objects))
      const specs = expected.map(({ oid }) => oid)
      const order = chance(0.5) ? 'pack' : 'asked'
      let pieces: Uint8Array[] = []
      for (let start: { index: number; skip: number } | null = { index: 0, skip: 0 }; start; ) {
        const batch = await repo.readMany(specs, { order, signal, start, size: 1 << 18 })
        for (const row of batch) {
          if (row.type === 'failed') throw row.error
          if (row.type === 'missing' || row.type === 'ambiguous') throw new Missing()
          const known = expected.find(({ oid }) => oid === row.oid) as Known
          const { type, size } = row
          pieces.push(row.data.slice())
          if (row.more) continue
          expect({ type, size, sha256: sha256(Buffer.concat(pieces)) }).toEqual(answerOf(known))
          pieces = []
        }
        start = batch.next
      }
    },
  ],
  [
    1,
    async ({ repo, objects, moment, injected }, signal) => {
      const [from, before] = [moment.steps, injected()]
      const oids = new Set<string>()
      for await (const row of repo.objects({ fields: 'info', unordered: chance(0.5), signal })) {
        if (row.type === 'failed') throw row.error
        if (row.type === 'missing' || row.type === 'ambiguous') throw new Missing()
        oids.add(row.oid)
      }
      const all = new Set(objects.map(({ oid }) => oid))
      for (const oid of oids) expect(all.has(oid)).toBe(true)
      if (moment.steps !== from || injected() !== before) return
      expect(oids.size).toBe((momentsOf(moment)?.[moment.now] ?? all).size)
    },
  ],
  [
    2,
    async (subject, signal) => {
      const { repo, names } = subject
      if (names.length === 0) return
      const [name, oid] = pick(names)
      expect(await repo.resolve(name, { signal }), name).toBe(oid)
    },
  ],
]

const bag = questions.flatMap(([weight, question]) => Array<Question>(weight).fill(question))

/** Thrown if a row says that the object is missing. */
class Missing extends Error {}

const answerOf = ({ type, size, sha256 }: Known) => ({ type, size, sha256 })

let moments: Set<string>[] = []
const momentsOf = (moment: Moment) => (moment.count > 1 ? moments : undefined)

async function ask(subject: Subject): Promise<void> {
  const before = subject.injected()
  const controller = chance(0.15) ? new AbortController() : undefined
  if (controller) {
    const turns = below(8)
    void (async () => {
      for (let turn = 0; turn < turns; turn++) await new Promise(setImmediate)
      controller.abort()
    })()
  }
  try {
    await pick(bag)(subject, controller?.signal)
    counts.answers++
  } catch (error) {
    if (isPacklensError(error, 'ABORTED') && controller) counts.aborted++
    else if (isFault(error) && subject.injected() > before) counts.faults++
    else if (isAbsence(error) && subject.moment.count > 1) counts.notFound++
    else throw new Error(`${subject.name}: ${error}`, { cause: error })
  }
}

const isAbsence = (error: unknown) =>
  error instanceof Missing || isPacklensError(error, 'NOT_FOUND')

/** A failing store is reported unchanged; one with too few bytes is CHANGED. */
const isFault = (error: unknown) =>
  isPacklensError(error, 'CHANGED') ||
  (isPacklensError(error, 'SOURCE') && error.cause instanceof Injected)

test(`${STEPS} steps from seed ${SEED}`, { timeout: 60_000 + STEPS * 40 }, async () => {
  moments = await objectsOfMoments()
  const before = { ...opened }
  const subjects = [
    await staying('main'),
    await staying('mixed'),
    await moving(0),
    await moving(0.002),
    await movingFolder(),
  ]
  let halfway = 0
  for (let step = 0; step < STEPS; step += AT_ONCE) {
    const asked = Array.from({ length: AT_ONCE }, () => ask(pick(subjects)))
    // At most one repack, during the calls.
    if (chance(0.1)) {
      await new Promise(setImmediate)
      const subject = pick(subjects)
      if (subject.moment.next()) {
        subject.advance()
        counts.moves++
      }
    }
    await Promise.all(asked)
    if (chance(0.02)) {
      const subject = pick(subjects)
      expect(subject.repo.stats().memoryHighWater).toBeLessThanOrEqual(MEMORY)
      subject.repo.close()
      subject.moment.restart()
      if (subject.moment.count > 1) subject.advance()
      subject.repo = await subject.open()
      counts.reopened++
    }
    if (halfway === 0 && step >= STEPS / 2) {
      halfway = (subjects[0] as Subject).repo.stats().instanceMemory
    }
  }
  for (const { repo } of subjects) {
    const { memoryHighWater, instanceMemory } = repo.stats()
    expect(memoryHighWater).toBeLessThanOrEqual(MEMORY)
    // Each repository has its limit; gaps between blocks may take some more.
    expect(instanceMemory).toBeLessThanOrEqual(MODULE + subjects.length * MEMORY)
    expect(instanceMemory - halfway).toBeLessThan(MEMORY)
    repo.close()
    repo.close()
  }
  expect(opened.files - before.files).toBe(opened.closed - before.closed)
  expect(opened.files - before.files).toBeGreaterThan(10)
  // Each kind of outcome occurred, or this test checks less than it says.
  for (const [kind, count] of Object.entries(counts)) expect(count, kind).toBeGreaterThan(0)
  expect(counts.answers).toBeGreaterThan(STEPS / 2)
})
