/** Packs from streams: in memory, in a sink, completed, ended early. */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { Readable } from 'node:stream'
import type { PackSink } from 'packlens'
import { indexPack } from 'packlens'
import { describe, expect, test } from 'vitest'
import { packOfDelta } from './blob-pack.ts'
import { unpacked } from './cli-support.ts'
import { codeOf } from './support.ts'

const folder = path.join(unpacked, 'thin')
const older = path.join(folder, 'older.git')
const bytesOf = (name: string) => new Uint8Array(readFileSync(path.join(folder, name)))
const fixed = bytesOf('fixed.pack')
const thin = bytesOf('thin.pack')

async function* inPieces(bytes: Uint8Array, size: number) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

/** A stream of an engine that cannot iterate over streams. */
function bodyOf(bytes: Uint8Array, size: number): ReadableStream<Uint8Array> {
  const pieces = inPieces(bytes, size)
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await pieces.next()
      if (done) controller.close()
      else controller.enqueue(value)
    },
  })
}

/** A sink of the caller's, which counts the most bytes of a read. */
function fileSink() {
  let bytes = Buffer.alloc(0)
  let largest = 0
  const sink: PackSink = {
    write(offset, more) {
      const end = Math.max(bytes.length, offset + more.byteLength)
      bytes = Buffer.concat([bytes, Buffer.alloc(end - bytes.length)])
      bytes.set(more, offset)
    },
    async read(offset, length) {
      largest = Math.max(largest, length)
      return new Uint8Array(bytes.subarray(offset, offset + length))
    },
  }
  return { sink, bytes: () => bytes, largest: () => largest }
}

describe.each([1, 7, 512, 65536])('By %i bytes', (size) => {
  test.each([
    ['a body', () => bodyOf(fixed, size)],
    ['an iterable', () => inPieces(fixed, size)],
    ['a stream of Node', () => Readable.from(inPieces(fixed, size))],
  ])('%s gets the indexes of git', async (_, stream) => {
    const made = await indexPack(stream())
    expect(Buffer.from(made.idx).equals(bytesOf('fixed.idx'))).toBe(true)
    expect(Buffer.from(made.rev).equals(bytesOf('fixed.rev'))).toBe(true)
    expect(Buffer.concat(made.pack ?? []).equals(fixed)).toBe(true)
    expect(made.completion).toBe(null)
  })

  test('a thin pack is completed in its sink', async () => {
    const expected = await indexPack(bodyOf(thin, size), { repository: older })
    const pack = Buffer.concat(expected.pack ?? [])
    const alone = await indexPack(new Uint8Array(pack))
    expect([alone.oid, alone.idx]).toEqual([expected.oid, expected.idx])
    const { sink, bytes } = fileSink()
    const made = await indexPack(inPieces(thin, size), { repository: older, sink, worker: true })
    expect(bytes().equals(pack)).toBe(true)
    expect(made).toEqual({ ...expected, pack: null })
  })
})

test('Errors equal those of the same bytes in memory', async () => {
  for (let at = 0; at < fixed.length; at += 97) {
    const changed = fixed.slice()
    changed[at] = (fixed[at] as number) ^ (1 << (at % 8))
    const piece = [1, 7, 512, 65536][at % 4] as number
    const whole = await codeOf(() => indexPack(changed))
    const code = await codeOf(() => indexPack(inPieces(changed, piece)))
    expect([code, whole], `byte ${at} by ${piece}`).toEqual([whole, code])
    expect(['CORRUPT', 'UNSUPPORTED']).toContain(code)
  }
})

test('Progress reports receiving, then indexing', async () => {
  const steps: [string, number][] = []
  await indexPack(inPieces(fixed, 1000), {
    onProgress: ({ phase, done }) => steps.push([phase, done]),
  })
  const received = steps.filter(([phase]) => phase === 'receive').map(([, done]) => done)
  expect(received).toEqual([1000, 2000, 3000, 4000, fixed.length])
  expect(steps.at(-1)?.[0]).toBe('index')
})

