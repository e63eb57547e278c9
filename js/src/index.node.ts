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
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { WasmSource } from './core.js'
import { loadCore, loadCoreSync } from './core.js'
import { PacklensError } from './errors.js'
import { pathStore } from './node/path-store.js'
import type { RepoSource as CommonSource, OpenOptions } from './open.js'
import { openStore, openStoreSync, storeAt, storeOf } from './open.js'
import type { Repository } from './repository.js'

export * from './api.js'

/**
 * What a repository can be opened from: in Node also the path, or `file:` URL,
 * of a worktree, a bare repository or a `.git` file; or its `https:` or `http:`
 * URL on a server.
 */
export type RepoSource = CommonSource | string | URL

/** Loads the module. {@link open} and {@link openSync} do so themselves. */
export async function load(source?: WasmSource): Promise<void> {
  if (source === undefined) loadCoreSync(readModule)
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
  loadCoreSync(readModule)
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
  loadCoreSync(readModule)
  return openStoreSync(storeFor(source, options), source, options)
}

function storeFor(source: RepoSource, options: OpenOptions) {
  if (source instanceof URL || (typeof source === 'string' && /^https?:\/\//i.test(source))) {
    return storeOfUrl(source, options)
  }
  return typeof source === 'string' ? pathStore(source) : storeOf(source, options)
}

function storeOfUrl(source: string | URL, options: OpenOptions) {
  const url = URL.canParse(source) ? new URL(source) : null
  if (url?.protocol === 'file:') return pathStore(fileURLToPath(url))
  const store = url && storeAt(url, options)
  if (store) return store
  const what = 'an address that cannot be opened: it begins with https://, http:// or file:'
  throw new PacklensError('BAD_INPUT', what, { subject: `${source}` })
}

function readModule(): BufferSource {
  return readFileSync(new URL('./wasm/packlens_bg.wasm', import.meta.url))
}
