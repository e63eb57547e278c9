/** What Node has of its own: where the module lies, and sources that are paths. */
import { readFileSync } from 'node:fs'
import * as path from 'node:path'
import { fileURLToPath } from 'node:url'
import { loadCoreSync } from '../core.js'
import { PacklensError } from '../errors.js'
import type { MaybePromise } from '../maybe.js'
import type { RepoSource as CommonSource, OpenOptions } from '../open.js'
import { storeAt, storeOf } from '../open.js'
import type { FileStore } from '../source/store.js'
import { pathStore } from './path-store.js'

/**
 * What a repository can be opened from: in Node also the path, or `file:` URL,
 * of a worktree, a bare repository or a `.git` file; or its `https:` or `http:`
 * URL on a server.
 */
export type RepoSource = CommonSource | string | URL

/** Returns the store of a source, here or in a worker. */
export function storeFor(source: RepoSource, options: OpenOptions): MaybePromise<FileStore> {
  if (source instanceof URL || isAddress(source)) return storeOfUrl(source, options)
  return typeof source === 'string' ? pathStore(source) : storeOf(source, options)
}

/** Makes of a path one that means the same in a worker, and later. */
export function settled(source: RepoSource): RepoSource {
  return typeof source === 'string' && !isAddress(source) ? path.resolve(source) : source
}

function isAddress(source: RepoSource): source is string {
  return typeof source === 'string' && /^https?:\/\//i.test(source)
}

function storeOfUrl(source: string | URL, options: OpenOptions): MaybePromise<FileStore> {
  const url = URL.canParse(source) ? new URL(source) : null
  if (url?.protocol === 'file:') return pathStore(fileURLToPath(url))
  const store = url && storeAt(url, options)
  if (store) return store
  const what = 'an address that cannot be opened: it begins with https://, http:// or file:'
  throw new PacklensError('BAD_INPUT', what, { subject: `${source}` })
}

/** Loads the module of the package. */
export function loadBeside(): void {
  loadCoreSync(() => readFileSync(new URL('../wasm/packlens_bg.wasm', import.meta.url)))
}
