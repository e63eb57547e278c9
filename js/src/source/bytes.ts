/** Files of bytes in memory, of blobs, and of objects with a method `slice` or `read`. */

import { PacklensError } from '../base/errors.js'
import type { MaybePromise } from '../base/maybe.js'
import { whenReady } from '../base/maybe.js'
import type { Blob } from '../base/platform-types.js'
import type { ReadOptions, StoredFile } from './store.js'

/** A file that is read by slices, in the shape of hyparquet; an `ArrayBuffer` is one. */
export interface AsyncBuffer {
  /** The size of the whole file in bytes. */
  readonly byteLength: number
  /**
   * Returns the bytes from `start` to before `end`. A method that never returns
   * a promise makes a synchronous source.
   */
  slice(start: number, end?: number): MaybePromise<ArrayBuffer>
}

/** A file that is read by offset and length. */
export interface RandomAccess {
  /** The size of the whole file in bytes. */
  readonly size: number
  /**
   * Returns exactly `length` bytes from `offset` on, or throws. A method that
   * never returns a promise makes a synchronous source.
   */
  read(offset: number, length: number, options?: ReadOptions): MaybePromise<Uint8Array>
  /** A number that changes when the file does. Default: another object is another file. */
  readonly stamp?: number | undefined
  /** Called when the file is no longer needed. */
  close?(): void
}

/**
 * A file. Its bytes must not change while it is open: a read of a `Blob` that changed, or of a
 * source that returns fewer bytes than requested, fails with `CHANGED`. If a source of your own
 * throws, the call fails with `SOURCE`, whose `cause` is the original error.
 */
export type ByteSource = ArrayBuffer | Uint8Array | Blob | AsyncBuffer | RandomAccess

/** Bytes. Reads of memory have no latency, so small blocks save copies of bytes not needed. */
const MEMORY_BLOCK = 64 << 10

/**
 * A read of a blob takes as long as a third of a MiB of it: half a millisecond and more. Blocks are
 * short at first, for callers that show one commit.
 */
const BLOB_BLOCKS = { blockSize: 8 << 10, largestBlock: 128 << 10 }

const ANY_BLOCK = 256 << 10

/** A stamp for each source, so that another source is detected as a change. */
const stamps = new WeakMap<object, number>()
let lastStamp = 0

function stampOf(source: object): number {
  const stamp = stamps.get(source) ?? ++lastStamp
  stamps.set(source, stamp)
  return stamp
}

/** The files that {@link sourceOf} returned in the shape that callers use. */
const storedFiles = new WeakMap<object, StoredFile>()

/** Returns a file in the shape that callers use; {@link fileFrom} returns the file again. */
export function sourceOf(file: StoredFile): RandomAccess {
  const source: RandomAccess = {
    size: file.size,
    stamp: file.stamp,
    read: (offset, length, options = {}) => bytesIn(file, offset, length, options),
    close: () => file.close?.(),
  }
  storedFiles.set(source, file)
  return source
}

function bytesIn(
  file: StoredFile,
  offset: number,
  length: number,
  options: ReadOptions,
): MaybePromise<Uint8Array> {
  if ('read' in file) return file.read(offset, length, options)
  const target = new Uint8Array(length)
  const filled =
    'handle' in file ? file.handle.read(target, { at: offset }) : file.readInto(offset, target)
  return target.subarray(0, filled)
}

export function fileFrom(source: ByteSource): StoredFile {
  const stored = typeof source === 'object' && source !== null && storedFiles.get(source)
  if (stored) return stored
  if (source instanceof ArrayBuffer) return memoryFile(viewOf(source), stampOf(source))
  if (source instanceof Uint8Array) return memoryFile(viewOf(source), stampOf(source))
  if (typeof Blob !== 'undefined' && source instanceof Blob) return blobFile(source)
  if (typeof source === 'object' && source !== null) {
    if ('byteLength' in source && typeof source.slice === 'function') return slicedFile(source)
    if ('read' in source && typeof source.read === 'function') return accessFile(source)
  }
  const what = 'not a source of bytes: give an ArrayBuffer, a Uint8Array, a Blob, or { size, read }'
  throw new PacklensError('BAD_INPUT', what)
}

