/**
 * Messages over the link to a worker. Both ends run in this thread, and each
 * message is cloned and transferred as it would be between threads.
 */
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Repository } from 'packlens'
import { describe, expect, test } from 'vitest'
// Not the module of 'packlens', because that has its own instance.
import { isPacklensError, load, open, PacklensError } from '../../dist/index.node.js'
import { packOf } from './blob-pack.ts'
import { asyncStoreOf, filesOf, inTheMiddle, noise, storeOf } from './sources.ts'
import { collect, errorOf, fixture, folderOf, root } from './support.ts'

const main = fixture('main')
const oid = main.objects[0]?.oid ?? ''

async function inside(file: string) {
  return import(/* @vite-ignore */ pathToFileURL(path.join(root, 'dist', file)).href)
}

const { serve } = await inside('worker/server.js')
const { openWith } = await inside('repository/opening.js')
const { offerBeside, storeFor } = await inside('node/platform.js')
const { serializeSource, deserializeSource } = await inside('worker/source-serialization.js')
const { PageReader, PageWriter } = await inside('worker/frames.js')

interface Sent {
  readonly from: 'page' | 'worker'
  /** The message in the sender after posting. */
  readonly message: unknown
  /** The message that arrived. */
  readonly arrived: unknown
}

/** Opens a repository over a link that records its messages. */
async function opened(source: unknown, store = () => storeFor(source)) {
  const sent: Sent[] = []
  const ends: Record<string, (message: unknown) => void> = {}
  const post = (from: Sent['from']) => (message: unknown, transfer: Transferable[]) => {
    const arrived = structuredClone(message, { transfer })
    sent.push({ from, message, arrived })
    setImmediate(() => (from === 'page' ? ends.worker : ends.page)?.(arrived))
  }
  ends.worker = serve({ post: post('worker') }, { offerBeside, storeFor })
  const spawn = (events: { message(message: unknown): void; died(why: unknown): void }) => {
    ends.page = events.message
    ends.died = events.died
    return { post: post('page'), hold() {}, release() {}, end() {} }
  }
  const platform = {
    load,
    workers: async () => ({ ...(await import('../../dist/node/workers.js')), spawn }),
  }
  const repo: Repository = await openWith(platform, { source, store }, { worker: true })
  return { repo, sent, ends }
}

/** Returns all buffers in a message. */
function buffersIn(value: unknown): ArrayBufferLike[] {
  if (value instanceof ArrayBuffer) return [value]
  if (ArrayBuffer.isView(value)) return [value.buffer]
  if (typeof value !== 'object' || value === null) return []
  return Object.values(value).flatMap(buffersIn)
}

/** Counters and requested paths are copied, because they are short. */
const SHORT = 200

describe('Bytes', () => {
  test('are transferred in every answer', async () => {
    const { repo, sent } = await opened(folderOf(main))
    await repo.read(oid)
    await repo.readMany(main.objects.map(({ oid }) => oid))
    await repo.readMany([oid], { into: new ArrayBuffer(1 << 20) })
    await collect(repo.objects({ fields: 'both' }))
    await collect(repo.walk('HEAD', { recursive: true }))
    await collect(repo.stream(oid) as unknown as AsyncIterable<Uint8Array>)
    await collect(repo.refs.list())
    const answers = sent.filter(({ from }) => from === 'worker')
    const left = answers.flatMap(({ message }) => buffersIn(message))
    const came = answers.flatMap(({ arrived }) => buffersIn(arrived))
    const size = (buffers: ArrayBufferLike[]) =>
      buffers.reduce((sum, { byteLength }) => sum + byteLength, 0)
    // The sender no longer has transferred buffers.
    expect(left.every(({ byteLength }) => byteLength < SHORT)).toBe(true)
    expect(left.filter(({ byteLength }) => byteLength === 0).length).toBeGreaterThan(7)
    // The bytes left the instance once each, and arrived with nothing but the
    // lengths of frames and the counters.
    const { bytesOut } = repo.stats()
    expect(size(came)).toBeGreaterThanOrEqual(bytesOut)
    expect(size(came)).toBeLessThan(bytesOut + came.length * SHORT)
    repo.close()
  })

  test('of a source that stays are transferred, in memory that is not the source’s', async () => {
    const bytes = noise(5, 3 << 20)
    const { pack, oids } = packOf(bytes)
    const larger = inTheMiddle(new Uint8Array(pack))
    const source = { packs: [{ pack: { size: larger.length, read: partOf(larger) } }] }
    const { repo, sent } = await opened(source)
    expect((await repo.read(oids[0] ?? '')).size).toBe(3 << 20)
    const answers = sent.filter(({ from }) => from === 'page')
    const left = answers.flatMap(({ message }) => buffersIn(message))
    expect(left.filter(({ byteLength }) => byteLength === 0).length).toBeGreaterThan(3)
    expect(left.every(({ byteLength }) => byteLength < SHORT)).toBe(true)
    expect(larger.byteLength).toBe(pack.length)
    repo.close()
  })

  test('are sent only on request, and leaving a listing frees it', async () => {
    const { repo, sent, ends } = await opened(folderOf(main))
    const rows = repo.objects()
    await rows.next()
    const before = sent.length
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(sent.length).toBe(before)
    const [{ message }] = sent.filter(({ from }) => from === 'page').slice(-1) as [Sent]
    const { value } = message as { value: { number: number } }
    await rows.return(undefined)
    await repo.resolve('HEAD')
    ends.worker?.({ ask: 5000, value: { ...value, request: undefined } })
    await repo.resolve('HEAD')
    const { arrived } =
      sent.find(({ arrived }) => (arrived as { failed: number }).failed === 5000) ?? {}
    expect(arrived).toMatchObject({
      value: { message: expect.stringContaining('no such listing') },
    })
    repo.close()
  })
})

