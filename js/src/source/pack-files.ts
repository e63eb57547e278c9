/** A pack that stands alone, for those that index or verify it. */
import { PacklensError } from '../errors.js'
import type { ByteSource } from './bytes.js'
import { fileFrom } from './bytes.js'
import { mapStore } from './packs.js'
import type { FileStore, StoredFile } from './store.js'

/** A pack, and its index where that is there. */
export interface PackFiles<S = ByteSource> {
  readonly pack: S
  readonly idx?: S | undefined
}

/** Where the store has them. */
export const PACK_PATH = 'pack'
export const INDEX_PATH = 'idx'

/** @internal No repository's store has these paths, so no pack is opened with it. */
export function packFilesStore<S>(
  { pack, idx }: PackFiles<S>,
  fileOf: (source: S) => StoredFile,
): FileStore {
  const files = new Map<string, StoredFile>()
  if (!pack) throw new PacklensError('BAD_INPUT', 'there is no pack: give its bytes')
  files.set(PACK_PATH, fileOf(pack))
  if (idx) files.set(INDEX_PATH, fileOf(idx))
  return mapStore(files)
}

/** @internal */
export function isPackFiles(source: unknown): source is PackFiles<unknown> {
  return typeof source === 'object' && source !== null && 'pack' in source
}

/** @internal The store of files that every platform knows. */
export function storeOfPackFiles(source: PackFiles): FileStore {
  return packFilesStore(source, fileFrom)
}
