/** Errors: their codes, messages and places. */
import type { ErrorCode, RandomAccess, RepoSource } from 'packlens'
import { isPacklensError, open, openSync, PacklensError } from 'packlens'
import { describe, expect, test } from 'vitest'
import {
  type Bytes,
  bytesOf,
  looseObjects,
  packFiles,
  packs,
  randomAccess,
  storeOf,
} from './sources.ts'
import { codeOf, collect, errorOf, fixture, folderOf, root } from './support.ts'

const main = fixture('main')
const tiny = fixture('tiny')

/** Returns the files of a fixture, some of them changed. */
function changedPack(change: (pack: Bytes) => Bytes) {
  const [files] = packFiles(tiny)
  if (!files) throw new Error('no pack')
  return { packs: [{ pack: change(bytesOf(files.pack)), idx: bytesOf(files.idx) }] }
}

describe('An error', () => {
  test('has one class, a code, a subject and a place', async () => {
    using repo = await open(folderOf(main))
    const error = await errorOf(() => repo.read('no-such-thing'))
    expect(error).toBeInstanceOf(PacklensError)
    expect(error).toBeInstanceOf(Error)
    expect(error.name).toBe('PacklensError')
    expect(error.code).toBe('NOT_FOUND')
    expect(error.subject).toBe('no-such-thing')
    expect(error.message).toContain('no-such-thing')
    expect([error.file, error.offset, error.cause]).toEqual([undefined, undefined, undefined])
  })

  test.each([
    ['HEAD:no-such-file', 'the path does not exist in the tree: HEAD:no-such-file'],
    ['HEAD^{tree}:no/such/file', 'the path does not exist in the tree: HEAD^{tree}:no/such/file'],
    [':no-such-file', 'the path is not in the index: :no-such-file'],
    ['no-such-ref:file', 'unknown revision: no-such-ref'],
  ])('says whether a revision or its path does not exist: %s', async (spec, message) => {
    using repo = openSync(folderOf(main))
    const error = await errorOf(() => repo.read(spec))
    expect(error.code).toBe('NOT_FOUND')
    expect(error.message).toBe(message)
  })

  test('is distinguished from other errors', async () => {
    using repo = await open(folderOf(main))
    const error = await errorOf(() => repo.read('no-such-thing'))
    expect(isPacklensError(error)).toBe(true)
    expect(isPacklensError(error, 'CORRUPT', 'NOT_FOUND')).toBe(true)
    expect(isPacklensError(error, 'CORRUPT')).toBe(false)
    for (const other of [new Error('x'), { code: 'NOT_FOUND' }, null, undefined, 'NOT_FOUND']) {
      expect(isPacklensError(other)).toBe(false)
    }
  })

  test('names the file and the offset of damage', async () => {
    const source = changedPack((pack) => {
      pack[30] = (pack[30] ?? 0) ^ 0xff
      return pack
    })
    using repo = await open(source)
    const error = await errorOf(() => repo.read(tiny.head.oid ?? ''))
    expect(error.code).toBe('CORRUPT')
    expect(error.file).toBe('objects/pack/pack-0.pack')
    expect(error.offset).toBeGreaterThanOrEqual(12)
    expect(error.message).toContain(`(objects/pack/pack-0.pack at offset ${error.offset})`)
    const [row] = await repo.readMany([tiny.head.oid ?? ''])
    if (row?.type !== 'failed') throw new Error(row?.type)
    expect([row.error.code, row.error.message]).toEqual([error.code, error.message])
    // The next call succeeds, and other objects are readable.
    expect((await repo.read(tiny.objects.at(-1)?.oid ?? '')).size).toBe(tiny.objects.at(-1)?.size)
  })

  test('AMBIGUOUS names all ids that a shortened one stands for', async () => {
    using repo = openSync(folderOf(main))
    const prefix = repo.resolve('refs/odd/alike-blob-1').slice(0, 4)
    expect((await errorOf(() => repo.read(prefix))).code).toBe('AMBIGUOUS')
    expect(await codeOf(() => repo.find(prefix))).toBe('AMBIGUOUS')
    using promising = await open(folderOf(main))
    expect((await errorOf(() => promising.read(prefix))).code).toBe('AMBIGUOUS')
    expect(await codeOf(() => promising.find(prefix))).toBe('AMBIGUOUS')
  })

  test('distinguishes an object of another type from a missing one', async () => {
    using repo = await open(folderOf(main))
    expect(await codeOf(() => collect(repo.walk('HEAD:README.md')))).toBe('WRONG_TYPE')
    expect(await codeOf(() => collect(repo.walk('nope')))).toBe('NOT_FOUND')
    using now = openSync(folderOf(main))
    expect(await codeOf(() => [...now.walk('HEAD:README.md')])).toBe('WRONG_TYPE')
  })
})

