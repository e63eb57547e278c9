/** Stores that fetch missing objects from the caller. */

import { full } from '../base/lazy.js'
import { NO_WORKERS } from '../engine/pool.js'
import { fileFrom } from '../source/bytes.js'
import type { Indexer, MissingHook } from '../source/fetched.js'
import { fetchingStore } from '../source/fetched.js'
import { overlayStore } from '../source/overlay.js'
import { PACK_PATH } from '../source/pack-files.js'
import type { FileStore } from '../source/store.js'
import type { OpenOptions } from './open.js'
import { openEngine, sessionOptions } from './open.js'

/** Returns a store that fetches what `store` lacks by `missing`. */
export function fetching(store: FileStore, missing: MissingHook, options: OpenOptions): FileStore {
  const { memory } = options
  const indexer: Indexer = async (pack, digits, repository, { signal }) => {
    const objectFormat = digits === 64 ? 'sha256' : 'sha1'
    const packOptions = { ...options, memory, objectFormat } as const
    const files = new Map([[PACK_PATH, fileFrom(pack)]])
    const store = overlayStore(repository, files)
    const opening = openEngine(
      () => store,
      sessionOptions({ pack }, packOptions),
      { signal },
      () => {},
    )
    const readers = { engine: Promise.resolve(opening), pool: Promise.resolve(NO_WORKERS) }
    const { indexPackWith } = await full()
    // The delta bases that the pack lacks are read from the repository, not added to the pack.
    return (await indexPackWith(readers, { signal }, 'borrow')).idx
  }
  return fetchingStore(store, missing, indexer)
}
