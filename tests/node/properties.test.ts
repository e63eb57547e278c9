/**
 * Properties of all inputs from outside the core: stores, names, options, bytes, timings.
 * Every run prints its seed; PACKLENS_PROPERTY_SEED repeats one, PACKLENS_PROPERTY_RUNS
 * is the number of inputs for each property.
 */
import { createHash, randomInt } from 'node:crypto'
import fc from 'fast-check'
import type { ByteSource, Repository, Store } from 'packlens'
import { isPacklensError, open } from 'packlens'
import { describe, expect, test } from 'vitest'
import { decodeHeaders, findHeader, messageStart } from '../../dist/objects/headers.js'
import { decodeSignature } from '../../dist/objects/signature.js'
import { storeOf } from './sources.ts'
import { collect, fixture, gitDirectoryOf } from './support.ts'

const seed = Number(process.env.PACKLENS_PROPERTY_SEED ?? randomInt(2 ** 31))
const numRuns = Number(process.env.PACKLENS_PROPERTY_RUNS ?? 60)
console.log(`properties: PACKLENS_PROPERTY_SEED=${seed} PACKLENS_PROPERTY_RUNS=${numRuns}`)
const settings = { seed, numRuns, endOnFailure: true }

const loose = fixture('loose')
const packed = fixture('tiny')
const stores = [loose, packed].map((of) => storeOf(gitDirectoryOf(of)))
const ids = [loose, packed].flatMap(({ objects }) => objects.map(({ oid }) => oid))

/** Content that was read by an id must have that hash. */
async function readsRight(repo: Repository, oid: string): Promise<void> {
  const { type, data } = await repo.read(oid)
  const hash = createHash('sha1').update(`${type} ${data.length}\0`).update(data)
  expect(hash.digest('hex')).toBe(oid)
}

const asks: ((
  repo: Repository,
  name: string,
  signal: AbortSignal | undefined,
) => Promise<unknown>)[] = [
  (repo, _, signal) => Promise.all(ids.slice(0, 5).map((oid) => repo.find(oid, { signal }))),
  (repo, name, signal) => repo.read(name, { signal }),
  (repo, name, signal) => repo.resolve(`HEAD:${name}`, { signal }),
  (repo, name, signal) => repo.refs.get(`refs/heads/${name}`, { signal }),
  (repo, name, signal) => collect(repo.refs.log(name, { signal })),
  (repo, name, signal) => repo.readMany([name, 'HEAD', ids[0] ?? ''], { signal }),
  (repo, _, signal) => collect(repo.objects({ signal })),
  (repo, name, signal) => collect(repo.walk(name, { recursive: true, sizes: true, signal })),
  (repo, _, signal) => collect(repo.log([], { all: true, signal })),
  (repo, _, signal) => collect(repo.revListObjects([], { all: true, signal })),
  (repo, name, signal) => collect(repo.refs.list({ prefix: name, peel: true, signal })),
  (repo, name, signal) => repo.refs.checkAvailable([name, `refs/heads/${name}`], { signal }),
  (repo, _, signal) => repo.fsck({ signal }),
]

/** Passes for an answer, or an error that is not INTERNAL. */
async function isTyped(call: () => unknown): Promise<void> {
  try {
    await call()
  } catch (error) {
    if (!isPacklensError(error)) throw error
    if (error.code === 'INTERNAL') throw error.cause ?? error
  }
}

const anything = fc.anything({
  withBigInt: true,
  withDate: true,
  withMap: true,
  withTypedArray: true,
})

const name = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.string({
    unit: fc.constantFrom(
      '@',
      '{',
      '}',
      '^',
      '~',
      ':',
      '/',
      '.',
      '-',
      'a',
      '0',
      '\0',
      '*',
      '\ud800',
    ),
  }),
  fc.constantFrom('q'.repeat(300), `${'q/'.repeat(3000)}`, '../../etc/passwd', 'HEAD', '\x1b[31m'),
)

