import type { MaybePromise } from '../maybe.js'
import type { AbortSignal } from '../platform-types.js'

/** What a source reads with. */
export interface ReadOptions {
  /** Ends the read early. */
  readonly signal?: AbortSignal | undefined
}

/** What a file is opened with. */
export interface FileOpenOptions extends ReadOptions {
  /** Where in it reading will begin, if that is known already. */
  readonly near?: number | undefined
}

/**
 * @internal The files of a repository, wherever they are. Paths are those of
 * the git directory, parts joined by `/`; `bytes` is the path as git has it.
 *
 * A store whose methods return no promises is synchronous, and so is all that is
 * asked of it.
 */
export interface FileStore {
  /** Returns the file at a path, `null` if there is none. */
  open(path: string, bytes: Uint8Array, options?: FileOpenOptions): MaybePromise<StoredFile | null>

  /** Returns the names in a directory; those of directories end with a slash. */
  list(path: string, bytes: Uint8Array): MaybePromise<readonly (string | Uint8Array)[]>

  /** The commits that its objects build on, which must be there: ids. */
  readonly prerequisites?: readonly string[]

  /** Looks at refs anew that were looked at before. */
  refresh?(): void

  /** Brings in objects that are nowhere, if it can: they appear below `fetched/`. */
  fetch?(oids: readonly string[], options: ReadOptions): MaybePromise<void>

  /** Tells whether replace refs are to be looked for. Default: they are. */
  hasReplaceRefs?(): MaybePromise<boolean>

  /** What was sent and received, if this is a source far away. */
  readonly traffic?: Traffic

  close?(): void
}

/** @internal What went to a server and back. */
export interface Traffic {
  readonly requests: number
  readonly receivedBytes: number
}

/** @internal A file that is open. */
export type StoredFile = FilledFile | HandleFile | LentFile

/** @internal What all kinds of open files have. */
export interface FileFacts {
  readonly size: number

  /** Changes when the file does; 0 if that cannot be told. */
  readonly stamp: number

  /** How many bytes are best read at a time. */
  readonly blockSize: number

  /**
   * How many bytes are best read at a time of a file of which much was read: blocks grow
   * up to this, in proportion to that. Default: they do not.
   */
  readonly largestBlock?: number

  /** Set where each read is a way to go: guesses of what is needed next pay. */
  readonly remote?: true

  /**
   * How many bytes before those needed are read as well, unless a scan goes on
   * where it was: in a pack, deltas rest on what lies before them.
   */
  readonly before?: number

  close?(): void
}

/** A file that puts its bytes where they are needed, at once. */
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

/** What is called of a `FileSystemSyncAccessHandle`. */
export interface AccessHandle {
  getSize(): number
  read(target: Uint8Array, options: { at: number }): number
  close(): void
}

/** A file whose bytes come in arrays of their own. */
export interface LentFile extends FileFacts {
  /** Returns `length` bytes from `offset` on. */
  read(offset: number, length: number, options: ReadOptions): MaybePromise<Uint8Array>
}

/**
 * Tells whether a path is that of a pack or its index. Those of alternates begin
 * with `../` or `/`.
 */
export function isPackFile(path: string): boolean {
  return /(^|\/)pack\/[^/]+\.(pack|idx)$/.test(path)
}

/** Tells whether a path is that of a reftable. It never changes, as packs do not. */
export function isTable(path: string): boolean {
  return /(^|\/)reftable\/[^/]+$/.test(path) && !path.endsWith('/tables.list')
}
