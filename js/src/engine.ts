/**
 * The seam between the API and what answers it: plain questions, and answers of
 * text, numbers and bytes, which could come from another thread as well.
 */
import type { MaybePromise } from './maybe.js'
import type { BatchQuestion, LongQuestion } from './protocol.js'
import type { QuestionOptions } from './session.js'
import type { BatchPlace, ObjectType, Stats } from './types.js'

/** What is asked for of an object; bits, as `read` of the core has them. */
export const CONTENT = 1
export const STORAGE = 2

/** The same, of each of many objects. */
export type Fields = Pick<BatchQuestion, 'content' | 'storage'>

/** What a batch is to read. */
export interface BatchRequest {
  /** Each spec behind its length in 4 bytes. */
  readonly specs: Uint8Array<ArrayBuffer>
  readonly fields: Fields
  readonly packOrder: boolean
  readonly start: BatchPlace
  /** The most bytes of the answer. */
  readonly capacity: number
}

/** Rows, and where to go on: `null` after the last. */
export interface BatchAnswer {
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly next: BatchPlace | null
  readonly pathOf: PathOf
}

/** A row without content, and the path of the pack that the object is in. */
export interface InfoAnswer {
  readonly row: ArrayBuffer
  readonly pack: string | null
}

export type PathOf = (file: number) => string | undefined

/** A long answer, which goes on only when it is asked to. */
export interface Pages {
  /** True once the last page was handed over. */
  readonly done: boolean
  /** Returns what comes next, about `capacity` bytes of it, in memory of its own. */
  next(capacity: number, options: QuestionOptions): MaybePromise<Uint8Array<ArrayBuffer>>
  /**
   * As `next`, in memory that may be used again: good until anything else is
   * asked of any repository of this thread.
   */
  lend(capacity: number, options: QuestionOptions): MaybePromise<Uint8Array<ArrayBuffer>>
  /** The paths of the files that its rows name. */
  readonly pathOf: PathOf
  /** Frees what it held. Safe at any time, and twice. */
  end(): void
}

/** What there is to share of a long answer. */
export interface Stretches {
  /** How many stretches there are; none if it is best made by one engine alone. */
  readonly count: number
  /** What it is about, in hex: engines that see the same may share it. */
  readonly state: string
}

/**
 * A long answer of which several engines make some stretches each. What it takes
 * to get ready is made first, and nothing else before it is claimed.
 */
export interface SharedPages {
  /** To be asked first, and once more when it is ready: then it is sure. */
  stretches(options: QuestionOptions): MaybePromise<Stretches>
  /**
   * Of how many that were claimed not all pages were taken; getting ready is one.
   */
  readonly unfinished: number
  /** How many that were claimed are not made: pages may be made ahead. */
  readonly unmade: number
  /** Has a stretch made, behind those claimed before; `null`: what comes behind all. */
  claim(stretch: number | null): void
  /** Returns what comes next: an empty page if nothing is claimed. */
  next(capacity: number, options: QuestionOptions): MaybePromise<Uint8Array<ArrayBuffer>>
  /** As `next`, in memory that is used again once it is given back. */
  lend(capacity: number, options: QuestionOptions): MaybePromise<Uint8Array<ArrayBuffer>>
  giveBack(page: Uint8Array<ArrayBuffer>): void
  /** Takes in what another engine tells. */
  put(told: Uint8Array<ArrayBuffer>): void
  readonly pathOf: PathOf
  end(): void
}

/** A repository that is open, here or elsewhere. */
export interface Engine {
  /** The bytes of an object id. */
  readonly oidLength: number
  /** Whether it answers in this thread. */
  readonly inThread: boolean
  /** Returns a row with the content: of the object of `type` that `spec` leads to, if given. */
  read(
    spec: string,
    type: ObjectType | undefined,
    options: QuestionOptions,
  ): MaybePromise<ArrayBuffer>
  info(spec: string, options: QuestionOptions): MaybePromise<InfoAnswer>
  /** Returns an object id, as text. */
  resolve(spec: string, options: QuestionOptions): MaybePromise<string>
  /** Returns the record of one ref, nothing if there is none; `short`: by git's rules. */
  reference(name: string, short: boolean, options: QuestionOptions): MaybePromise<ArrayBuffer>
  /** Reads many objects, into `into` if that is given. */
  batch(
    request: BatchRequest,
    into: Uint8Array<ArrayBuffer> | undefined,
    options: QuestionOptions,
  ): MaybePromise<BatchAnswer>
  /** Asks nothing before the first page is wanted. */
  pages(request: LongQuestion): Pages
  /** As `pages`, to be made in stretches. */
  shared(request: LongQuestion): SharedPages
  /**
   * Takes in what commits lead to, as another engine told it, for walks that are under
   * way; tells whether there is memory for more.
   */
  putLinks(rows: Uint8Array<ArrayBuffer>): MaybePromise<boolean>
  stats(): Stats
  /** Has refs looked at anew, where that takes a way to a server. */
  refresh(): void
  /** Safe at any time, and twice. */
  close(): void
}