/** The behaviour of a hostile store for one file. */
const fault = fc.oneof(
  { weight: 6, arbitrary: fc.constant(null) },
  fc.record({ kind: fc.constant('throw' as const), value: anything }),
  fc.record({ kind: fc.constant('give' as const), value: anything }),
  fc.record({ kind: fc.constant('bytes' as const), value: fc.uint8Array({ maxLength: 80 }) }),
  fc.record({
    kind: fc.constant('flip' as const),
    at: fc.nat(500),
    with: fc.integer({ min: 1, max: 255 }),
  }),
  fc.record({ kind: fc.constant('cut' as const), at: fc.nat(500) }),
  fc.record({
    kind: fc.constant('lie' as const),
    size: fc.oneof(fc.nat(1000), fc.constant(2 ** 40), anything),
  }),
)

type Fault = typeof fault extends fc.Arbitrary<infer T> ? T : never

function spoiled(bytes: Uint8Array | null, fault: Fault): unknown {
  if (!fault) return bytes
  switch (fault.kind) {
    case 'throw':
      throw fault.value
    case 'give':
    case 'bytes':
      return fault.value
    case 'cut':
      return bytes?.subarray(0, fault.at)
    case 'flip': {
      if (!bytes) return bytes
      const copy = new Uint8Array(bytes)
      const at = fault.at % Math.max(copy.length, 1)
      copy[at] = (copy[at] ?? 0) ^ fault.with
      return copy
    }
    case 'lie':
      return (
        bytes && {
          size: fault.size,
          read: (offset: number, length: number) => bytes.subarray(offset, offset + length),
        }
      )
  }
}

/** A store in which some calls fail, each in another way, and lists hold anything. */
function hostileStore(
  which: number,
  faults: readonly Fault[],
  lists: readonly unknown[],
  promises: boolean,
): Store {
  const store = stores[which % stores.length] as Store
  let looks = 0
  const answer = (ask: () => unknown) => (promises ? Promise.resolve().then(ask) : ask())
  return {
    get: (path) =>
      answer(() => {
        const fault = faults[looks++ % faults.length] as Fault
        return spoiled(store.get(path) as Uint8Array | null, fault)
      }) as ByteSource,
    list: (directory) =>
      answer(() => {
        const more = lists[looks++ % lists.length]
        const names = store.list?.(directory) as readonly string[]
        return Array.isArray(more) ? [...names, ...more] : more === undefined ? names : more
      }) as readonly string[],
  }
}

describe('Any answer of a store', () => {
  const list = fc.oneof(
    { weight: 5, arbitrary: fc.constant(undefined) },
    fc.array(name, { maxLength: 5 }),
    anything,
  )
  test('yields an answer or a typed error, and content has the hash that is its id', async () => {
    const input = fc.tuple(
      fc.nat(1),
      fc.array(fault, { minLength: 1, maxLength: 12 }),
      fc.array(list, { minLength: 1, maxLength: 4 }),
      fc.boolean(),
      name,
      fc.nat(asks.length - 1),
    )
    await fc.assert(
      fc.asyncProperty(input, async ([which, faults, lists, promises, name, at]) => {
        await isTyped(async () => {
          await using repo = await open(hostileStore(which, faults, lists, promises))
          await isTyped(() => asks[at]?.(repo, name, undefined))
          for (const oid of ids.slice(0, 3)) await isTyped(() => readsRight(repo, oid))
        })
        // The instance still serves another repository.
        using other = await open(gitDirectoryOf(packed))
        await readsRight(other, packed.objects[0]?.oid ?? '')
      }),
      settings,
    )
  })
})

