/** Lists of all objects of a repository. */

import type { Asker } from './asker.js'
import type { Fields, Pages } from './engine.js'
import type { ObjectFilter } from './filter.js'
import { filterOf } from './filter.js'
import { decodeRows } from './frame.js'
import { checkOptions } from './options/rules.js'
import { OBJECTS } from './options/tables.js'
import type { ObjectsQuestion } from './protocol.js'
import type { ReadOptions } from './reading.js'
import type { Listing } from './rows.js'
import type { BatchRow } from './types.js'

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

const PAGE = 4 << 20

/** Lists objects; workers help where contents are made, and their order is free. */
export function objectList(
  { engine, pool, inOneTurn }: Asker,
  options: ObjectsOptions,
): Listing<BatchRow> {
  const begin = () => {
    checkOptions('objects', options, OBJECTS)
    const request = objectsRequest(options)
    const isShared = !inOneTurn && request.storedOrder === true && request.content === true
    return isShared ? pool.objects(engine, request) : engine.pages(request)
  }
  const rowsIn = (page: Uint8Array<ArrayBuffer>, { pathOf }: Pages) =>
    decodeRows(page, engine.oidLength, pathOf)
  return { begin, rowsIn, capacity: PAGE, options }
}
