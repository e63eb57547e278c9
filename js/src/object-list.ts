/** What is asked of a list of all objects, and by whom it is answered. */

import type { Engine, Fields, Pages } from './engine.js'
import type { ObjectFilter } from './filter.js'
import { filterOf } from './filter.js'
import type { ReadOptions } from './object-reader.js'
import type { ObjectsQuestion } from './protocol.js'
import type { WorkerPool } from './worker-pool.js'

/** What {@link Repository.objects} takes. */
export interface ObjectsOptions extends ReadOptions, ObjectFilter {
  /** In the order they are stored, which is faster than sorted by id. */
  readonly unordered?: boolean | undefined
  /** What is wanted of each object. Default `content`. */
  readonly fields?: 'info' | 'content' | 'both' | undefined
  /**
   * Lends the content instead of copying it: a row's `data` is good until the next
   * row is asked for, or anything else of any repository of this thread. What you
   * keep, copy. Default: no.
   */
  readonly lend?: boolean | undefined
}

/** What is asked of objects, by what users call it. */
export const FIELDS = {
  size: {},
  info: { storage: true },
  content: { content: true },
  both: { content: true, storage: true },
} as const satisfies Record<string, Fields>

export function objectsRequest(options: ObjectsOptions): ObjectsQuestion {
  const fields = FIELDS[options.fields ?? 'content']
  return { kind: 'objects', ...fields, storedOrder: options.unordered, ...filterOf(options) }
}

/** Has workers help where contents are made, and their order is free. */
export function sharedObjects(engine: Engine, pool: WorkerPool, options: ObjectsOptions): Pages {
  const request = objectsRequest(options)
  const isShared = request.storedOrder === true && request.content === true
  return isShared ? pool.objects(engine, request) : engine.pages(request)
}
