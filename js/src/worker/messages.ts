/** The questions and notices that page and worker send each other. */

import type { LongQuestion } from '../base/protocol.js'
import type { BatchPlace, ObjectType } from '../base/types.js'
import type { BatchRequest } from '../engine/engine.js'
import type { SessionOptions } from '../session/core-session.js'
import type { GivenModules } from '../session/modules.js'
import type { decodeStats } from '../session/stats.js'
import type { FileFacts } from '../source/store.js'

export type PageQuestion =
  | {
      readonly kind: 'open'
      /** The serialized source and its options; `null` if they stay in the page. */
      readonly source: { readonly value: unknown } | null
      readonly options: SessionOptions
      /** Modules that a caller gave; those that are missing the worker has beside its script. */
      readonly modules: GivenModules | undefined
      /** The modules that are compiled already, by their addresses. */
      readonly compiled: ReadonlyMap<string, WebAssembly.Module>
    }
  | { readonly kind: 'read'; readonly spec: string; readonly type: ObjectType | undefined }
  | { readonly kind: 'info' | 'resolve'; readonly spec: string }
  | { readonly kind: 'reference'; readonly name: string; readonly short: boolean }
  | { readonly kind: 'batch'; readonly request: BatchRequest }
  /** Requests the next page of a listing; the first time with its request. */
  | {
      readonly kind: 'next'
      readonly number: number
      readonly request: LongQuestion | undefined
      readonly capacity: number
    }
  /** Requests the work units of a long answer; the first time with its request. */
  | {
      readonly kind: 'workUnits'
      readonly number: number
      readonly request: LongQuestion | undefined
    }
  /** Claims more work units, and requests the next page of the claimed ones. */
  | {
      readonly kind: 'workUnitPage'
      readonly number: number
      readonly claims: readonly (number | null)[]
      readonly capacity: number
      /** A buffer that the worker may fill again. */
      readonly spare: ArrayBuffer | undefined
    }
  /** Passes on links of commits that other workers read for a walk. */
  | { readonly kind: 'addSharedCommits'; readonly rows: Uint8Array<ArrayBuffer> }

/** A notice of the page. */
export type PageNotice =
  | { readonly kind: 'end'; readonly number: number }
  | { readonly kind: 'refresh' }
  /** Passes on records that another engine made for an answer. */
  | {
      readonly kind: 'addRecords'
      readonly number: number
      readonly bytes: Uint8Array<ArrayBuffer>
    }

/**
 * A notice of the worker: the progress of opening, or a module that it compiled; without one, to
 * forget all.
 */
export type WorkerNotice =
  | { readonly kind: 'progress'; readonly done: number; readonly total: number }
  | {
      readonly kind: 'compiled'
      readonly url: string
      readonly module: WebAssembly.Module | undefined
    }

/** The paths of files, each with the number that rows use for it. */
export type Paths = readonly (readonly [file: number, path: string])[]

export interface WireBatch {
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly next: BatchPlace | null
  readonly paths: Paths
}

/** A page as frames, split into any number of pieces: see `framing.ts`. */
export interface WirePage {
  readonly frames: readonly Uint8Array<ArrayBuffer>[]
  readonly paths: Paths
}

/** A page of work units, and how many units are finished with it. */
export interface WireWorkUnitPage extends WirePage {
  readonly finished: number
}

/** The counters that are enclosed in every answer: see `stats.ts`. */
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

/** A notice of the worker about a file that it opened in the page. */
export interface StoreNotice {
  readonly kind: 'close'
  readonly file: number
}

/** The properties of a file that is open in the page, and its number. */
export type WireFile = Omit<FileFacts, 'close'> & { readonly file: number }
