/** Stores that ask a caller for objects that are nowhere. */
import { nobody } from './crew.js'
import { indexPackWith } from './index-pack.js'
import type { MaybePromise } from './maybe.js'
import { then } from './maybe.js'
import type { OpenOptions } from './open.js'
import { openEngine, sessionOptions } from './open.js'
import type { Indexer } from './source/fetched.js'
import { fetchingStore } from './source/fetched.js'
import { storeOfPackFiles } from './source/pack-files.js'
import type { FileStore } from './source/store.js'

/** Has a store ask `missing`, if that is given. */
export function withMissing(
  store: MaybePromise<FileStore>,
  options: OpenOptions,
): MaybePromise<FileStore> {
  const { missing, memory } = options
  if (!missing) return store
  const indexer: Indexer = async (pack, digits, { signal }) => {
    const objectFormat = digits === 64 ? 'sha256' : 'sha1'
    const session = { ...sessionOptions({ pack }, { memory }), objectFormat } as const
    const opening = openEngine(storeOfPackFiles({ pack }), session, { signal }, () => {})
    const readers = { engine: Promise.resolve(opening), crew: nobody() }
    return (await indexPackWith(readers, { signal })).idx
  }
  return then(store, (store) => fetchingStore(store, missing, indexer))
}
