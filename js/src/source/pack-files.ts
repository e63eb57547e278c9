/** A pack to index or check, alone or with a repository. */
import { PacklensError } from '../base/errors.js'
import type { MaybePromise } from '../base/maybe.js'
import { whenReady } from '../base/maybe.js'
import type { ByteSource } from './bytes.js'
import { overlayStore } from './overlay.js'
import { mapStore } from './packs.js'
import type { FileStore, StoredFile } from './store.js'

/** A pack, and its index if it has one. */
export interface PackFiles<S = ByteSource> {
  /** Not needed to list the entries of the index. */
  readonly pack?: S | undefined
  readonly idx?: S | undefined
  /** The source of a repository with objects that the pack lacks. */
  readonly repository?: unknown
}

/** The paths of pack and index in the store. */
export const PACK_PATH = 'pack'
export const INDEX_PATH = 'idx'

/**
 * @internal Returns a store of a pack and its index. Their paths are not those of packs in a
 * repository, so that the core does not read objects from the pack.
 */
export function packFilesStore<S>(
  { pack, idx, repository }: PackFiles<S>,
  fileOf: (source: S) => StoredFile,
  storeOfRepository: (source: never) => MaybePromise<FileStore> = () => mapStore(new Map()),
): MaybePromise<FileStore> {
  const files = new Map<string, StoredFile>()
  if (!pack && !idx) throw new PacklensError('BAD_INPUT', '`pack` is missing: give its bytes')
  if (pack) files.set(PACK_PATH, fileOf(pack))
  if (idx) files.set(INDEX_PATH, fileOf(idx))
  if (repository === undefined) return mapStore(files)
  return whenReady(storeOfRepository(repository as never), (store) => overlayStore(store, files))
}

/** @internal */
export function isPackFiles(source: unknown): source is PackFiles<unknown> {
  return typeof source === 'object' && source !== null && ('pack' in source || 'idx' in source)
}
