/** Files of a caller's beside those of a store. */
import { whenReady } from '../maybe.js'
import { mapStore } from './packs.js'
import type { FileStore, StoredFile } from './store.js'

export interface BesideOptions {
  /** Whether a path is looked for in the store if it is not among the files. Default: all are. */
  readonly passes?: (path: string) => boolean
}

/**
 * @internal A store that has some files besides, which come before its own. It brings
 * in what the store brings in, and closes it.
 */
export function besideStore(
  store: FileStore,
  files: ReadonlyMap<string, StoredFile>,
  { passes = () => true }: BesideOptions = {},
): FileStore {
  const own = mapStore(files)
  return {
    open: (path, bytes, options) => {
      const file = files.get(path)
      if (file) return file
      return passes(path) ? store.open(path, bytes, options) : null
    },
    list: (path, bytes) =>
      whenReady(own.list(path, bytes), (names) =>
        passes(path) ? whenReady(store.list(path, bytes), (more) => [...names, ...more]) : names,
      ),
    refresh: () => store.refresh?.(),
    hasReplaceRefs: () => store.hasReplaceRefs?.() ?? true,
    close: () => store.close?.(),
    ...(store.fetch && { fetch: (oids, options) => store.fetch?.(oids, options) }),
    ...(store.traffic && { traffic: store.traffic }),
  }
}