/** Returns a view; @throws `BAD_INPUT` if the memory was transferred, to a worker say. */
function viewOf(source: ArrayBuffer | Uint8Array): Uint8Array {
  const buffer = source instanceof Uint8Array ? source.buffer : source
  if (isDetached(buffer)) {
    const what =
      'these bytes were transferred to another thread: give them before that, or give a copy'
    throw new PacklensError('BAD_INPUT', what)
  }
  return source instanceof Uint8Array ? source : new Uint8Array(source)
}

/**
 * Returns whether a buffer is detached. Only the newest platforms have a property for that; on
 * others, making a view fails.
 */
function isDetached(buffer: ArrayBufferLike): boolean {
  try {
    new Uint8Array(buffer)
    return false
  } catch {
    return true
  }
}

function memoryFile(bytes: Uint8Array, stamp: number): StoredFile {
  return {
    size: bytes.byteLength,
    stamp,
    blockSize: MEMORY_BLOCK,
    readInto(offset, target) {
      const from = bytes.subarray(offset, offset + target.byteLength)
      target.set(from)
      return from.byteLength
    },
  }
}

function blobFile(blob: Blob): StoredFile {
  const modified = 'lastModified' in blob ? Number(blob.lastModified) : 0
  return {
    size: blob.size,
    stamp: modified > 0 ? modified : stampOf(blob),
    ...BLOB_BLOCKS,
    async read(offset, length) {
      try {
        return new Uint8Array(await blob.slice(offset, offset + length).arrayBuffer())
      } catch (cause) {
        throw unreadable(cause)
      }
    },
  }
}

/** Returns the error for a file that the browser does not read, with what to do about it. */
export function unreadable(cause: unknown): PacklensError {
  const denied = ['NotAllowedError', 'SecurityError'].includes((cause as Error | null)?.name ?? '')
  if (!denied) {
    const what = 'the file changed or was deleted after it was opened: open the repository again'
    return new PacklensError('CHANGED', what, { cause })
  }
  const what =
    'the browser does not allow reading this: on the next click, `await handle.requestPermission()` or have the user pick it again; then open the repository again'
  return new PacklensError('BAD_INPUT', what, { cause })
}

function slicedFile(source: AsyncBuffer): StoredFile {
  return {
    size: checkedSize(source.byteLength),
    stamp: stampOf(source),
    blockSize: ANY_BLOCK,
    read: (offset, length) =>
      whenReady(source.slice(offset, offset + length), (buffer) => {
        if (isBuffer(buffer)) return new Uint8Array(buffer)
        throw new PacklensError('BAD_INPUT', '`slice` of a source must return an ArrayBuffer')
      }),
  }
}

/** Returns whether a value is a buffer, also one of another realm, unlike `instanceof`. */
function isBuffer(value: unknown): value is ArrayBuffer {
  return /^\[object (Shared)?ArrayBuffer\]$/.test(Object.prototype.toString.call(value))
}

function accessFile(source: RandomAccess): StoredFile {
  return {
    size: checkedSize(source.size),
    stamp: source.stamp ?? stampOf(source),
    blockSize: ANY_BLOCK,
    close: () => source.close?.(),
    read: (offset, length, options) =>
      whenReady(source.read(offset, length, options), (bytes) => {
        if (bytes instanceof Uint8Array) return bytes
        throw new PacklensError('BAD_INPUT', '`read` of a source must return a Uint8Array')
      }),
  }
}

function checkedSize(size: number): number {
  if (Number.isSafeInteger(size) && size >= 0) return size
  const what = 'the size of a source must be a whole number of bytes'
  throw new PacklensError('BAD_INPUT', what, { subject: `${size}` })
}
