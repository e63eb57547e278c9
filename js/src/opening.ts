/** Opening what a platform can open: here or in a worker, and with workers that help. */
import type { Engine } from './engine.js'
import type { MaybePromise } from './maybe.js'
import { givenModules } from './modules.js'
import type { OpenOptions } from './open.js'
import { openEngine, sessionOptions } from './open.js'
import type { PackReaders } from './pack-answers.js'
import type { Pool } from './pool.js'
import { NO_WORKERS } from './pool.js'
import { reportTo } from './progress.js'
import { Repository } from './repository.js'
import { guarded } from './source/failed.js'
import type { FileStore } from './source/store.js'
import { SyncRepository } from './sync-repository.js'

/** What differs between platforms. */
export interface OpeningPlatform {
  /** Makes the module ready in this thread. */
  load(): MaybePromise<void>
  /** Loads what starts workers, and opens repositories in them. */
  workers(): Promise<typeof import('./workers.js')>
}

/** What is opened. */
export interface ToOpen {
  /** As it can go to a worker. */
  readonly source: unknown
  /** Makes its store in this thread. */
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

/** Makes a repository whose source answers at once of what is open. */
export function syncRepositoryOf(engine: Engine): SyncRepository {
  return new SyncRepository({ engine, pool: NO_WORKERS, inOneTurn: true })
}

/** Opens a pack on its own. */
export function packReaders(
  platform: OpeningPlatform,
  what: ToOpen,
  options: OpenOptions,
): PackReaders {
  const pool = poolFor(platform, what, options)
  // Its progress is that of opening, and told when it is read.
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

/** Makes the store while the module loads: a server answers its first requests meanwhile. */
async function storeWhileLoading(platform: OpeningPlatform, what: ToOpen): Promise<FileStore> {
  const opening = Promise.resolve(guarded(what.store, 'the source cannot be opened'))
  try {
    const [store] = await Promise.all([opening, platform.load()])
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
    // One that stays would be asked for each part: this thread has enough to do.
    const store = () => Promise.reject(new Error('the source does not go to a worker'))
    return openEngineInWorker({ ...what, store, modules: givenModules(), spawn }, same)
  }
  return new WorkerPool(openWorker, options.workers)
}
