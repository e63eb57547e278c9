/** Partial clones: promised objects are distinguished from missing ones, and can be fetched. */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { deflateSync } from 'node:zlib'
import type { FetchedObjects, MissingHook, OpenOptions, Repository } from 'packlens'
import { open, openSync, PacklensError } from 'packlens'
import { describe, expect, test } from 'vitest'
import { root, unpacked } from './cli-support.ts'
import { codeOf, collect, errorOf, filesBelow } from './support.ts'

const answers: Record<string, { promised: string[]; missing: string[] }> = JSON.parse(
  readFileSync(path.join(root, 'tests/fixtures/partial.json'), 'utf8'),
)
const at = (name: string) => path.join(unpacked, 'partial', name)

const origin = openSync(at('origin.git'))
const originPack = readFileSync(at(`origin.git/${origin.info('main').pack}`))

/** A hook that records the requested ids. */
function asking(answer: (oids: readonly string[]) => FetchedObjects) {
  const asked: string[][] = []
  const missing: MissingHook = async (oids) => {
    asked.push([...oids].sort())
    return answer(oids)
  }
  return { asked, missing }
}

const openings: [string, (name: string, options?: OpenOptions) => Promise<Repository>][] = [
  ['here', (name, options) => open(at(name), options)],
  ['in a worker', (name, options) => open(at(name), { ...options, worker: true })],
]

describe.each(Object.keys(answers))('%s', (name) => {
  const { promised = [], missing = [] } = answers[name] ?? {}

  test.each(openings)('promises the objects that git says are promised, %s', async (_, openAt) => {
    await using repo = await openAt(`${name}.git`)
    const unknown = '1'.repeat(promised[0]?.length ?? 40)
    for (const oid of promised) expect(await codeOf(() => repo.read(oid))).toBe('PROMISED')
    for (const oid of [...missing, unknown]) {
      expect(await codeOf(() => repo.info(oid))).toBe('NOT_FOUND')
    }
    const rows = [...(await repo.readMany([...promised, unknown]))]
    const codes = rows.map((row) => (row.type === 'failed' ? row.error.code : row.type))
    expect(codes).toEqual([...promised.map(() => 'PROMISED'), 'missing'])
  })

  test('promises the same whatever is read first', () => {
    using repo = openSync(at(`${name}.git`))
    const found = (oid: string) => {
      try {
        return repo.find(oid) !== null
      } catch (error) {
        if (error instanceof PacklensError && error.code === 'PROMISED') return 'promised'
        throw error
      }
    }
    expect([...promised].reverse().map(found)).toEqual(promised.map(() => 'promised'))
    expect(missing.map(found)).toEqual(missing.map(() => false))
  })
})

test('A single pack promises objects if the option says so', async () => {
  const pack = filesBelow(at('blobless.git')).find((file) => file.endsWith('.pack')) ?? ''
  const bytes = readFileSync(at(`blobless.git/${pack}`))
  const oid = answers.blobless?.promised[0] ?? ''
  for (const [promisor, code] of [
    [true, 'PROMISED'],
    [false, 'NOT_FOUND'],
  ] as const) {
    await using repo = await open({ packs: [{ pack: bytes, promisor }] })
    expect(await codeOf(() => repo.read(oid))).toBe(code)
  }
})

