/** Every object of every fixture through every kind of source: what git says. */
import type { GitObject, RepoSource, Repository } from 'packlens'
import { open, openSync } from 'packlens'
import { afterAll, describe, expect, test } from 'vitest'
import {
  asyncBuffer,
  asyncRandomAccess,
  asyncStoreOf,
  type Bytes,
  filesOf,
  idsOfIndex,
  inTheMiddle,
  packFiles,
  packs,
  randomAccess,
  storeOf,
} from './sources.ts'
import {
  codeOf,
  type Expected,
  type ExpectedObject,
  fixtures,
  folderOf,
  gitDirectoryOf,
  sha256,
  whole,
} from './support.ts'

let compared = 0

function expectSame(found: GitObject, wanted: ExpectedObject): void {
  const { oid, type, size, data } = found
  const same = { oid, type, size, sha256: sha256(data), length: data.byteLength }
  const { disk: _, deltabase: __, ...known } = wanted
  expect(same).toEqual({ ...known, length: wanted.size })
  compared += 1
}

async function readAll(repo: Repository, objects: readonly ExpectedObject[]): Promise<void> {
  for (const wanted of objects) expectSame(await repo.read(wanted.oid), wanted)
  repo.close()
}

function readAllSync(repo: Repository, objects: readonly ExpectedObject[]): void {
  for (const wanted of objects) expectSame(repo.readSync(wanted.oid), wanted)
  repo.close()
}

/** The objects that the packs of a fixture have. */
function packedObjects(of: Expected): ExpectedObject[] {
  const length = of.objectFormat === 'sha1' ? 20 : 32
  const ids = new Set(packFiles(of).flatMap(({ idx }) => idsOfIndex(idx, length)))
  return of.objects.filter(({ oid }) => ids.has(oid))
}

const packed = fixtures.filter((of) => packFiles(of).length > 0)

afterAll(() => {
  expect(compared).toBeGreaterThan(40_000)
})

describe.each(fixtures)('every object of $name is what git says', (of) => {
  test('from a path, without promises', () => {
    readAllSync(openSync(folderOf(of)), of.objects)
  })

  test('from a path, with promises', async () => {
    await readAll(await open(folderOf(of)), of.objects)
  })
})

describe.each(whole)('every object of $name is what git says', (of) => {
  const folder = gitDirectoryOf(of)

  test('from a store that answers at once', async () => {
    readAllSync(openSync(storeOf(folder)), of.objects)
    await readAll(await open(storeOf(folder)), of.objects)
  })

  test('from a store that promises', async () => {
    await readAll(await open(asyncStoreOf(folder)), of.objects)
    expect(await codeOf(() => openSync(asyncStoreOf(folder)))).toBe('BAD_INPUT')
  })

  test('from a list of files', async () => {
    await readAll(await open(filesOf(folder)), of.objects)
  })
})

const memory: [string, (bytes: Bytes) => Bytes | ArrayBuffer][] = [
  ['an ArrayBuffer', (bytes) => bytes.buffer],
  ['a Uint8Array', inTheMiddle],
]
const promising: [string, (bytes: Bytes) => Blob | ReturnType<typeof asyncBuffer>][] = [
  ['a Blob', (bytes) => new Blob([bytes])],
  ['an AsyncBuffer', asyncBuffer],
]

describe.each(packed)('every object in the packs of $name is what git says', (of) => {
  const objects = packedObjects(of)

  test.each([...memory, ['a RandomAccess', randomAccess] as const])(
    'from %s, at once',
    async (_, make) => {
      readAllSync(openSync(packs(of, make)), objects)
      await readAll(await open(packs(of, make)), objects)
    },
  )

  test.each([...promising, ['a RandomAccess that promises', asyncRandomAccess] as const])(
    'from %s',
    async (_, make) => {
      const source: RepoSource = packs(of, make)
      await readAll(await open(source), objects)
      // With little memory files are read in parts.
      await readAll(await open(source, { memory: 2 << 20 }), objects)
      // Opening needs no byte, for there is an index; reading does.
      const repo = openSync(source)
      expect(await codeOf(() => repo.readSync(objects[0]?.oid ?? ''))).toBe('BAD_INPUT')
    },
  )

  test.each([...memory, ...promising])('from %s without an index', async (_, make) => {
    const progress: number[] = []
    const onProgress = ({ done, total }: { done: number; total: number }) => {
      expect(done).toBeLessThanOrEqual(total)
      progress.push(done)
    }
    const repo = await open(packs(of, make, { idx: false }), { onProgress })
    expect(progress.length).toBeGreaterThan(0)
    for (const { oid, size, type, disk, deltabase } of objects) {
      const info = await repo.info(oid)
      expect(info).toMatchObject({ oid, size, type })
      if (disk !== null) expect(info.diskSize).toBe(disk)
      if (deltabase !== null) expect(info.deltaBase ?? '0'.repeat(oid.length)).toBe(deltabase)
    }
    await readAll(repo, objects)
  })
})
