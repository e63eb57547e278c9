/** What the page asks of the worker, and the worker of the page. */

import type { SessionOptions } from '../core-session.js'
import type { BatchRequest } from '../engine.js'
import type { LongQuestion } from '../protocol.js'
import type { FileFacts } from '../source/store.js'
import type { decodeStats } from '../stats.js'
import type { BatchPlace, ObjectType } from '../types.js'

/** How the worker comes to the module: compiled, or as usual. */
export type ModuleSource = WebAssembly.Module | undefined

export type PageQuestion =
  | {
      readonly kind: 'open'
      /** A source and its options, if they crossed; `null` if they stayed. */
      readonly source: { readonly value: unknown } | null
      readonly options: SessionOptions
      readonly module: ModuleSource
    }
  | { readonly kind: 'read'; readonly spec: string; readonly type: ObjectType | undefined }
  | { readonly kind: 'info' | 'resolve'; readonly spec: string }
  | { readonly kind: 'reference'; readonly name: string; readonly short: boolean }
  | { readonly kind: 'batch'; readonly request: BatchRequest }
  /** The next page of a listing; the first time with what it is. */
  | {
      readonly kind: 'next'
      readonly number: number
      readonly request: LongQuestion | undefined
      readonly capacity: number
    }
  /** What there is to share of a long answer; the first time with what it is. */
  | {
      readonly kind: 'stretches'
      readonly number: number
      readonly request: LongQuestion | undefined
    }
  /** The next page of what was claimed, and what more is. */
  | {
      readonly kind: 'stretch'
      readonly number: number
      readonly claims: readonly (number | null)[]
      readonly capacity: number
      /** A buffer to be filled again. */
      readonly spare: ArrayBuffer | undefined
    }
  /** What others read for a walk. */
  | { readonly kind: 'putLinks'; readonly rows: Uint8Array<ArrayBuffer> }

/** What the page says without asking. */
export type PageNotice =
  | { readonly kind: 'end'; readonly number: number }
  | { readonly kind: 'refresh' }
  /** What others told. */
  | { readonly kind: 'put'; readonly number: number; readonly told: Uint8Array<ArrayBuffer> }

/** What the worker says without asking: how far opening has come. */
export interface WorkerNotice {
  readonly kind: 'progress'
  readonly done: number
  readonly total: number
}

/** Paths by the numbers of files, as rows have them. */
export type Paths = readonly (readonly [file: number, path: string])[]

export interface WireBatch {
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly next: BatchPlace | null
  readonly paths: Paths
}

/** Frames, in as many pieces as they come: see `framing.ts`. */
export interface WirePage {
  readonly frames: readonly Uint8Array<ArrayBuffer>[]
  readonly paths: Paths
}

/** A page of stretches, and how many of them are done. */
export interface WireStretch extends WirePage {
  readonly finished: number
}

/** The counters, which go with every answer: see `stats.ts`. */
export type Counters = Parameters<typeof decodeStats>

export type StoreQuestion =
  | { readonly kind: 'fetch'; readonly oids: readonly string[] }
  | { readonly kind: 'list'; readonly path: string; readonly bytes: Uint8Array }
  | {
      readonly kind: 'open'
      readonly path: string
      readonly bytes: Uint8Array
      readonly near: number | undefined
    }
  | {
      readonly kind: 'read'
      readonly file: number
      readonly offset: number
      readonly length: number
    }

/** What the worker says of the files it asked for. */
export interface StoreNotice {
  readonly kind: 'close'
  readonly file: number
}

/** A file of the page. */
export type WireFile = Omit<FileFacts, 'close'> & { readonly file: number }
