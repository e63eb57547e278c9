/**
 * The way in which the public classes ask: with promises, or with answers that the call
 * itself returns. Each question is written once, as a function of a {@link RepositoryContext};
 * {@link Repository} and {@link SyncRepository} return its answer.
 */

import type { MaybePromise } from '../base/maybe.js'
import type { Stats } from '../base/types.js'
import type { Engine } from '../engine/engine.js'
import type { Pool } from '../engine/pool.js'
import type { AskOptions, QuestionOptions } from '../session/session.js'
import { inOneTurn } from '../session/session.js'
import type { Listing } from './rows.js'
import { allRows, eachRow } from './rows.js'

/** An open repository, and how it is asked. */
export interface RepositoryContext {
  readonly engine: Engine
  readonly pool: Pool
  /** Whether calls return their answers directly, not as promises. */
  readonly inOneTurn: boolean
}

/** Returns the options for a question to the repository. */
export function questionOptions(context: RepositoryContext, options: AskOptions): QuestionOptions {
  return context.inOneTurn ? inOneTurn(options) : options
}

/** Collects all rows of a listing and returns what `make` builds from them. */
export function ofAllRows<Row, T>(
  context: RepositoryContext,
  listing: Listing<Row>,
  make: (rows: Row[]) => T,
): MaybePromise<T> {
  return context.inOneTurn ? make([...eachRow(listing)]) : allRows(listing).then(make)
}

/** Returns the counters of the repository, including its workers'. */
export function stats({ engine, pool }: RepositoryContext): Stats {
  return pool.stats(engine.stats())
}

/** Releases everything that the repository holds. Can be called at any time, and twice. */
export function close({ engine, pool }: RepositoryContext): void {
  pool.close()
  engine.close()
}
