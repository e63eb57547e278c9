/** A pack that is to be indexed or verified, alone or beside a repository. */
import { PacklensError } from '../errors.js'
import type { MaybePromise } from '../maybe.js'
import { whenReady } from '../maybe.js'
import { besideStore } from './beside.js'
import type { ByteSource } from './bytes.js'
import { mapStore } from './packs.js'
import type { FileStore, StoredFile } from './store.js'

/** A pack, and its index where that is there. */
export interface PackFiles<S = ByteSource> {
  /** Not wanted by who only looks at the index. */
  readonly pack?: S | undefined
  readonly idx?: S | undefined
  /** The source of a repository that has what the pack lacks. */
  readonly repository?: unknown
}

/** Where the store has them. */
export const PACK_PATH = 'pack'
export const INDEX_PATH = 'idx'

/** @internal No repository's store has these paths, so no pack is opened with it. */
export function packFilesStore<S>(
  { pack, idx, repository }: PackFiles<S>,
  fileOf: (source: S) => StoredFile,
  storeOfRepository: (source: never) => MaybePromise<FileStore> = () => mapStore(new Map()),
): MaybePromise<FileStore> {
  const files = new Map<string, StoredFile>()
  if (!pack && !idx) throw new PacklensError('BAD_INPUT', 'there is no pack: give its bytes')
  if (pack) files.set(PACK_PATH, fileOf(pack))
  if (idx) files.set(INDEX_PATH, fileOf(idx))
  if (repository === undefined) return mapStore(files)
  return whenReady(storeOfRepository(repository as never), (store) => besideStore(store, files))
}

/** @internal */
export function isPackFiles(source: unknown): source is PackFiles<unknown> {
  return typeof source === 'object' && source !== null && ('pack' in source || 'idx' in source)
}
