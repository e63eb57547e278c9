/** Fetches missing objects from the caller. */
import { PacklensError } from '../base/errors.js'
import type { MaybePromise } from '../base/maybe.js'
import { whenReady } from '../base/maybe.js'
import type { ByteSource } from './bytes.js'
import { fileFrom } from './bytes.js'
import type { PackSource } from './packs.js'
import { mapStore } from './packs.js'
import type { FileStore, ReadOptions, StoredFile } from './store.js'

/**
 * The result of a {@link MissingHook}: a pack, with or without its index; loose objects in
 * stored form by their ids, or a single one if one id was requested; `null` for no objects.
 */
export type FetchedObjects =
  | ByteSource
  | PackSource
  | ReadonlyMap<string, ByteSource>
  | null
  | undefined

/**
 * Fetches missing objects: called once for all that a call is known to need next. The result
 * may have other objects too. If the hook throws, the call fails with `SOURCE`, whose `cause`
 * is the original error.
 */
export type MissingHook = (
  oids: readonly string[],
  options: ReadOptions,
) => MaybePromise<FetchedObjects>

/**
 * Makes the index of a pack whose ids have `digits` hex digits. Delta bases that the pack lacks
 * may be in `store`, which must not be closed.
 */
export type Indexer = (
  pack: ByteSource,
  digits: number,
  store: FileStore,
  options: ReadOptions,
) => Promise<ByteSource>

const FOLDER = 'fetched/'

/** The first bytes of a pack: `PACK`; a loose object, a zlib stream, never begins with them. */
const PACK = [0x50, 0x41, 0x43, 0x4b]

/** Returns a store with the fetched objects, in addition to the files of `store`. */
export function fetchingStore(store: FileStore, missing: MissingHook, indexer: Indexer): FileStore {
  const files = new Map<string, StoredFile>()
  const fetched = mapStore(files)
  let packs = 0
  const fetch = async (oids: readonly string[], options: ReadOptions): Promise<void> => {
    const digits = oids[0]?.length ?? 0
    for (const [path, source] of await filesOf(await missing(oids, options), oids)) {
      if (path !== null) {
        files.set(path, fileFrom(source as ByteSource))
        continue
      }
      const { pack, idx } = source as PackSource
      // Indexing precedes storing, so that a damaged pack leaves no files.
      const index = idx ?? (await indexer(pack, digits, combined, options))
      const stem = `${FOLDER}pack/pack-${packs++}`
      files.set(`${stem}.idx`, fileFrom(index))
      files.set(`${stem}.pack`, fileFrom(pack))
    }
  }
  const combined: FileStore = {
    open: (path, bytes, options) =>
      path.startsWith(FOLDER) ? fetched.open(path, bytes) : store.open(path, bytes, options),
    list: (path, bytes, options) =>
      path.startsWith(FOLDER) ? fetched.list(path, bytes) : store.list(path, bytes, options),
  }
  return {
    ...combined,
    fetch,
    refresh: () => store.refresh?.(),
    hasReplaceRefs: () => store.hasReplaceRefs?.() ?? true,
    close: () => store.close?.(),
    ...(store.traffic && { traffic: store.traffic }),
  }
}

/** Returns the fetched files: loose objects with their paths, packs with `null`. */
async function filesOf(
  answer: FetchedObjects,
  oids: readonly string[],
): Promise<(readonly [string | null, ByteSource | PackSource])[]> {
  if (answer === null || answer === undefined) return []
  if (answer instanceof Map) {
    return Array.from(answer as ReadonlyMap<string, ByteSource>, ([oid, source]) => {
      return [loosePath(oid), source] as const
    })
  }
  if ('pack' in answer) return [[null, answer]]
  const source = answer as ByteSource
  if (await isPack(source)) return [[null, { pack: source }]]
  const [oid] = oids
  if (oid !== undefined && oids.length === 1) return [[loosePath(oid), source]]
  const what =
    '`missing` must return a pack, or a map of loose objects by id, if several objects are requested'
  throw new PacklensError('BAD_INPUT', what)
}

function loosePath(oid: string): string {
  return `${FOLDER}${oid.slice(0, 2)}/${oid.slice(2)}`
}

function isPack(source: ByteSource): MaybePromise<boolean> {
  const file = fileFrom(source)
  if (file.size < PACK.length) return false
  const begins = (start: Uint8Array) => PACK.every((byte, at) => start[at] === byte)
  if ('read' in file) return whenReady(file.read(0, PACK.length, {}), begins)
  const start = new Uint8Array(PACK.length)
  if ('readInto' in file) file.readInto(0, start)
  return begins(start)
}
