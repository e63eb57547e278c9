/** Lists all objects of a repository. */

import type { ObjectsQuestion } from '../base/protocol.js'
import type { BatchRow } from '../base/types.js'
import type { Pages } from '../engine/engine.js'
import type { ObjectFilter } from '../objects/filter.js'
import { filterOf } from '../objects/filter.js'
import { decodeRows } from '../objects/frame.js'
import { OBJECTS } from '../options/full-tables.js'
import { checkOptions } from '../options/rules.js'
import { FIELDS } from './batch.js'
import type { ReadOptions } from './reading.js'
import type { RepositoryContext } from './repository-context.js'
import type { Listing } from './rows.js'

/** The options of {@link Repository.objects}. */
export interface ObjectsOptions extends ReadOptions, ObjectFilter {
  /** Lists in stored order, which is faster than sorting by id. Default: false. */
  readonly unordered?: boolean | undefined
  /** The fields of each object. Default: `content`. */
  readonly fields?: 'info' | 'content' | 'both' | undefined
  /**
   * Lends the content instead of copying it: a row's `data` is valid until the next row,
   * or any other call to any repository of this thread. Copy the bytes to keep them.
   * Default: false.
   */
  readonly lend?: boolean | undefined
}

export function objectsRequest(options: ObjectsOptions): ObjectsQuestion {
  const fields = FIELDS[options.fields ?? 'content']
  return { kind: 'objects', ...fields, storedOrder: options.unordered, ...filterOf(options) }
}

const PAGE = 4 << 20

/** Lists objects; workers share the job if content is read in any order. */
export function objects(
  { engine, pool, inOneTurn }: RepositoryContext,
  options: ObjectsOptions = {},
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