test('A stream that is cancelled before the worker started sends no request', async () => {
  const { repo, sent, ends } = await opened(folderOf(main))
  ends.died?.('of old age')
  const reader = repo.stream(oid).getReader()
  const read = reader.read()
  // The stream has started by then; the worker has not.
  for (let turn = 0; turn < 9; turn++) await null
  await reader.cancel()
  expect((await read).done).toBe(true)
  expect(await repo.resolve('HEAD')).toBe(main.head.oid)
  const asked = sent.map(({ message }) => (message as { value?: { kind: string } }).value?.kind)
  expect(asked.filter((kind) => kind === 'next')).toEqual([])
  expect(asked.filter((kind) => kind === 'open')).toHaveLength(2)
  repo.close()
})

function partOf(bytes: Uint8Array) {
  return (offset: number, length: number) => bytes.subarray(offset, offset + length)
}

describe('Files of a source that stays', () => {
  /** Counts open files, and whether the store is open. */
  function counted(store: ReturnType<typeof storeFor>) {
    const counts = { opened: 0, closed: 0, stores: 0 }
    const counting = {
      ...store,
      open(name: string, bytes: Uint8Array) {
        const file = store.open(name, bytes)
        if (!file) return null
        counts.opened += 1
        return {
          ...{ size: file.size, stamp: file.stamp, blockSize: file.blockSize },
          readInto: (offset: number, target: Uint8Array) => file.readInto(offset, target),
          close() {
            counts.closed += 1
            file.close?.()
          },
        }
      },
      list: (name: string, bytes: Uint8Array) => store.list(name, bytes),
      close() {
        counts.stores += 1
      },
    }
    return { counting, counts }
  }

  test('are closed when the core closes them, the worker dies, or the repository is closed', async () => {
    const { counting, counts } = counted(storeFor(folderOf(fixture('loose'))))
    const { repo, ends } = await opened({ get() {} }, () => counting)
    for (const { oid } of fixture('loose').objects.slice(0, 50)) await repo.read(oid)
    await expect.poll(() => counts.closed).toBeGreaterThan(40)
    expect(counts.closed).toBeLessThan(counts.opened)
    ends.died?.('of old age')
    expect([counts.closed, counts.stores]).toEqual([counts.opened, 0])
    await repo.read(fixture('loose').head.oid ?? '')
    expect(counts.closed).toBeLessThan(counts.opened)
    repo.close()
    repo.close()
    expect([counts.closed, counts.stores]).toEqual([counts.opened, 1])
  })
})

const nonsense = [
  undefined,
  null,
  0,
  'text',
  [],
  {},
  { ask: 'x' },
  { answer: 'x' },
  { answer: 99_999, value: 1 },
  { failed: 99_999 },
  { failed: 99_999, value: { kind: 'nonsense' } },
  { abort: 99_999 },
  { notify: true },
  { notify: true, value: null },
  { notify: true, value: { kind: 'nonsense' } },
  { notify: true, value: { kind: 'end', number: 'x' } },
  { notify: true, value: { kind: 'close', file: {} } },
]

const unanswerable = [
  { ask: 77_777 },
  { ask: 77_778, value: null },
  { ask: 77_779, value: { kind: 'nonsense' } },
  { ask: 77_780, value: { kind: 'next', number: 5, capacity: 100 } },
  { ask: 77_781, value: { kind: 'batch' } },
  { ask: 77_782, value: { kind: 'list', path: 5 } },
]

