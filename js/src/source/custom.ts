/** Stores that the caller implements. */
import type { MaybePromise } from '../base/maybe.js'
import { whenReady } from '../base/maybe.js'
import type { ByteSource } from './bytes.js'
import { fileFrom } from './bytes.js'
import type { FileStore } from './store.js'

/**
 * The files of a git directory, stored anywhere. Paths are like `HEAD` and
 * `objects/pack/pack-1a2b.pack`. If no method returns a promise, the repository
 * can be opened and read synchronously.
 *
 * ```ts
 * const files = new Map([['HEAD', head], ['objects/pack/pack-1.pack', pack]])
 * const repo = openSync({
 *   get: (path) => files.get(path),
 *   list: (directory) => (directory === 'objects/pack' ? ['pack-1.pack'] : []),
 * })
 * ```
 */
export interface Store {
  /** Returns the file at a path; `null` or `undefined` if there is none. */
  get(path: string): MaybePromise<ByteSource | null | undefined>
  /**
   * Returns the names in a directory; those of directories end with a slash. Without this
   * method, packs and loose refs cannot be found.
   */
  list?(directory: string): MaybePromise<readonly string[]>
}

export function customStore(store: Store): FileStore {
  return {
    open: (path) => whenReady(store.get(path), (source) => (source ? fileFrom(source) : null)),
    list: (path) => store.list?.(path) ?? [],
  }
}
