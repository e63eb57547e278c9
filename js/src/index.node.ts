/**
 * Reads git repositories by parts, in Node.
 *
 * ```ts
 * import { openSync } from 'packlens'
 *
 * const repo = openSync('.')
 * console.log(repo.readSync('HEAD:README.md').size)
 * ```
 *
 * @module
 */
import type { WasmSource } from './core.js'
import { loadCore, moduleForWorkers } from './core.js'
import type { RepoSource } from './node/platform.js'
import { loadBeside, settled, storeFor } from './node/platform.js'
import type { OpenOptions } from './open.js'
import { openStore, openStoreSync } from './open.js'
import type { Repository } from './repository.js'

export * from './api.js'
export type { RepoSource } from './node/platform.js'

/** Loads the module. {@link open} and {@link openSync} do so themselves. */
export async function load(source?: WasmSource): Promise<void> {
  if (source === undefined) loadBeside()
  else await loadCore(source)
}

/**
 * Opens a repository. It is read when it is asked something; only packs without
 * an index are read through at once. Close it to give back what it holds.
 *
 * ```ts
 * const repo = await open({ fs, dir: '/repo' }, { memory: 256 << 20 })
 * ```
 *
 * @throws {PacklensError} `NOT_FOUND` if there is no repository, `BAD_INPUT` if
 * the source is none or may not be read, `UNSUPPORTED` if its format is not
 * known, `LIMIT` if `memory` is too little, `ABORTED` by `signal`.
 */
export async function open(source: RepoSource, options: OpenOptions = {}): Promise<Repository> {
  if (options.worker) {
    const { openInWorker, spawn } = await import('./node/spawn.js')
    const module = moduleForWorkers()
    const store = () => storeFor(source, options)
    return openInWorker({ source: settled(source), store, module, spawn }, options)
  }
  loadBeside()
  return openStore(storeFor(source, options), source, options)
}

/**
 * Opens a repository whose source is a path, in memory, or answers without promises.
 *
 * ```ts
 * const repo = openSync('.')
 * ```
 *
 * @throws {PacklensError} As {@link open}, and `BAD_INPUT` if the source answers
 * with promises.
 */
export function openSync(source: RepoSource, options: OpenOptions = {}): Repository {
  loadBeside()
  return openStoreSync(storeFor(source, options), source, options)
}
