/** Faults of servers: every answer is right, or an error that names the fault. */
import type { ErrorCode, Repository } from 'packlens'
import { isPacklensError, open } from 'packlens'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Scenario } from './servers/faults.ts'
import { FaultyServer } from './servers/faulty.ts'
import { Random } from './servers/random.ts'
import { scenariosOf } from './servers/scenarios.ts'
import { LARGE, makeScene, REFS, refName } from './servers/scene.ts'

/** Run more seeds by `FAULT_SEEDS=200 npx vitest run --project node url-faults`. */
const SEEDS = Array.from({ length: Number(process.env.FAULT_SEEDS ?? 3) }, (_, at) => at + 1)
const QUESTIONS = 12

const scene = makeScene(1)
const other = makeScene(2)
let server: FaultyServer

beforeAll(async () => {
  server = await FaultyServer.start()
})

afterAll(() => server?.stop())

test('The two versions differ only in their bytes', () => {
  const sizes = (files: typeof scene.files) =>
    Array.from(files, ([path, { bytes }]) => [path, bytes.length])
  expect(sizes(other.files)).toEqual(sizes(scene.files))
  expect(other.oids).not.toEqual(scene.oids)
})

/** The results of a run. */
interface Outcome {
  right: number
  readonly codes: Set<ErrorCode>
  readonly statuses: Set<number | undefined>
  readonly wrong: string[]
  /** The versions of the pack that right answers came from. */
  readonly versions: Set<'one' | 'other'>
}

const scenarios = scenariosOf(scene)

test('The scenarios are as many as documented, each with a name of its own', () => {
  expect(scenarios.length).toBeGreaterThanOrEqual(40)
  expect(new Set(scenarios.map(({ name }) => name)).size).toBe(scenarios.length)
})

describe.each(scenarios.map((its) => [its.name, its] as const))('%s', (_, its) => {
  const codes = new Set<ErrorCode>()
  let faults = 0

  test.each(SEEDS)('seed %i', async (seed) => {
    const outcome = await run(its, seed)
    faults += server.faults
    for (const code of outcome.codes) codes.add(code)
    expect(outcome.wrong).toEqual([])
    expect([...outcome.codes].filter((code) => !its.codes.includes(code))).toEqual([])
    if (its.codes.length === 0) expect(outcome.right).toBe(QUESTIONS)
    else if (its.must !== false) expect(outcome.codes.size).toBeGreaterThan(0)
    if (its.status) expect([...outcome.statuses]).toEqual([its.status])
    expect(outcome.versions.size).toBeLessThanOrEqual(1)
    checkRequests(its)
  })

  test('occurred', () => {
    expect(faults).toBeGreaterThan(0)
    expect(codes.size > 0).toBe(its.codes.length > 0)
  })
})

/** Opens the repository, makes some concurrent calls, and checks the answers. */
async function run(its: Scenario, seed: number): Promise<Outcome> {
  const random = new Random(seed)
  server.reset(scene.files)
  server.fault = its.fault({ random, other })
  const outcome: Outcome = {
    right: 0,
    codes: new Set(),
    statuses: new Set(),
    wrong: [],
    versions: new Set(),
  }
  const options = { memory: 4 << 20, http: { pause: 1 }, ...its.options }
  const repo = await judged(outcome, () => open(`${server.url}/repo.git`, options))
  if (!repo) return outcome
  for (let left = QUESTIONS; left > 0; ) {
    const together = Math.min(left, 1 + random.below(4))
    left -= together
    const asked = Array.from({ length: together }, (_, at) => {
      const first = left + at === QUESTIONS - together
      const question = first ? askMissing : random.of([askRef, askBlob, askBlob, askBlob])
      return judged(outcome, () => question(repo, random, outcome))
    })
    await Promise.all(asked)
  }
  server.fault = () => {}
  // After a temporary fault everything works again.
  const isPassing = its.codes.length > 0 && its.codes.every((code) => code === 'NETWORK')
  if (isPassing) await answered(() => askBlob(repo, random, outcome))
  repo.close()
  return outcome
}

/** Asks until there is an answer: on a busy machine even a good server may miss a short timeout. */
async function answered(ask: () => Promise<void>): Promise<void> {
  for (let tries = 0; ; tries++) {
    try {
      return await ask()
    } catch (error) {
      if (tries === 50 || !isPacklensError(error) || error.code !== 'NETWORK') throw error
    }
  }
}

async function judged<T>(outcome: Outcome, ask: () => Promise<T>): Promise<T | undefined> {
  try {
    return await ask()
  } catch (error) {
    if (isPacklensError(error)) {
      outcome.codes.add(error.code)
      outcome.statuses.add(error.status)
    } else {
      outcome.wrong.push(`no error of packlens: ${error}`)
    }
    return undefined
  }
}

async function askRef(repo: Repository, random: Random, outcome: Outcome): Promise<void> {
  const at = random.below(REFS)
  const ref = await repo.refs.get(refName(at))
  if (ref === null) outcome.codes.add('NOT_FOUND')
  else if (ref.oid === scene.oids[at % scene.oids.length]) outcome.right++
  else outcome.wrong.push(`${refName(at)} is ${ref.oid}`)
}

async function askMissing(repo: Repository, _: Random, outcome: Outcome): Promise<void> {
  const found = await repo.find('f'.repeat(40))
  if (found === null) outcome.right++
  else outcome.wrong.push(`there is ${found.oid}`)
}

async function askBlob(repo: Repository, random: Random, outcome: Outcome): Promise<void> {
  const at = random.chance(30) ? random.below(LARGE) : random.below(scene.oids.length)
  const { data } = await repo.read(scene.oids[at] as string)
  if (isSame(data, scene.contents[at])) outcome.versions.add('one')
  else if (isSame(data, other.contents[at])) outcome.versions.add('other')
  else outcome.wrong.push(`${scene.oids[at]} has other bytes`)
  outcome.right++
}

function isSame(data: Uint8Array, expected: Uint8Array | undefined): boolean {
  return expected !== undefined && Buffer.compare(data, expected) === 0
}

/** Each request is repeated at most `retries` times for each call that failed. */
function checkRequests({ codes, options, requests, steps = 1 }: Scenario): void {
  const tries = (options?.http?.tries ?? 3) * steps
  const most = codes.length > 0 ? tries * QUESTIONS : tries
  // The list of packs is read again whenever an object is missing.
  const once = server.asked.filter(({ path }) => !path.endsWith('info/packs'))
  const tooOften = once.filter(({ times }) => times >= most)
  expect(tooOften.map(({ path, ranges }) => [path, ranges])).toEqual([])
  if (requests !== undefined) expect(server.asked.length).toBe(requests)
}
