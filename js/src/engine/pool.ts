/** The workers that help a repository, as its questions see them. */

import type { FsckQuestion, IndexPackQuestion, LongQuestion } from '../base/protocol.js'
import type { Stats } from '../base/types.js'
import type { dispatchRecords } from '../objects/pack-records.js'
import type { Engine, Pages } from './engine.js'

export type Dispatch = typeof dispatchRecords

/** Shares long jobs among workers; see {@link WorkerPool}. */
export interface Pool {
  /** Lists all objects. */
  objects(engine: Engine, request: LongQuestion): Pages
  /**
   * Indexes or verifies a pack. `dispatch` reads the records of a page: it is loaded with the
   * calls that need it, not with the workers.
   */
  index(engine: Engine, request: IndexPackQuestion, dispatch: Dispatch): Pages
  /** Checks the repository; missing if there are no workers. */
  check?(engine: Engine, request: FsckQuestion): Pages
  /** Shares a walk of `engine`: workers read commits that it has not reached yet. */
  sharedWalk(engine: Engine, walk: Pages): Pages
  /** Returns the given counters with those of the workers added. */
  stats(own: Stats): Stats
  /** Ends the workers. Can be called at any time, and twice. */
  close(): void
}

/** A pool without workers. */
export const NO_WORKERS: Pool = {
  objects: (engine, request) => engine.pages(request),
  index: (engine, request) => engine.pages(request),
  sharedWalk: (_, walk) => walk,
  stats: (own) => own,
  close: () => {},
}
