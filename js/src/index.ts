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
import { PacklensError } from './errors.js'
import type { RepoSource as CommonSource, OpenOptions } from './open.js'
import { openStore, openStoreSync, storeAt, storeOf } from './open.js'
import type { Repository } from './repository.js'

export * from './api.js'

/**
 * What a repository can be opened from: in a page also its URL on a server, as
 * text relative to that of the page.
 */
export type RepoSource = CommonSource | string | URL

/**
 * Loads the module. {@link open} does so itself; {@link openSync} needs it done.
 * Give `source` where the module is not beside the script.
 */
export async function load(source?: WasmSource): Promise<void> {
  await loadCore(source)
}

/**
 * Opens a repository. It is read when it is asked something; only packs without
 * an index are read through at once. Close it to give back what it holds.
 *
 * ```ts
 * const repo = await open(await showDirectoryPicker(), { memory: 256 << 20 })
 * ```
 *
 * @throws {PacklensError} `NOT_FOUND` if there is no repository, `BAD_INPUT` if
 * the source is none or may not be read, `UNSUPPORTED` if its format is not
 * known, `LIMIT` if `memory` is too little, `ABORTED` by `signal`.
 */
export async function open(source: RepoSource, options: OpenOptions = {}): Promise<Repository> {
  await loadCore()
  return openStore(storeFor(source, options), source, options)
}

/**
 * Opens a repository whose source is in memory, or answers without promises.
 *
 * ```ts
 * const repo = openSync({ packs: [{ pack: bytes }], refs: { HEAD: oid } })
 * ```
 *
 * @throws {PacklensError} As {@link open}, and `BAD_INPUT` if the source answers
 * with promises or the module is not loaded.
 */
export function openSync(source: RepoSource, options: OpenOptions = {}): Repository {
  return openStoreSync(storeFor(source, options), source, options)
}

function storeFor(source: RepoSource, options: OpenOptions) {
  if (typeof source !== 'string' && !(source instanceof URL)) return storeOf(source, options)
  const base = globalThis.document?.baseURI ?? globalThis.location?.href
  const store = URL.canParse(`${source}`, base) && storeAt(new URL(source, base), options)
  if (store) return store
  const what = 'not an address of a server: it begins with https:// or http://'
  throw new PacklensError('BAD_INPUT', what, { subject: `${source}` })
}
