/** Opens repositories and packs, in this thread or in a worker, with the workers of a pool. */

import type { MaybePromise } from '../base/maybe.js'
import type { Engine } from '../engine/engine.js'
import type { Pool } from '../engine/pool.js'
import { NO_WORKERS } from '../engine/pool.js'
import type { OpenOptions } from '../opening/open.js'
import { openEngine, sessionOptions } from '../opening/open.js'
import type { PackReaders } from '../packs/pack-answers.js'
import { givenModules } from '../session/modules.js'
import { guarded } from '../source/failed.js'
import { reportTo } from '../source/progress.js'
import type { FileStore } from '../source/store.js'
import { Repository } from './repository.js'
import { SyncRepository } from './sync-repository.js'

/** The steps of opening that differ between platforms. */
export interface OpeningPlatform {
  /** Loads the module in this thread. */
  load(): MaybePromise<void>
  /** Loads the code that starts workers and opens repositories in them. */
  workers(): Promise<typeof import('../chunks/workers.js')>
}

/** A source to open. */
export interface ToOpen {
  /** The source in a form that can be sent to a worker. */
  readonly source: unknown
  /** Returns the store of the source in this thread. */
  readonly store: () => MaybePromise<FileStore>
}

/** Opens a repository. */
export async function openWith(
  platform: OpeningPlatform,
  what: ToOpen,
  options: OpenOptions,
): Promise<Repository> {
  const [pool, engine] = await Promise.all([
    poolFor(platform, what, options),
    engineWith(platform, what, options),
  ])
  return new Repository({ engine, pool, inOneTurn: false })
}

/** Returns the synchronous repository of an engine. */
export function syncRepositoryOf(engine: Engine): SyncRepository {
  return new SyncRepository({ engine, pool: NO_WORKERS, inOneTurn: true })
}

/** Opens a pack outside a repository. */
export function packReaders(
  platform: OpeningPlatform,
  what: ToOpen,
  options: OpenOptions,
): PackReaders {
  const pool = poolFor(platform, what, options)
  // Reading the pack reports the progress, so opening reports none.
  const { onProgress: _, ...quiet } = options
  return { pool, engine: engineWith(platform, what, quiet) }
}

async function engineWith(
  platform: OpeningPlatform,
  what: ToOpen,
  options: OpenOptions,
): Promise<Engine> {
  if (options.worker) {
    const { openEngineInWorker, spawn } = await platform.workers()
    return openEngineInWorker({ ...what, modules: givenModules(), spawn }, options)
  }
  const { signal } = options
  const resolvedOptions = sessionOptions(what.source, options)
  const store = await storeWhileLoading(platform, what)
  return openEngine(() => store, resolvedOptions, { signal }, reportTo(options))
}

/** Opens the store while the module loads: a server answers its first requests meanwhile. */
async function storeWhileLoading(platform: OpeningPlatform, what: ToOpen): Promise<FileStore> {
  // First, because the store of a bundle asks the full module for its header.
  const loading = Promise.resolve(platform.load())
  loading.catch(() => {})
  const opening = Promise.resolve(guarded(what.store, 'the source cannot be opened'))
  try {
    const [store] = await Promise.all([opening, loading])
    return store
  } catch (error) {
    opening.then(
      (late) => late.close?.(),
      () => {},
    )
    throw error
  }
}

async function poolFor(
  platform: OpeningPlatform,
  what: ToOpen,
  options: OpenOptions,
): Promise<Pool> {
  const { onProgress: _, signal: __, ...same } = options
  if (!options.workers) return NO_WORKERS
  const { openEngineInWorker, spawn, WorkerPool } = await platform.workers()
  const openWorker = async () => {
    // Reads of a source that stays in this thread would keep the thread busy for each worker.
    const store = () => Promise.reject(new Error('the source does not go to a worker'))
    return openEngineInWorker({ ...what, store, modules: givenModules(), spawn }, same)
  }
  return new WorkerPool(openWorker, options.workers)
}