describe('An invalid source is BAD_INPUT:', () => {
  const pack = new Uint8Array(4)
  const cases: [string, unknown, RegExp][] = [
    ['a number', 42, /not a source of a repository: give/],
    ['null', null, /not a source of a repository: give/],
    ['an empty object', {}, /not a source of a repository: give/],
    ['packs that are no list', { packs: 'x' }, /`packs` must be an array/],
    ['a pack that is not there', { packs: [{}] }, /needs a `pack`/],
    ['a pack that is a text', { packs: [{ pack: 'x' }] }, /not a source of bytes: give/],
    ['a pack that is a number', { packs: [{ pack: 5 }] }, /not a source of bytes: give/],
    ['an index that is a text', { packs: [{ pack, idx: 'x' }] }, /not a source of bytes/],
    ['a size that is no number', { packs: [{ pack: { size: NaN, read() {} } }] }, /whole number/],
    ['a size below nothing', { packs: [{ pack: { size: -1, read() {} } }] }, /whole number/],
  ]
  test.each(cases)('%s', async (_, source, message) => {
    const error = await errorOf(() => open(source as RepoSource))
    expect([error.code, error.message]).toEqual(['BAD_INPUT', expect.stringMatching(message)])
    expect(await codeOf(() => openSync(source as RepoSource))).toBe('BAD_INPUT')
  })

  test('a read that returns no bytes', async () => {
    const bad = { size: 1000, read: () => new ArrayBuffer(1000) } as never as RandomAccess
    const error = await errorOf(() => open({ packs: [{ pack: bad }] }))
    expect([error.code, error.message]).toEqual([
      'BAD_INPUT',
      expect.stringContaining('Uint8Array'),
    ])
  })

  test.each([0, -1, 1.5, NaN, (1 << 20) - 1, 2 ** 33, '64 MB'])('memory of %s', async (memory) => {
    const error = await errorOf(() => open(folderOf(main), { memory: memory as number }))
    expect([error.code, error.message]).toEqual(['BAD_INPUT', expect.stringContaining('`memory`')])
  })
})

test('A folder, or files, without a repository are NOT_FOUND', async () => {
  const outside = folderOf({ path: '' })
  expect(await codeOf(() => open(`${outside}/tiny.stamp`))).toBe('NOT_FOUND')
  expect(await codeOf(() => openSync(`${outside}/there/is/none`))).toBe('NOT_FOUND')
  const error = await errorOf(() => openSync(outside))
  expect([error.code, error.subject]).toEqual(['NOT_FOUND', outside])
  expect(await codeOf(() => open([new File([''], 'a.txt')]))).toBe('NOT_FOUND')
  expect(await codeOf(() => open([]))).toBe('NOT_FOUND')
  expect(await codeOf(() => openSync(new URL(`file://${root}README`)))).toBe('NOT_FOUND')
})

test('A file that is not a pack is CORRUPT, a pack of a newer version UNSUPPORTED', async () => {
  const codes: ErrorCode[] = []
  for (const change of [
    (pack: Bytes) => pack.fill(0, 0, 4),
    (pack: Bytes) => pack.fill(9, 7, 8),
    (pack: Bytes) => pack.subarray(0, 20),
    (pack: Bytes) => pack.subarray(0, 0),
  ]) {
    const { packs } = changedPack(change)
    codes.push(await codeOf(() => open({ packs: packs.map(({ pack }) => ({ pack })) })))
  }
  expect(codes).toEqual(['CORRUPT', 'UNSUPPORTED', 'CORRUPT', 'CORRUPT'])
})

test('An object larger than `memory` is LIMIT, and the next read works', async () => {
  const { store, oids } = looseObjects([
    ['blob', 'large'.repeat(400_000)],
    ['blob', 'small'],
  ])
  using repo = openSync(store, { memory: 1 << 20 })
  const error = await errorOf(() => repo.read(oids[0] ?? ''))
  expect([error.code, error.message]).toEqual(['LIMIT', expect.stringContaining('`memory`')])
  expect(repo.info(oids[0] ?? '').size).toBe(2_000_000)
  expect(repo.read(oids[1] ?? '').size).toBe(5)
  const rows = [...repo.readMany(oids)]
  expect(rows.map(({ type }) => type)).toEqual(['failed', 'blob'])
  using enough = openSync(store, { memory: 8 << 20 })
  expect(enough.read(oids[0] ?? '').size).toBe(2_000_000)
})

test('A question that needs more bytes at once than `memory` is LIMIT, and does not repeat', async () => {
  const oid = main.head.oid
  const name = (at: number) => `refs/heads/${String(at).padStart(6, '0')}`
  const lines = Array.from({ length: 50_000 }, (_, at) => `${oid} ${name(at)}\n`)
  // Unsorted: all names must be read before the first one is known.
  const text = `# pack-refs with: peeled fully-peeled \n${lines.reverse().join('')}`
  const file = new TextEncoder().encode(text)
  const get = (path: string) => (path === 'packed-refs' ? file : null)
  using repo = openSync({ get }, { memory: 1 << 20, objectFormat: 'sha1', replace: false })
  const error = await errorOf(() => repo.refs.list())
  expect([error.code, error.message]).toEqual(['LIMIT', expect.stringContaining('`memory`')])
  expect(repo.refs.get(name(40_000))?.oid).toBe(oid)
  using enough = openSync({ get }, { objectFormat: 'sha1' })
  expect(enough.refs.list()).toHaveLength(50_000)
})

test('A file that was truncated is CHANGED', async () => {
  const lying = (bytes: Bytes) => randomAccess(bytes)
  const short = (bytes: Bytes): RandomAccess => ({
    size: bytes.length + 5,
    read: lying(bytes).read,
  })
  const error = await errorOf(() => open(packs(tiny, short, { idx: false })))
  expect([error.code, error.file]).toEqual(['CHANGED', 'objects/pack/pack-0.pack'])
  expect(error.message).toContain('open the repository again')
  const store = storeOf(folderOf(main), short)
  expect(await codeOf(() => openSync(store).read('HEAD'))).toBe('CHANGED')
})
