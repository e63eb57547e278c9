/** Walks over commits, and lists them. */

import type { RevListQuestion } from '../base/protocol.js'
import type { Pages } from '../engine/engine.js'
import type { RevListOptions } from './history.js'
import { idsIn, revListRequest } from './history.js'
import type { ReadOptions } from './reading.js'
import type { RepositoryContext } from './repository-context.js'
import type { Listing } from './rows.js'

type Specs = string | Iterable<string>
type Bytes = Uint8Array<ArrayBuffer>

const PAGE = 64 << 10

/** Lists the ids of commits. */
export function revList(
  context: RepositoryContext,
  specs: Specs,
  options: RevListOptions,
): Listing<string> {
  const begin = () => sharedWalk(context, revListRequest('revList', specs, options))
  return listing(context, begin, idsIn, options)
}

/** Begins a walk; workers share a long one, except in calls without promises. */
export function sharedWalk(
  { engine, pool, inOneTurn }: RepositoryContext,
  request: RevListQuestion,
): Pages {
  const walk = engine.pages(request)
  return inOneTurn ? walk : pool.sharedWalk(engine, walk)
}

/** Returns the listing of what is in the pages of a walk. */
export function listing<T>(
  { engine }: RepositoryContext,
  begin: () => Pages,
  items: (page: Bytes, oidLength: number) => Iterable<T>,
  options: ReadOptions,
): Listing<T> {
  const rowsIn = (page: Bytes) => items(page, engine.oidLength)
  return { begin, rowsIn, capacity: PAGE, options }
}
