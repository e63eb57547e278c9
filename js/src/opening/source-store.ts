/** The files of a source, for callers who change what is read of them. */
import type { MaybePromise } from '../base/maybe.js'
import { whenReady } from '../base/maybe.js'
import { checkOptions } from '../options/rules.js'
import { HTTP, STORE } from '../options/tables.js'
import type { RandomAccess } from '../source/bytes.js'
import { sourceOf } from '../source/bytes.js'
import type { Store } from '../source/custom.js'
import type { FileOpenOptions, FileStore } from '../source/store.js'
import type { OpenOptions } from './open.js'

/**
 * The files of a source. All members are its own properties, so that `{ ...store, get }` is the
 * same store with another `get`.
 */
export interface SourceStore extends Store {
  get(path: string, options?: FileOpenOptions): MaybePromise<RandomAccess | null>
  list(directory: string, options?: FileOpenOptions): MaybePromise<readonly (string | Uint8Array)[]>
  refresh(): void
  close(): void
}

/** The options of `storeOf`: those of `open` that say where files are. */
export type StoreOptions = Pick<
  OpenOptions,
  'http' | 'signal' | 'gitDir' | 'commonDir' | 'objectDirectory'
>

export function checkStoreOptions(options: StoreOptions): void {
  checkOptions('storeOf', options, STORE)
  checkOptions('storeOf', options.http ?? {}, HTTP, 'http.')
}

export function sourceStore(store: FileStore): SourceStore {
  const bytesOf = (path: string, { bytes }: FileOpenOptions) =>
    bytes ?? new TextEncoder().encode(path)
  return {
    get: (path, options = {}) => {
      const opened = store.open(path, bytesOf(path, options), options)
      return whenReady(opened, (file) => file && sourceOf(file))
    },
    list: (directory, options = {}) => store.list(directory, bytesOf(directory, options)),
    refresh: () => store.refresh?.(),
    close: () => store.close?.(),
    ...(store.prerequisites && { prerequisites: store.prerequisites }),
    ...(store.hasReplaceRefs && { hasReplaceRefs: () => store.hasReplaceRefs?.() ?? true }),
    ...(store.traffic && { traffic: store.traffic }),
  }
}