describe('Any request', () => {
  test('by name is an answer or a typed error', async () => {
    using repo = await open(gitDirectoryOf(packed))
    await fc.assert(
      fc.asyncProperty(name, fc.nat(asks.length - 1), async (name, at) => {
        await isTyped(() => asks[at]?.(repo, name, undefined))
      }),
      settings,
    )
  })

  test('by arguments and options of any kind is an answer or a typed error', async () => {
    using repo = await open(gitDirectoryOf(packed))
    const calls: ((argument: never, options: never) => unknown)[] = [
      (a, b) => repo.read(a, b),
      (a, b) => repo.readMany(a, b),
      (a, b) => collect(repo.walk(a, b)),
      (a, b) => collect(repo.revList(a, b)),
      (a, b) => repo.mergeBases(a, b),
      (_, b) => collect(repo.objects(b)),
      (a, b) => collect(repo.refs.list({ ...(b as object), prefix: a })),
      (a, b) => repo.refs.plan(a, b),
      (a, b) => repo.refs.checkAvailable(a, b),
      (_, b) => repo.fsck(b),
      async (_, b) => (await open(gitDirectoryOf(packed), b)).close(),
      async (a) => (await open(a)).close(),
    ]
    const option = fc.constantFrom(
      'signal',
      'verify',
      'memory',
      'order',
      'fields',
      'size',
      'start',
      'since',
      'limit',
      'type',
      'into',
      'range',
    )
    const options = fc.oneof(anything, fc.dictionary(option, anything, { maxKeys: 3 }))
    await fc.assert(
      fc.asyncProperty(anything, options, fc.nat(calls.length - 1), async (a, b, at) => {
        await isTyped(() => calls[at]?.(a as never, b as never))
      }),
      settings,
    )
  })

  test('in any order, left at any time, is right or ABORTED', async () => {
    const delays = fc.array(fc.nat(3), { minLength: 1, maxLength: 8 })
    await fc.assert(
      fc.asyncProperty(
        delays,
        fc.array(fc.nat(ids.length - 1), { minLength: 1, maxLength: 6 }),
        fc.option(fc.nat(8)),
        async (delays, expected, abortAt) => {
          const store = stores[1] as Store
          let looks = 0
          const controller = new AbortController()
          const later = async <T>(value: T): Promise<T> => {
            const turns = delays[looks++ % delays.length] ?? 0
            if (looks === abortAt) controller.abort()
            for (let turn = 0; turn < turns; turn++) await new Promise(setImmediate)
            return value
          }
          await using repo = await open({
            get: (path) => later(store.get(path) as Uint8Array),
            list: (directory) => later(store.list?.(directory) as string[]),
          })
          const { signal } = controller
          await Promise.all(
            expected.map(async (at) => {
              const oid = ids[at] ?? ''
              try {
                const found = await repo.find(oid, { signal })
                const known = packed.objects.some((object) => object.oid === oid)
                expect(found?.oid).toBe(known ? oid : undefined)
              } catch (error) {
                expect(isPacklensError(error, 'ABORTED') && signal.aborted, `${error}`).toBe(true)
              }
            }),
          )
          if (!signal.aborted) await readsRight(repo, packed.objects[0]?.oid ?? '')
        },
      ),
      settings,
    )
  })
})

describe('For any bytes of an object', () => {
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 200 }),
    fc
      .string({ unit: fc.constantFrom('\n', ' ', '<', '>', '+', '-', '0', '9', 'a', '\0') })
      .map((text) => new TextEncoder().encode(text)),
  )

  test('header lines are found by their keys', () => {
    fc.assert(
      fc.property(bytes, (content) => {
        const lines = decodeHeaders(content)
        for (const { key } of lines) {
          if (key.includes('\ufffd')) continue
          const first = lines.find((line) => line.key === key)
          expect(findHeader(content, key)).toEqual(first?.value)
        }
        expect(messageStart(content)).toBeLessThanOrEqual(content.length)
      }),
      settings,
    )
  })

  test('a signature has text, seconds and an offset', () => {
    fc.assert(
      fc.property(bytes, (raw) => {
        const { name, email, seconds, offset } = decodeSignature(raw)
        expect([typeof name, typeof email]).toEqual(['string', 'string'])
        expect(seconds === null || seconds >= 0).toBe(true)
        expect(Number.isSafeInteger(offset)).toBe(true)
      }),
      settings,
    )
  })
})
