/** Reads many objects into one buffer of any size. */
import type { BatchOptions, BatchRow, SyncRepository } from 'packlens'
import { minBatchSize, open, openSync } from 'packlens'
import { expect, test } from 'vitest'
import { codeOf, errorOf, fixture, folderOf, sha256 } from './support.ts'

const main = fixture('main')

/** Returns the first 4 digits that several ids share, and these ids. */
function ambiguous(): { prefix: string; candidates: string[] } {
  for (const { oid } of main.objects) {
    const prefix = oid.slice(0, 4)
    const candidates = main.objects
      .map((object) => object.oid)
      .filter((id) => id.startsWith(prefix))
    if (candidates.length > 1) return { prefix, candidates }
  }
  throw new Error('no ids begin alike')
}

const small = main.objects.filter(({ size }) => size < 2000).slice(0, 12)
const specs = [
  'HEAD',
  'nothing',
  ambiguous().prefix,
  ':/(a)\\1',
  ...small.map(({ oid }) => oid),
  'HEAD:',
]

/** Returns the content that a batch returned for each spec, pieces joined. */
function put(
  rows: Iterable<BatchRow>,
  into = new Map<number, unknown[]>(),
): Map<number, unknown[]> {
  for (const row of rows) {
    const before = into.get(row.index)
    if (row.type === 'missing') into.set(row.index, ['missing'])
    else if (row.type === 'ambiguous') into.set(row.index, ['ambiguous', ...row.candidates])
    else if (row.type === 'failed') into.set(row.index, ['failed', row.error.code])
    else {
      const content = (before?.[2] as string | undefined) ?? ''
      expect(row.dataOffset).toBe(content.length / 2)
      const whole = content + Buffer.from(row.data).toString('hex')
      expect(row.more).toBe(whole.length / 2 < row.size)
      into.set(row.index, [row.oid, row.type, whole])
    }
  }
  return into
}

function readIn(
  repo: SyncRepository,
  size: number,
  options: BatchOptions = {},
): Map<number, unknown[]> {
  const into = new ArrayBuffer(size)
  const all = new Map<number, unknown[]>()
  for (let start: BatchOptions['start'] | null; start !== null; ) {
    const batch = repo.readMany(specs, { into, start, ...options })
    expect(batch.buffer).toBe(into)
    expect(batch.bytes.byteLength).toBeGreaterThan(0)
    put(batch, all)
    if (start)
      expect([batch.next?.index ?? 99, batch.next?.skip ?? 0]).not.toEqual([
        start.index,
        start.skip,
      ])
    start = batch.next
  }
  return all
}

test('A buffer of any size gives the same objects, one after the other', () => {
  using repo = openSync(folderOf(main))
  const whole = put(repo.readMany(specs))
  expect([...whole.keys()]).toEqual(specs.map((_, index) => index))
  small.forEach(({ oid, type, sha256: sum }, at) => {
    const [id, kind, hex] = whole.get(at + 4) as [string, string, string]
    expect([id, kind, sha256(Buffer.from(hex, 'hex'))]).toEqual([oid, type, sum])
  })
  expect(whole.get(1)).toEqual(['missing'])
  expect(whole.get(2)).toEqual(['ambiguous', ...ambiguous().candidates])
  expect(whole.get(3)).toEqual(['failed', 'UNSUPPORTED'])
  const sizes = Array.from({ length: 601 - minBatchSize }, (_, at) => minBatchSize + at)
  for (const size of [...sizes, 1000, 4096, 65_536, 1 << 20]) {
    const found = readIn(repo, size)
    // A row that does not fit the smallest buffers is returned as far as it fits.
    if (size < minBatchSize + 96)
      for (const index of [2, 3]) whole.set(index, found.get(index) as unknown[])
    else whole.set(2, ['ambiguous', ...ambiguous().candidates]).set(3, ['failed', 'UNSUPPORTED'])
    expect(found, `in buffers of ${size}`).toEqual(whole)
  }
})

test('Pack order returns the same objects', () => {
  using repo = openSync(folderOf(main))
  const whole = put(repo.readMany(specs))
  const sorted = (map: Map<number, unknown[]>) => [...map].sort(([a], [b]) => a - b)
  for (const size of [256, 300, 1000, 1 << 20]) {
    expect(sorted(readIn(repo, size, { order: 'pack' }))).toEqual(sorted(whole))
  }
})

