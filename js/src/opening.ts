/** Opening what a platform can open: here or in a worker, and with workers that help. */
import type { Engine } from './engine.js'
import type { MaybePromise } from './maybe.js'
import { givenModules } from './modules.js'
import type { OpenOptions } from './open.js'
import { openEngine, sessionOptions } from './open.js'
import type { PackReaders } from './pack-answers.js'
import { reportTo } from './progress.js'
import { Repository } from './repository.js'
import type { FileStore } from './source/store.js'
import { SyncRepository } from './sync-repository.js'
import type { Spawn } from './worker/connection.js'
import { openEngineInWorker } from './worker/open.js'
import { noWorkers, WorkerPool } from './worker-pool.js'

/** What differs between platforms. */
export interface OpeningPlatform {
  /** Makes the module ready in this thread. */
  load(): MaybePromise<void>
  /** Starts a worker. */
  readonly spawn: Spawn
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
  const pool = poolFor(platform, what, options)
  const engine = await engineWith(platform, what, options)
  return new Repository({ engine, pool, inOneTurn: false })
}

/** Makes a repository whose source answers at once of what is open. */
export function syncRepositoryOf(engine: Engine): SyncRepository {
  return new SyncRepository({ engine, pool: noWorkers(), inOneTurn: true })
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
    const { spawn } = platform
    return openEngineInWorker({ ...what, modules: givenModules(), spawn }, options)
  }
  await platform.load()
  const { signal } = options
  const resolvedOptions = sessionOptions(what.source, options)
  return openEngine(what.store, resolvedOptions, { signal }, reportTo(options))
}

function poolFor(platform: OpeningPlatform, what: ToOpen, options: OpenOptions): WorkerPool {
  const { onProgress: _, signal: __, ...same } = options
  const { spawn } = platform
  const openWorker = async () => {
    // One that stays would be asked for each part: this thread has enough to do.
    const store = () => Promise.reject(new Error('the source does not go to a worker'))
    return openEngineInWorker({ ...what, store, modules: givenModules(), spawn }, same)
  }
  return new WorkerPool(openWorker, options.workers)
}