describe.each(openings)('Objects are fetched %s', (_, openAt) => {
  const blobs = answers.blobless?.promised ?? []

  test('one call for all that a batch needs', async () => {
    for (const order of ['asked', 'pack'] as const) {
      const { asked, missing } = asking(() => new Uint8Array(originPack))
      await using repo = await openAt('blobless.git', { missing })
      const rows = [...(await repo.readMany(blobs, { order }))]
      expect(rows.map(({ type }) => type)).toEqual(blobs.map(() => 'blob'))
      expect(asked).toEqual([blobs])
      expect((await repo.info(blobs[0] ?? '')).pack).toBe('fetched/pack/pack-0.pack')
    }
  })

  test('one call for all concurrent reads', async () => {
    const { asked, missing } = asking((oids) => looseOf(oids))
    await using repo = await openAt('blobless.git', { missing })
    const twice = [...blobs, ...blobs]
    const objects = await Promise.all(twice.map((oid) => repo.read(oid)))
    expect(objects.map(({ oid }) => oid)).toEqual(twice)
    // One call for each turn of the event loop: a slow machine may take more than one.
    expect(asked.flat().sort()).toEqual([...blobs].sort())
    expect(asked.length).toBeLessThan(blobs.length)
    // A pending request of the same object is awaited.
    let answer = (_: FetchedObjects) => {}
    const coming = asking(() => null)
    await using other = await openAt('blobless.git', {
      missing: async (oids, options) => {
        await coming.missing(oids, options)
        return new Promise<FetchedObjects>((resolve) => {
          answer = resolve
        })
      },
    })
    const [oid = ''] = blobs
    const reads = [other.read(oid)]
    while (coming.asked.length === 0) await new Promise((next) => setTimeout(next, 1))
    reads.push(other.read(oid))
    await new Promise((next) => setTimeout(next, 20))
    answer(looseOf([oid]))
    expect((await Promise.all(reads)).map((object) => object.oid)).toEqual([oid, oid])
    expect(coming.asked).toEqual([[oid]])
  })

  test('one call for a tree of a walk', async () => {
    const { asked, missing } = asking((oids) => looseOf(oids))
    await using repo = await openAt('blobless.git', { missing })
    const sizes = (await collect(repo.walk('main', { recursive: true, sizes: true }))).map(
      ({ size }) => size,
    )
    const whole = [...origin.walk('main', { recursive: true, sizes: true })]
    expect(sizes).toEqual(whole.map(({ size }) => size))
    // Those of a tree at once: the root has one that exists, and folders share one.
    expect(asked.map(({ length }) => length)).toEqual([3, 2, 1, 1])
    expect(new Set(asked.flat()).size).toBe(asked.flat().length)
  })

  test('trees, level by level', async () => {
    const { asked, missing } = asking((oids) => looseOf(oids))
    await using repo = await openAt('treeless.git', { missing })
    const paths = (await collect(repo.walk('main', { recursive: true }))).map((entry) => entry.path)
    const whole = [...origin.walk('main', { recursive: true })]
    expect(paths).toEqual(whole.map((entry) => entry.path))
    expect(asked.map(({ length }) => length)).toEqual([1, 1, 3])
  })

  test('one call for all known needs of a listing', async () => {
    const listed = [...origin.revListObjects('main')].map(({ oid }) => oid)
    for (const [name, calls] of [
      ['blobless.git', 1],
      ['treeless.git', 4],
    ] as const) {
      const { asked, missing } = asking((oids) => looseOf(oids))
      await using repo = await openAt(name, { missing })
      const objects = await collect(repo.revListObjects('main'))
      expect(objects.map(({ oid }) => oid)).toEqual(listed)
      expect(asked.length, name).toBe(calls)
      expect(new Set(asked.flat()).size).toBe(asked.flat().length)
      expect(await repo.countObjects('main')).toBe(listed.length)
    }
  })

  test('one object as loose bytes, or a pack with its index', async () => {
    const [oid = ''] = blobs
    const { asked, missing } = asking((oids) => looseOf(oids).get(oids[0] ?? ''))
    await using repo = await openAt('blobless.git', { missing })
    expect((await repo.read(oid)).oid).toBe(oid)
    expect((await repo.read(oid)).oid).toBe(oid)
    expect(asked).toEqual([[oid]])
    const idx = readFileSync(at(`origin.git/${origin.info('main').pack}`.replace('.pack', '.idx')))
    const packed = asking(() => ({ pack: new Uint8Array(originPack), idx: new Uint8Array(idx) }))
    await using other = await openAt('blobless.git', { missing: packed.missing })
    expect((await other.read('main:folder/1/long')).type).toBe('blob')
    expect(packed.asked.length).toBe(1)
  })

  test('an object that is not fetched is an error, and requested again by the next call', async () => {
    const { asked, missing } = asking(() => null)
    await using repo = await openAt('blobless.git', { missing })
    const [oid = ''] = blobs
    expect(await codeOf(() => repo.read(oid))).toBe('PROMISED')
    expect(await codeOf(() => repo.read(oid))).toBe('PROMISED')
    expect(await codeOf(() => repo.read('1'.repeat(40)))).toBe('NOT_FOUND')
    expect(asked).toEqual([[oid], [oid], ['1'.repeat(40)]])
  })

  test('damaged objects are an error, and none of them is kept', async () => {
    const [oid = ''] = blobs
    const cut = new Uint8Array(originPack).slice(0, -30)
    const wrong = looseOf([origin.resolve('main')])
      .values()
      .next().value as Uint8Array
    let answer: FetchedObjects = cut
    const { missing } = asking(() => answer)
    await using repo = await openAt('blobless.git', { missing })
    expect(await codeOf(() => repo.read(oid))).toBe('CORRUPT')
    answer = new Uint8Array(originPack)
    expect((await repo.read(oid)).oid).toBe(oid)
    await using another = await openAt('blobless.git', { missing: async () => wrong })
    expect(await codeOf(() => another.read(oid))).toBe('CORRUPT')
    const several = another.readMany(blobs.slice(1, 3))
    expect(await codeOf(() => several)).toBe('BAD_INPUT')
  })

  test('an exception of the hook is the cause of the error', async () => {
    const failure = new Error('no network')
    await using repo = await openAt('blobless.git', {
      missing: () => Promise.reject(failure),
    })
    const error = await errorOf(() => repo.read(blobs[0] ?? ''))
    expect([error.code, error.cause]).toEqual(['SOURCE', failure])
    expect((await repo.read('main')).type).toBe('commit')
  })
})

test('SHA-256', async () => {
  const name = 'sha256/origin.git'
  const whole = openSync(at(name))
  const pack = readFileSync(at(`${name}/${whole.info('main').pack}`))
  const { asked, missing } = asking(() => new Uint8Array(pack))
  await using repo = await open(at('sha256/blobless.git'), { missing })
  const rows = [...(await repo.readMany(answers['sha256/blobless']?.promised ?? []))]
  expect(rows.map(({ type }) => type)).toEqual(rows.map(() => 'blob'))
  expect(asked.length).toBe(1)
})

/** Returns loose objects in git's format. */
function looseOf(oids: readonly string[]): Map<string, Uint8Array> {
  return new Map(
    oids.flatMap((oid) => {
      const found = origin.find(oid)
      if (!found) return []
      const head = Buffer.from(`${found.type} ${found.size}\0`)
      return [[oid, new Uint8Array(deflateSync(Buffer.concat([head, found.data])))]]
    }),
  )
}
