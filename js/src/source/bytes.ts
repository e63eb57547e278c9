/** Bytes in memory, blobs, and objects that hand out parts of themselves. */
import { PacklensError } from '../errors.js'
import type { MaybePromise } from '../maybe.js'
import { isPromise } from '../maybe.js'
import type { ReadOptions, StoredFile } from './store.js'

/** A file that is sliced, as hyparquet has it; an `ArrayBuffer` is one. */
export interface AsyncBuffer {
  readonly byteLength: number
  slice(start: number, end?: number): MaybePromise<ArrayBuffer>
}

/** A file that is read by place. */
export interface RandomAccess {
  /** The size of the whole file in bytes. */
  readonly size: number
  /**
   * Returns exactly `length` bytes from `offset` on, or throws. A method that
   * never returns a promise makes a synchronous source.
   */
  read(offset: number, length: number, options?: ReadOptions): MaybePromise<Uint8Array>
}

/** A file, wherever its bytes are. */
export type ByteSource = ArrayBuffer | Uint8Array | Blob | AsyncBuffer | RandomAccess

/** Memory is there at once: small blocks keep what is copied to what is needed. */
const MEMORY_BLOCK = 64 << 10

/** A read of a blob costs half a millisecond, however short it is. */
const BLOB_BLOCK = 1 << 20

const ANY_BLOCK = 256 << 10

export function fileFrom(source: ByteSource): StoredFile {
  if (source instanceof ArrayBuffer) return memoryFile(new Uint8Array(source))
  if (source instanceof Uint8Array) return memoryFile(source)
  if (typeof Blob !== 'undefined' && source instanceof Blob) return blobFile(source)
  if ('byteLength' in source && typeof source.slice === 'function') return slicedFile(source)
  if ('size' in source && typeof (source as RandomAccess).read === 'function') {
    return accessFile(source as RandomAccess)
  }
  const what = 'not a source of bytes: give an ArrayBuffer, a Uint8Array, a Blob, or { size, read }'
  throw new PacklensError('BAD_INPUT', what)
}

function memoryFile(bytes: Uint8Array): StoredFile {
  return {
    size: bytes.byteLength,
    stamp: 1,
    blockSize: MEMORY_BLOCK,
    readInto(offset, target) {
      const from = bytes.subarray(offset, offset + target.byteLength)
      target.set(from)
      return from.byteLength
    },
  }
}

function blobFile(blob: Blob): StoredFile {
  const stamp = 'lastModified' in blob ? Number(blob.lastModified) : 1
  return {
    size: blob.size,
    stamp,
    blockSize: BLOB_BLOCK,
    async read(offset, length) {
      try {
        return new Uint8Array(await blob.slice(offset, offset + length).arrayBuffer())
      } catch (cause) {
        const what = 'the file changed or is gone since it was opened'
        throw new PacklensError('CHANGED', what, { cause })
      }
    },
  }
}

function slicedFile(source: AsyncBuffer): StoredFile {
  return {
    size: source.byteLength,
    stamp: 1,
    blockSize: ANY_BLOCK,
    read: async (offset, length) => new Uint8Array(await source.slice(offset, offset + length)),
  }
}

function accessFile(source: RandomAccess): StoredFile {
  const file = { size: source.size, stamp: 1, blockSize: ANY_BLOCK }
  const read = async (offset: number, length: number, options: ReadOptions) =>
    await source.read(offset, length, options)
  // Only asking shows whether it answers at once.
  const probe = source.size > 0 ? source.read(0, 1) : new Uint8Array()
  if (isPromise(probe)) {
    probe.catch(() => {})
    return { ...file, read }
  }
  return {
    ...file,
    readInto(offset, target) {
      const bytes = source.read(offset, target.byteLength) as Uint8Array
      target.set(bytes.subarray(0, target.byteLength))
      return bytes.byteLength
    },
  }
}
