/**
 * Reads git repositories by parts, in browsers and workers.
 *
 * ```ts
 * import { open } from 'packlens'
 *
 * const repo = await open(await showDirectoryPicker())
 * const readme = await repo.read('HEAD:README.md')
 * ```
 *
 * @module
 */
import type { WasmSource } from './core.js'
import { loadCore } from './core.js'
import type { OpenOptions, RepoSource } from './open.js'
import { openStore, openStoreSync, storeOf } from './open.js'
import type { Repository } from './repository.js'

export * from './api.js'
export type { RepoSource } from './open.js'

/**
 * Loads the module. {@link open} does so itself; {@link openSync} needs it done.
 * Give `source` where the module is not beside the script.
 */
export async function load(source?: WasmSource): Promise<void> {
  await loadCore(source)
}

/** Opens a repository. */
export async function open(source: RepoSource, options: OpenOptions = {}): Promise<Repository> {
  await loadCore()
  return openStore(storeOf(source), source, options)
}

/** Opens a repository whose source is in memory, or answers without promises. */
export function openSync(source: RepoSource, options: OpenOptions = {}): Repository {
  return openStoreSync(storeOf(source), source, options)
}
