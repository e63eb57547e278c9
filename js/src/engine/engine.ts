/**
 * The interface between the API and the engines that answer it. Questions and answers are
 * text, numbers and bytes, so that an engine can be in another thread.
 */
import type { MaybePromise } from '../base/maybe.js'
import type { BatchQuestion, LongQuestion } from '../base/protocol.js'
import type { BatchPlace, ObjectType, Stats } from '../base/types.js'
import type { QuestionOptions } from '../session/session.js'

/** The requested fields of each object, in a question about many objects. */
export type Fields = Pick<BatchQuestion, 'content' | 'storage'>

/** A request to read many objects. */
export interface BatchRequest {
  /** The specs, each after its length (4 bytes, little-endian). */
  readonly specs: Uint8Array<ArrayBuffer>
  readonly fields: Fields
  readonly packOrder: boolean
  readonly start: BatchPlace
  /** The most bytes of the answer. */
  readonly capacity: number
}

/** Rows, and the position to resume at: `null` after the last row. */
export interface BatchAnswer {
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly next: BatchPlace | null
  readonly pathOf: PathOf
}

/** A row without content, and the path of the object's pack, `null` if it is in none. */
export interface InfoAnswer {
  readonly row: ArrayBuffer
  readonly pack: string | null
}

/** Returns the path of a file by its number in a row or an error. */
export type PathOf = (file: number) => string | undefined

/** A long answer, each page of which is made when it is requested. */
export interface Pages {
  /** True once the last page was returned. */
  readonly done: boolean
  /** Returns the next page, of about `capacity` bytes, in an `ArrayBuffer` of its own. */
  next(capacity: number, options: QuestionOptions): MaybePromise<Uint8Array<ArrayBuffer>>
  /**
   * Returns the next page in memory that is reused: valid until the next call to any
   * repository of this thread.
   */
  lend(capacity: number, options: QuestionOptions): MaybePromise<Uint8Array<ArrayBuffer>>
  /** Returns the paths of the files that the last page names. */
  readonly pathOf: PathOf
  /** Frees the memory of the answer. Can be called at any time, and twice. */
  end(): void
}

/** The work units of a long answer. */
export interface WorkUnits {
  /** The number of work units; 0 if one engine has to make the whole answer. */
  readonly count: number
  /** A fingerprint of what the answer covers, in hex: engines with the same may share it. */
  readonly fingerprint: string
}

/**
 * A long answer of which several engines make some work units each. The preparation, such as
 * reading the order of a pack, comes first; nothing else is made before it is claimed.
 */
export interface SharedPages {
  /**
   * Returns the work units. To be called first, and again after the preparation, because the
   * number is not final before.
   */
  workUnits(options: QuestionOptions): MaybePromise<WorkUnits>
  /**
   * The number of claimed work units of which not all pages were taken; the preparation
   * counts as one.
   */
  readonly unfinished: number
  /** The number of claimed work units that are not made; pages may be made ahead. */
  readonly unmade: number
  /** Claims a work unit, to be made after the earlier claims; `null` for the final pages. */
  claim(workUnit: number | null): void
  /** Returns the next page; an empty one if nothing is claimed. */
  next(capacity: number, options: QuestionOptions): MaybePromise<Uint8Array<ArrayBuffer>>
  /** As `next`, in memory that is reused: by the next call in this thread, or after `giveBack`. */
  lend(capacity: number, options: QuestionOptions): MaybePromise<Uint8Array<ArrayBuffer>>
  giveBack(page: Uint8Array<ArrayBuffer>): void
  /** Adds records that another engine made for the same answer. */
  addRecords(records: Uint8Array<ArrayBuffer>): void
  readonly pathOf: PathOf
  end(): void
}

/** An open repository, in this thread or in a worker. */
export interface Engine {
  /** The length of an object id in bytes. */
  readonly oidLength: number
  /** Whether the engine works in this thread. */
  readonly inThread: boolean
  /** Returns a row with the content of the object that `spec` names, peeled to `type` if given. */
  read(
    spec: string,
    type: ObjectType | undefined,
    options: QuestionOptions,
  ): MaybePromise<ArrayBuffer>
  info(spec: string, options: QuestionOptions): MaybePromise<InfoAnswer>
  /** Returns the id of the object that a revision names, in hex. */
  resolve(spec: string, options: QuestionOptions): MaybePromise<string>
  /**
   * Returns the record of a ref, empty if there is none. With `short`, `name` may be a short
   * name, which is resolved by git's rules.
   */
  reference(name: string, short: boolean, options: QuestionOptions): MaybePromise<ArrayBuffer>
  /** Reads many objects, into `into` if that is given. */
  batch(
    request: BatchRequest,
    into: Uint8Array<ArrayBuffer> | undefined,
    options: QuestionOptions,
  ): MaybePromise<BatchAnswer>
  /** Returns a long answer, of which nothing is made before its first page is requested. */
  pages(request: LongQuestion): Pages
  stats(): Stats
  /** Reads refs of a remote source, and replace refs of any source, again from the next call on. */
  refresh(): void
  /** Frees everything that the engine holds. Can be called at any time, and twice. */
  close(): void
}

/** What engines do to share a job. */
export interface Sharing {
  /** Returns a long answer that is made in work units. */
  shared(request: LongQuestion): SharedPages
  /**
   * Stores the links of commits that another engine read, for walks that are running.
   * Returns whether there is memory for more.
   */
  addSharedCommits(rows: Uint8Array<ArrayBuffer>): MaybePromise<boolean>
}