test('A sink is read by ranges, in limited memory', async () => {
  const { pack } = packOfDelta(new Uint8Array(6 << 20).map((_, at) => (at * at) >> 7))
  const { sink, largest } = fileSink()
  const made = await indexPack(inPieces(pack, 1 << 20), { sink, memory: 32 << 20 })
  expect([made.objects, made.pack]).toEqual([2, null])
  expect(largest()).toBeLessThanOrEqual(8 << 20)
})

describe('A stream that', () => {
  /** An endless stream, which records its cancellation. */
  function endless(first: Uint8Array) {
    let [sent, left] = [0, false]
    const stream: AsyncIterable<Uint8Array> = {
      [Symbol.asyncIterator]: () => ({
        next: async () => {
          await new Promise((resolve) => setImmediate(resolve))
          return { done: false, value: sent++ === 0 ? first : new Uint8Array(1 << 16) }
        },
        return: async () => {
          left = true
          return { done: true, value: undefined }
        },
      }),
    }
    return { stream, sent: () => sent, left: () => left }
  }

  test('of something else than a pack is not read further', async () => {
    const { stream, sent, left } = endless(new TextEncoder().encode('PANG'))
    expect(await codeOf(() => indexPack(stream))).toBe('CORRUPT')
    expect([sent(), left()]).toEqual([1, true])
  })

  test('without an end is LIMIT', async () => {
    const { stream, sent, left } = endless(fixed)
    expect(await codeOf(() => indexPack(stream, { maxInputSize: 1 << 20 }))).toBe('LIMIT')
    expect([sent(), left()]).toEqual([17, true])
  })

  test('is cancelled on abort, also while it hangs', async () => {
    const controller = new AbortController()
    const { stream, left } = endless(fixed)
    setTimeout(() => controller.abort(), 5)
    const { signal } = controller
    expect(await codeOf(() => indexPack(stream, { signal }))).toBe('ABORTED')
    expect(left()).toBe(true)
    let cancelled = false
    const hangs = new ReadableStream<Uint8Array>({
      pull: () => new Promise(() => {}),
      cancel: () => {
        cancelled = true
      },
    })
    const late = AbortSignal.timeout(5)
    expect(await codeOf(() => indexPack(hangs, { signal: late }))).toBe('ABORTED')
    expect(cancelled).toBe(true)
  })

  test('fails with the error of the stream or the sink as the cause', async () => {
    const own = new Error('mine')
    const failing = async function* () {
      yield fixed.subarray(0, 100)
      throw own
    }
    const thrown = { code: 'SOURCE', cause: own }
    await expect(indexPack(failing())).rejects.toMatchObject(thrown)
    const { stream, left } = endless(fixed)
    const sink: PackSink = {
      write: () => Promise.reject(own),
      read: () => Promise.reject(own),
    }
    await expect(indexPack(stream, { sink })).rejects.toMatchObject(thrown)
    expect(left()).toBe(true)
  })

  test('is truncated, empty, too long, or not a pack is an error', async () => {
    for (const length of [0, 3, 4, 11, 12, 100, fixed.length - 1]) {
      const cut = inPieces(fixed.subarray(0, length), 64)
      expect(await codeOf(() => indexPack(cut)), `${length} bytes`).toBe('CORRUPT')
    }
    const more = inPieces(Buffer.concat([fixed, Buffer.from('x')]), 64)
    expect(await codeOf(() => indexPack(more))).toBe('CORRUPT')
    const text = (async function* () {
      yield 'PACK' as unknown as Uint8Array
    })()
    expect(await codeOf(() => indexPack(text))).toBe('BAD_INPUT')
    expect(await codeOf(() => indexPack(inPieces(fixed, 9), { maxInputSize: 0 }))).toBe('BAD_INPUT')
  })
})
