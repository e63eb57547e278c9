/** Reads answers about one pack. */

import { PacklensError } from '../base/errors.js'
import type { IndexPackQuestion } from '../base/protocol.js'
import type { Engine, Pages } from '../engine/engine.js'
import type { Pool } from '../engine/pool.js'
import type { PackFacts, RecordReceiver } from '../objects/pack-records.js'
import { dispatchRecords } from '../objects/pack-records.js'
import type { OpenOptions } from '../opening/open.js'
import type { Listing } from '../questions/rows.js'
import { allRows } from '../questions/rows.js'
import type { AskOptions } from '../session/session.js'
import { INDEX_PATH, PACK_PATH } from '../source/pack-files.js'
import { reportTo } from '../source/progress.js'

/** The options of indexing or checking a pack. */
export interface PackOptions
  extends Pick<
    OpenOptions,
    'memory' | 'objectFormat' | 'worker' | 'workers' | 'onProgress' | 'signal'
  > {
  /**
   * Whether to detect SHA-1 collision attacks, which fail with `CORRUPT`. Default:
   * `detect`, as git does; `trust` takes half as long, for your own packs.
   */
  readonly collisions?: 'detect' | 'trust' | undefined
}

/** The approximate bytes of an index or of text in one page. */
export const PACK_PAGE = 256 << 10

/** The options of a question about a pack. */
export type IndexPackRequest = Omit<IndexPackQuestion, 'kind' | 'pack' | 'idx'>

/** Returns the question for the core. */
export function packQuestion(
  request: IndexPackRequest,
  pack = PACK_PATH,
  idx = INDEX_PATH,
): IndexPackQuestion {
  return { kind: 'indexPack', pack, idx, ...request }
}

/** The engine that was opened with one pack, and the workers that help it. */
export interface PackReaders {
  readonly engine: Promise<Engine>
  readonly pool: Promise<Pool>
}

/** Returns a listing whose only row is the facts, with which an answer about a pack ends. */
export function factsIn(
  begin: () => Pages,
  receiver: RecordReceiver,
  { signal }: AskOptions,
): Listing<PackFacts> {
  const rowsIn = (page: Uint8Array<ArrayBuffer>) => {
    const facts = dispatchRecords(page, receiver)
    return facts ? [facts] : []
  }
  return { begin, rowsIn, capacity: PACK_PAGE, options: { signal } }
}

/** Returns the facts; an answer without any is a bug. */
export function only([facts]: readonly PackFacts[]): PackFacts {
  if (facts) return facts
  throw new PacklensError('INTERNAL', 'the answer about a pack ends too early')
}

/** Reads an answer to its end, and returns the facts. */
export async function dispatchAll(
  pages: Pages,
  receiver: RecordReceiver,
  options: AskOptions,
): Promise<PackFacts> {
  return only(await allRows(factsIn(() => pages, receiver, options)))
}

/** Returns a receiver that reports the progress to `onProgress`. */
export function reporting(options: Pick<OpenOptions, 'onProgress'>): RecordReceiver {
  return { progress: reportTo(options) }
}

/** Asks an engine about its one pack, then closes the engine and its workers. */
export async function closing<T>(
  readers: PackReaders,
  use: (pages: (request: IndexPackQuestion) => Pages) => Promise<T>,
): Promise<T> {
  const [engine, pool] = await Promise.all([readers.engine, readers.pool])
  try {
    return await use((request) => pool.index(engine, request, dispatchRecords))
  } finally {
    pool.close()
    engine.close()
  }
}
