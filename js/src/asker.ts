/**
 * The way in which the public classes ask: with promises, or with answers that the call
 * itself returns. Each question is written once, as a function of an {@link Asker};
 * {@link Repository} and {@link SyncRepository} return its answer.
 */
import type { Engine } from './engine.js'
import type { MaybePromise } from './maybe.js'
import type { Listing } from './rows.js'
import { allRows, eachRow } from './rows.js'
import type { AskOptions, QuestionOptions } from './session.js'
import { inOneTurn } from './session.js'
import type { Stats } from './types.js'
import type { WorkerPool } from './worker-pool.js'

/** An open repository, and how it is asked. */
export interface Asker {
  readonly engine: Engine
  readonly pool: WorkerPool
  /** Whether calls return their answers directly, not as promises. */
  readonly inOneTurn: boolean
}

/** Returns the options with which an asker asks a question. */
export function questionOptions(asker: Asker, options: AskOptions): QuestionOptions {
  return asker.inOneTurn ? inOneTurn(options) : options
}

/** Collects all rows of a listing and returns what `make` builds from them. */
export function ofAllRows<Row, T>(
  asker: Asker,
  listing: Listing<Row>,
  make: (rows: Row[]) => T,
): MaybePromise<T> {
  return asker.inOneTurn ? make([...eachRow(listing)]) : allRows(listing).then(make)
}

/** Returns the counters of the repository, including its workers'. */
export function stats({ engine, pool }: Asker): Stats {
  return pool.stats(engine.stats())
}

/** Releases everything that the repository holds. Can be called at any time, and twice. */
export function close({ engine, pool }: Asker): void {
  pool.close()
  engine.close()
}
