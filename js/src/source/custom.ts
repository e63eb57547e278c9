/** Stores that the caller implements. */
import type { MaybePromise } from '../base/maybe.js'
import { whenReady } from '../base/maybe.js'
import type { ByteSource } from './bytes.js'
import { fileFrom } from './bytes.js'
import type { FileOpenOptions, FileStore } from './store.js'

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
  /**
   * Returns the file at a path; `null` or `undefined` if there is none. `options.bytes` is the
   * path in the bytes that git has, for names that are not UTF-8.
   */
  get(path: string, options?: FileOpenOptions): MaybePromise<ByteSource | null | undefined>
  /**
   * Returns the names in a directory; those of directories end with a slash. Without this
   * method, packs and loose refs cannot be found.
   */
  list?(
    directory: string,
    options?: FileOpenOptions,
  ): MaybePromise<readonly (string | Uint8Array)[]>
  /** Called before refs that were read are read again. */
  refresh?(): void
  /** Called when the repository is closed. */
  close?(): void
}

export function customStore(store: Store): FileStore {
  // A store of `storeOf` has these besides.
  const { prerequisites, hasReplaceRefs, traffic } = store as Store & Partial<FileStore>
  return {
    open: (path, bytes, options) =>
      whenReady(store.get(path, { ...options, bytes }), (source) =>
        source ? fileFrom(source) : null,
      ),
    list: (path, bytes) => store.list?.(path, { bytes }) ?? [],
    refresh: () => store.refresh?.(),
    close: () => store.close?.(),
    ...(prerequisites && { prerequisites }),
    ...(hasReplaceRefs && { hasReplaceRefs }),
    ...(traffic && { traffic }),
  }
}