test('A large object is returned in pieces', () => {
  using repo = openSync(folderOf(main))
  const large = main.objects.reduce((a, b) => (a.size > b.size ? a : b))
  const pieces: Uint8Array[] = []
  const into = new ArrayBuffer(10_000)
  for (let start: BatchOptions['start'] | null; start !== null; ) {
    const batch = repo.readMany([large.oid], { into, start })
    for (const row of batch) {
      if (row.type !== 'blob') throw new Error(row.type)
      expect(row.size).toBe(large.size)
      if (row.more) expect(() => row.object()).toThrow('only a part')
      pieces.push(row.data.slice())
    }
    start = batch.next
  }
  expect(pieces.length).toBe(Math.ceil(large.size / 9880))
  expect(sha256(Buffer.concat(pieces))).toBe(large.sha256)
})

test('A buffer that is too small is an error', async () => {
  using repo = await open(folderOf(main))
  for (const size of [0, 1, minBatchSize - 1]) {
    const error = await errorOf(() => repo.readMany(specs, { size }))
    expect([error.code, error.message]).toEqual(['BAD_INPUT', expect.stringContaining('128 bytes')])
    expect(await codeOf(() => repo.readMany(specs, { into: new ArrayBuffer(size) }))).toBe(
      'BAD_INPUT',
    )
  }
})

test('The buffer can be transferred, and the rows are views of it', async () => {
  using repo = await open(folderOf(main))
  const batch = await repo.readMany(small.map(({ oid }) => oid))
  const rows = [...batch]
  for (const [at, row] of rows.entries()) {
    if (!('data' in row)) throw new Error(row.type)
    expect(row.data.buffer).toBe(batch.buffer)
    expect(row.object()).toMatchObject({ oid: small[at]?.oid, type: small[at]?.type })
  }
  const { length } = batch.bytes
  const moved = structuredClone(batch.buffer, { transfer: [batch.buffer] })
  expect(moved.byteLength).toBe(length)
  expect(batch.buffer.byteLength).toBe(0)
  expect((await repo.read('HEAD')).type).toBe('commit')
})

test('A buffer of the caller is filled in place', () => {
  using repo = openSync(folderOf(main))
  const whole = new ArrayBuffer(5000)
  const bytes = new Uint8Array(whole).fill(0xee)
  const part = new Uint8Array(whole, 1000, 2000)
  const batch = repo.readMany(['HEAD', 'HEAD~1'], { into: part })
  expect(batch.buffer).toBe(whole)
  expect(batch.bytes.byteOffset).toBe(1000)
  expect(batch.bytes.byteLength).toBeLessThanOrEqual(2000)
  const [first] = batch
  if (first?.type !== 'commit') throw new Error(first?.type)
  expect(first.data.byteOffset).toBe(1000 + 120)
  expect(first.oid).toBe(main.head.oid)
  const outside = [...bytes.subarray(0, 1000), ...bytes.subarray(1000 + batch.bytes.byteLength)]
  expect(outside.every((byte) => byte === 0xee)).toBe(true)
})

test('An empty list of specs makes an empty batch', async () => {
  using repo = await open(folderOf(main))
  const batch = await repo.readMany([])
  expect([...batch]).toEqual([])
  expect(batch.next).toBeNull()
})

test('Little memory does not change the content of a batch', async () => {
  using repo = await open(folderOf(main), { memory: 5 << 19 })
  const ids = main.objects.map(({ oid }) => oid)
  const contents = ids.map((): Uint8Array[] => [])
  for (let start: BatchOptions['start'] | null; start !== null; ) {
    const batch = await repo.readMany(ids, { start })
    expect(batch.buffer.byteLength).toBeLessThanOrEqual(15 << 15)
    for (const row of batch) {
      if (!('data' in row)) throw new Error(JSON.stringify(row))
      contents[row.index]?.push(row.data)
    }
    start = batch.next
  }
  const sums = contents.map((pieces) => sha256(Buffer.concat(pieces)))
  expect(sums).toEqual(main.objects.map((object) => object.sha256))
  expect(repo.stats().memoryHighWater).toBeLessThanOrEqual(5 << 19)
})
