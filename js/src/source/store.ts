import type { MaybePromise } from '../base/maybe.js'
import type { AbortSignal } from '../base/platform-types.js'

/** Options of a read. */
export interface ReadOptions {
  /** Ends the read early. */
  readonly signal?: AbortSignal | undefined
}

/** Options of opening a file. */
export interface FileOpenOptions extends ReadOptions {
  /** The path in bytes. */
  readonly bytes?: Uint8Array | undefined
  /** The offset at which reading will begin, if known. */
  readonly near?: number | undefined
}

/**
 * @internal The files of a repository, stored anywhere. Paths begin in the git directory, with
 * components joined by `/`; `bytes` is the same path in the bytes that git has.
 *
 * A store whose methods return no promises is synchronous, and so is every call on its
 * repository.
 */
export interface FileStore {
  /** Returns the file at a path, `null` if there is none. */
  open(path: string, bytes: Uint8Array, options?: FileOpenOptions): MaybePromise<StoredFile | null>

  /** Returns the names in a directory; those of directories end with a slash. */
  list(
    path: string,
    bytes: Uint8Array,
    options?: ReadOptions,
  ): MaybePromise<readonly (string | Uint8Array)[]>

  /** The ids of the prerequisites: commits that must exist, as its objects build on them. */
  readonly prerequisites?: readonly string[]

  /** Makes later calls read refs again that were read before. */
  refresh?(): void

  /** Fetches missing objects, if it can: their files appear below `fetched/`. */
  fetch?(oids: readonly string[], options: ReadOptions): MaybePromise<void>

  /** Returns whether to look for replace refs. Default: true. */
  hasReplaceRefs?(): MaybePromise<boolean>

  /** The traffic, if the source is remote. */
  readonly traffic?: Traffic

  close?(): void
}

/** @internal The traffic to and from a server. */
export interface Traffic {
  readonly requests: number
  readonly receivedBytes: number
}

/** @internal A file that is open. */
export type StoredFile = FilledFile | HandleFile | LentFile

/** @internal The properties of every open file. */
export interface FileFacts {
  readonly size: number

  /** A number that changes when the file does; 0 if changes cannot be detected. */
  readonly stamp: number

  /** How many bytes are best read at a time. */
  readonly blockSize: number

  /**
   * The largest block of a file that does not stay in memory. Blocks grow up to this size, in
   * proportion to the bytes that were read of the file; those of other files sooner and further.
   * Default: blocks do not grow.
   */
  readonly largestBlock?: number

  /** Set for high latency: each read is a round trip, so that prefetching pays. */
  readonly remote?: true

  /**
   * How many bytes before the needed ones are read as well, and as many after the first of them,
   * unless a scan continues where it was: in a pack, deltas build on entries before them.
   */
  readonly before?: number

  /** The end of the bytes that opening has read: what needs no more takes no other request. */
  readonly ahead?: number

  close?(): void
}

/** A file that copies its bytes into a given buffer, synchronously. */
export interface FilledFile extends FileFacts {
  /**
   * Fills `target` from `offset` on and returns how many bytes that were. The
   * target is memory of the instance: it must be filled before this returns.
   */
  readInto(offset: number, target: Uint8Array): number
}

/** A file that the core reads itself, straight into its memory. */
export interface HandleFile extends FileFacts {
  readonly handle: AccessHandle
}

/** The methods of a `FileSystemSyncAccessHandle` that are called. */
export interface AccessHandle {
  getSize(): number
  read(target: Uint8Array, options: { at: number }): number
  close(): void
}

/** A file that returns its bytes in arrays of their own. */
export interface LentFile extends FileFacts {
  /** Returns `length` bytes from `offset` on. */
  read(offset: number, length: number, options: ReadOptions): MaybePromise<Uint8Array>
}

/**
 * Returns whether a path is that of a pack or its index. Paths of alternates begin
 * with `../` or `/`.
 */
export function isPackFile(path: string): boolean {
  return /(^|\/)pack\/[^/]+\.(pack|idx)$/.test(path)
}

/** Returns whether a path is that of a reftable, which never changes, like a pack. */
export function isTable(path: string): boolean {
  return /(^|\/)reftable\/[^/]+$/.test(path) && !path.endsWith('/tables.list')
}