describe('A malformed message', () => {
  test.each(['page', 'worker'] as const)('does nothing to the %s', async (end) => {
    const { repo, ends } = await opened(asyncStoreOf(folderOf(main)))
    for (const message of nonsense) ends[end]?.(structuredClone(message))
    expect((await repo.read(oid)).oid).toBe(oid)
    repo.close()
  })

  test.each(['page', 'worker'] as const)('that asks the %s gets an error', async (end) => {
    const { repo, ends, sent } = await opened(asyncStoreOf(folderOf(main)))
    for (const message of unanswerable) ends[end]?.(structuredClone(message))
    expect((await repo.read(oid)).oid).toBe(oid)
    const failed = sent.filter(({ from, arrived }) => from === end && 'failed' in Object(arrived))
    expect(failed.map(({ arrived }) => (arrived as { failed: number }).failed).sort()).toEqual(
      unanswerable.map(({ ask }) => ask),
    )
    repo.close()
  })

  test('ends the call that it answers, and no other', async () => {
    const { repo, ends } = await opened(folderOf(main))
    const numberOfNext = 2
    const answer = errorOf(async () => {
      throw new PacklensError(
        'INTERNAL',
        String(await repo.resolve('HEAD').catch((e) => e.message)),
      )
    }, isPacklensError)
    ends.page?.({ failed: numberOfNext, value: 5 })
    expect((await answer).message).toContain('cannot be read')
    expect(await repo.resolve('HEAD')).toBe(main.head.oid)
    repo.close()
  })
})

describe('Frames', () => {
  test('yield the same however they are split', () => {
    const pages = [noise(1, 1), noise(2, 5000), noise(3, 64), noise(4, 70_000)]
    const writer = new PageWriter()
    for (const page of pages) writer.page(page)
    writer.fail({ kind: 'value', text: 'no more' })
    writer.end()
    const all = Buffer.concat(writer.take())
    const expected = Buffer.concat(pages)
    for (const size of [1, 2, 3, 7, 4096, 65_536, all.length]) {
      const pieces: Uint8Array[] = []
      for (let at = 0; at < all.length; at += size) {
        pieces.push(new Uint8Array(all.subarray(at, at + size)))
      }
      const reader = new PageReader()
      const { bytes, failure } = reader.read(pieces)
      expect(expected.equals(bytes)).toBe(true)
      expect([failure, reader.ended]).toEqual([{ kind: 'value', text: 'no more' }, true])
    }
  })

  test('of an impossible length are CORRUPT', async () => {
    const bytes = new Uint8Array([0xff, 0, 0, 0])
    const error = await errorOf(() => new PageReader().read([bytes]), isPacklensError)
    expect(error.code).toBe('CORRUPT')
  })
})

describe('A source', () => {
  class OfAClass {
    get() {
      return null
    }
  }
  const circle: Record<string, unknown> = {}
  circle.again = circle

  test.each([
    ['with methods', storeOf(folderOf(main))],
    ['whose methods are in a class', new OfAClass()],
    ['with methods within', { packs: [{ pack: { size: 1, read() {} } }] }],
    ['of a class with data', { headers: new Headers({ a: 'b' }) }],
    ['that is a circle', circle],
    ['that is a map', new Map()],
  ])('%s stays in the page', (_, source) => {
    expect(serializeSource(source)).toBeNull()
  })

  test('of data crosses, with the bytes of its views and no others', () => {
    const source = {
      packs: [{ pack: inTheMiddle(noise(1, 100)), idx: Buffer.from('in a pool') }],
      refs: { __proto__: null, HEAD: 'ref: refs/heads/main' },
      url: new URL('https://example.org/a b'),
      nothing: [undefined, null, 5, true, 1n],
    }
    const { value, transfer } = serializeSource(source)
    const copy = deserializeSource(structuredClone(value, { transfer }))
    expect(copy).toEqual({ ...source, packs: [{ ...source.packs[0], idx: bytes('in a pool') }] })
    expect(copy.packs[0].pack.buffer.byteLength).toBe(100)
    expect(copy.packs[0].idx.buffer.byteLength).toBe(9)
    expect(source.packs[0]?.pack.byteLength).toBe(100)
    expect(copy.url).toBeInstanceOf(URL)
  })

  test('of files crosses with their paths', async () => {
    const files = filesOf(folderOf(main))
    const { value, transfer } = serializeSource(files)
    const copies: File[] = deserializeSource(structuredClone(value, { transfer }))
    expect(copies.map(({ webkitRelativePath, size }) => [webkitRelativePath, size])).toEqual(
      files.map(({ webkitRelativePath, size }) => [webkitRelativePath, size]),
    )
    using direct = await open(files)
    expect((await direct.read('HEAD')).oid).toBe(main.head.oid)
  })
})

function bytes(text: string): Uint8Array {
  return new TextEncoder().encode(text)
}
