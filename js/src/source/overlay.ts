/** Adds files to those of a store. */
import { whenReady } from '../base/maybe.js'
import { mapStore } from './packs.js'
import type { FileStore, StoredFile } from './store.js'

export interface OverlayOptions {
  /** Returns whether to search the store for a path that no file has. Default: always true. */
  readonly passes?: (path: string) => boolean
}

/**
 * @internal Returns a store with additional files, which hide its own of the same paths.
 * Closing it closes `store`.
 */
export function overlayStore(
  store: FileStore,
  files: ReadonlyMap<string, StoredFile>,
  { passes = () => true }: OverlayOptions = {},
): FileStore {
  const own = mapStore(files)
  return {
    open: (path, bytes, options) => {
      const file = files.get(path)
      if (file) return file
      return passes(path) ? store.open(path, bytes, options) : null
    },
    list: (path, bytes, options) =>
      whenReady(own.list(path, bytes), (names) => {
        if (!passes(path)) return names
        return whenReady(store.list(path, bytes, options), (more) => [...names, ...more])
      }),
    refresh: () => store.refresh?.(),
    hasReplaceRefs: () => store.hasReplaceRefs?.() ?? true,
    close: () => store.close?.(),
    ...(store.fetch && { fetch: (oids, options) => store.fetch?.(oids, options) }),
    ...(store.traffic && { traffic: store.traffic }),
  }
}
