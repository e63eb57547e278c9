/** Packs from streams: stores their bytes in a sink, from which they are read. */

import { PacklensError } from '../base/errors.js'
import type { MaybePromise } from '../base/maybe.js'
import type { AbortSignal, ReadableBytes } from '../base/platform-types.js'
import { checkAborted, Waiting } from '../base/waiting.js'
import type { PackCompletion } from '../packs/index-pack.js'
import type { RandomAccess } from './bytes.js'
import { guarded } from './failed.js'
import { MemorySink } from './memory-sink.js'
import type { ReadOptions } from './store.js'

/** A stream of bytes: the body of a response, or the standard input of Node. */
export type ByteStream = ReadableBytes | AsyncIterable<Uint8Array>

/**
 * Stores the bytes of a pack from a stream and returns them again, because each is needed
 * twice. For instance, a file of OPFS or of Node:
 *
 * ```ts
 * const file = await handle.createSyncAccessHandle()
 * const sink: PackSink = {
 *   write: (offset, bytes) => void file.write(bytes, { at: offset }),
 *   read(offset, length) {
 *     const bytes = new Uint8Array(length)
 *     file.read(bytes, { at: offset })
 *     return bytes
 *   },
 * }
 * ```
 */
export interface PackSink {
  /**
   * Writes bytes at an offset: after all earlier bytes, except those that complete a thin
   * pack. The sink must write or copy them before the call, or its promise, is done.
   */
  write(offset: number, bytes: Uint8Array): MaybePromise<void>
  /** Returns exactly `length` written bytes from `offset` on. */
  read(offset: number, length: number, options?: ReadOptions): MaybePromise<Uint8Array>
}

/** The default of `maxInputSize` for packs in memory, in bytes. */
const MOST_IN_MEMORY = 1 << 30

/** The offset of the number of objects in the header of a pack. */
const COUNT_OFFSET = 8

/** The first bytes of a pack: `PACK`. */
const SIGNATURE = [0x50, 0x41, 0x43, 0x4b]

/** The options of receiving a pack from a stream. */
export interface ReceiveOptions {
  /**
   * The sink for the bytes of a pack from a stream. Default: memory, which does not count
   * towards the option `memory`; the result returns the bytes then.
   */
  readonly sink?: PackSink | undefined
  /** The most bytes of a pack from a stream. Default: 1 GiB; no limit with a `sink`. */
  readonly maxInputSize?: number | undefined
  readonly signal?: AbortSignal | undefined
  /** Called with the number of bytes received so far. */
  readonly report?: (bytes: number) => void
}

/** A pack that was received: the source reads its bytes, and the sink completes it. */
export interface Received {
  readonly source: RandomAccess
  readonly sink: PackSink
  /** Returns the bytes in order; `undefined` unless they are in memory. */
  readonly pieces: (() => Uint8Array<ArrayBuffer>[]) | undefined
}

export function isStream(source: unknown): source is ByteStream {
  if (typeof source !== 'object' || source === null || 'slice' in source) return false
  return 'getReader' in source || Symbol.asyncIterator in source
}

/**
 * Stores a stream to its end, or until its beginning shows that it is not a pack.
 *
 * @throws `CORRUPT` if it is not a pack, `LIMIT` if it is too long, `ABORTED` by `signal`,
 * `SOURCE` if the stream or the sink fails
 */
export async function receive(stream: ByteStream, options: ReceiveOptions): Promise<Received> {
  const { signal, report } = options
  const memory = options.sink ? undefined : new MemorySink()
  const sink = guardedSink(options.sink ?? (memory as MemorySink))
  const most = mostOf(options)
  let size = 0
  for await (const bytes of pieces(stream, signal)) {
    if (!(bytes instanceof Uint8Array)) {
      throw new PacklensError('BAD_INPUT', 'a stream of a pack must yield Uint8Arrays')
    }
    for (let at = size; at < Math.min(size + bytes.byteLength, SIGNATURE.length); at++) {
      if (bytes[at - size] === SIGNATURE[at]) continue
      throw new PacklensError('CORRUPT', 'not a pack: its signature is missing', { offset: 0 })
    }
    if (size + bytes.byteLength > most) {
      const what = 'the pack is longer than `maxInputSize`: raise it, or give a `sink`'
      throw new PacklensError('LIMIT', what, { subject: `${most}` })
    }
    await sink.write(size, bytes)
    size += bytes.byteLength
    report?.(size)
  }
  const read = (offset: number, length: number, options?: ReadOptions) =>
    sink.read(offset, length, options)
  return { source: { size, read }, sink, pieces: memory && (() => memory.pieces()) }
}

/** Returns a sink that wraps what the caller's sink throws in errors of packlens. */
function guardedSink(sink: PackSink): PackSink {
  return {
    write: (offset, bytes) => guarded(() => sink.write(offset, bytes), '`sink.write` failed'),
    read: (offset, length, options) =>
      guarded(() => sink.read(offset, length, options), '`sink.read` failed'),
  }
}

function mostOf({ sink, maxInputSize }: ReceiveOptions): number {
  return maxInputSize ?? (sink ? Number.POSITIVE_INFINITY : MOST_IN_MEMORY)
}

/** Reads a stream piece by piece. An abort, or leaving the loop, cancels the stream. */
async function* pieces(
  stream: ByteStream,
  signal: AbortSignal | undefined,
): AsyncGenerator<Uint8Array, undefined> {
  const { next, leave } = 'getReader' in stream ? ofReader(stream) : ofIterable(stream)
  const waiting = new Waiting()
  let ended = false
  try {
    for (;;) {
      checkAborted(signal)
      const pulled = guarded(next, 'the stream of a pack failed') as Promise<Uint8Array | undefined>
      const piece = await waiting.until(pulled, signal)
      ended = piece === undefined
      if (piece === undefined) return
      yield piece
    }
  } finally {
    // The cancellation is not awaited, because the source may hang.
    if (!ended) leave()
  }
}

interface Pulled {
  next(): Promise<Uint8Array | undefined>
  leave(): void
}

/** Reads by a reader, because not every browser can iterate over streams. */
function ofReader(stream: ReadableStream<Uint8Array>): Pulled {
  const reader = stream.getReader()
  return {
    async next() {
      const { done, value } = await reader.read()
      return done ? undefined : value
    },
    leave: () => void reader.cancel().catch(() => {}),
  }
}

function ofIterable(stream: AsyncIterable<Uint8Array>): Pulled {
  const iterator = stream[Symbol.asyncIterator]()
  return {
    async next() {
      const { done, value } = await iterator.next()
      return done ? undefined : value
    },
    leave: () => void iterator.return?.().catch(() => {}),
  }
}

/** Completes a thin pack in its sink: writes the number of objects and the tail. */
export async function complete(
  { source, sink }: Received,
  { objects, tail }: PackCompletion,
  hashLength: number,
): Promise<void> {
  const count = new Uint8Array(4)
  new DataView(count.buffer).setUint32(0, objects)
  await sink.write(COUNT_OFFSET, count)
  await sink.write(source.size - hashLength, tail)
}
