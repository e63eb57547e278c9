/** Objects that a caller brings in when a repository has them nowhere. */
import { PacklensError } from '../errors.js'
import type { MaybePromise } from '../maybe.js'
import { whenReady } from '../maybe.js'
import type { ByteSource } from './bytes.js'
import { fileFrom } from './bytes.js'
import type { PackSource } from './packs.js'
import { mapStore } from './packs.js'
import type { FileStore, ReadOptions, StoredFile } from './store.js'

/**
 * What {@link MissingHook} brings: a pack, with its index or without; the bytes of
 * loose objects as git stores them, by their ids, or of one if one was asked for;
 * `null` if there is nothing.
 */
export type FetchedObjects =
  | ByteSource
  | PackSource
  | ReadonlyMap<string, ByteSource>
  | null
  | undefined

/**
 * Brings objects in that are nowhere: all that a call is known to need next, at
 * once. It may bring others as well. What it throws is thrown on.
 */
export type MissingHook = (
  oids: readonly string[],
  options: ReadOptions,
) => MaybePromise<FetchedObjects>

/**
 * Makes the index of a pack whose ids have so many digits. What it lacks may be in the
 * store, which is not to be closed.
 */
export type Indexer = (
  pack: ByteSource,
  digits: number,
  store: FileStore,
  options: ReadOptions,
) => Promise<ByteSource>

const FOLDER = 'fetched/'

/** What a pack begins with; a zlib stream never does. */
const PACK = [0x50, 0x41, 0x43, 0x4b]

/** A store that has what was fetched besides what it had. */
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
      // Nothing is kept of a pack that turns out to be damaged.
      const index = idx ?? (await indexer(pack, digits, there, options))
      const stem = `${FOLDER}pack/pack-${packs++}`
      files.set(`${stem}.idx`, fileFrom(index))
      files.set(`${stem}.pack`, fileFrom(pack))
    }
  }
  const there: FileStore = {
    open: (path, bytes, options) =>
      path.startsWith(FOLDER) ? fetched.open(path, bytes) : store.open(path, bytes, options),
    list: (path, bytes) =>
      path.startsWith(FOLDER) ? fetched.list(path, bytes) : store.list(path, bytes),
  }
  return {
    ...there,
    fetch,
    refresh: () => store.refresh?.(),
    hasReplaceRefs: () => store.hasReplaceRefs?.() ?? true,
    close: () => store.close?.(),
    ...(store.traffic && { traffic: store.traffic }),
  }
}

/** Returns what came with the paths of loose objects; `null` stands before packs. */
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
    '`missing` gave something that is no pack for several objects: give a pack, or a map of loose objects by their ids'
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
