/**
 * Reads git repositories on demand, in Node.
 *
 * ```ts
 * import { openSync } from 'packlens'
 *
 * const repo = openSync('.')
 * console.log(repo.read('HEAD:README.md').size)
 * ```
 *
 * @module
 */

import { full } from './base/lazy.js'
import type { LoadOptions } from './load.js'
import { loadFrom } from './load.js'
import type { PackSourceFile, RepoSource } from './node/platform.js'
import {
  absoluteFiles,
  absoluteOptions,
  absoluteSource,
  offerBeside,
  storeFor,
} from './node/platform.js'
import * as workers from './node/workers.js'
import type { PackFacts } from './objects/pack-records.js'
import type { OpenOptions } from './opening/open.js'
import { checkOpenOptions, openEngineSync } from './opening/open.js'
import type { SourceStore, StoreOptions } from './opening/source-store.js'
import { checkStoreOptions, sourceStore } from './opening/source-store.js'
import { withMissing } from './opening/with-missing.js'
import type { CheckPackFilesOptions } from './packs/check-pack.js'
import type { IndexPackOptions, PackIndex } from './packs/index-pack.js'
import type { PackReaders } from './packs/pack-answers.js'
import type { IndexEntry, ShowIndexOptions } from './packs/show-index.js'
import type { OpeningPlatform } from './repository/opening.js'
import { openWith, packReaders, syncRepositoryOf } from './repository/opening.js'
import type { Repository } from './repository/repository.js'
import type { SyncRepository } from './repository/sync-repository.js'
import { loadReader } from './session/modules.js'
import { expectSync } from './session/task.js'
import type { WasmSource } from './session/wasm-module.js'
import { guarded } from './source/failed.js'
import type { PackFiles } from './source/pack-files.js'
import type { ByteStream } from './source/received.js'

export * from './api.js'
export type { PackSourceFile, RepoSource } from './node/platform.js'

const platform: OpeningPlatform = {
  load: () => {
    offerBeside()
    return loadReader()
  },
  workers: async () => workers,
}

/** Loads the module. {@link open} and {@link openSync} load it themselves. */
export async function load(source?: WasmSource | LoadOptions): Promise<void> {
  await loadFrom(source, offerBeside)
}

/**
 * Opens a repository. Objects are read on demand; only packs without an index are read
 * completely by this call. Close the repository to release what it holds.
 *
 * ```ts
 * const repo = await open({ fs, dir: '/repo' }, { memory: 256 << 20 })
 * ```
 *
 * @throws {PacklensError} `NOT_FOUND` if there is no repository, `BAD_INPUT` if the source
 * is invalid or may not be read, `UNSUPPORTED` if the repository format is unknown,
 * `LIMIT` if `memory` is too small, `ABORTED` by `signal`.
 */
export async function open(source: RepoSource, given: OpenOptions = {}): Promise<Repository> {
  checkOpenOptions('open', given)
  const options = absoluteOptions(source, given)
  const store = () => withMissing(storeFor(source, options), options)
  return openWith(platform, { source: absoluteSource(source), store }, options)
}

/**
 * Returns the files of a source, so that you can change what is read of them: keep them in a
 * cache, add files, try another server. `open` takes what you make of them.
 *
 * ```ts
 * const server = await storeOf('https://example.com/repo.git')
 * const repo = await open({
 *   ...server,
 *   get: (path, options) => edited.get(path) ?? server.get(path, options),
 * })
 * ```
 *
 * A file that you pass on as it is costs nothing. Reads of your own files, and of those whose
 * `read` you replace, stay in this thread, also with `worker`.
 *
 * @throws {PacklensError} `NOT_FOUND` if there is no repository, `BAD_INPUT` if the source
 * is invalid, `NETWORK` if a server cannot be reached, `ABORTED` by `signal`.
 */
export async function storeOf(source: RepoSource, given: StoreOptions = {}): Promise<SourceStore> {
  checkStoreOptions(given)
  offerBeside()
  const options = absoluteOptions(source, given)
  return sourceStore(await guarded(() => storeFor(source, options), 'the source cannot be opened'))
}

/**
 * Opens a repository whose source is a path, in memory, or answers without promises. Its
 * methods have the names of {@link Repository}'s, and return answers instead of promises.
 *
 * ```ts
 * const repo = openSync('.')
 * ```
 *
 * @throws {PacklensError} As {@link open}, and `BAD_INPUT` if the source answers
 * with promises.
 */
export function openSync(source: RepoSource, given: OpenOptions = {}): SyncRepository {
  checkOpenOptions('openSync', given)
  const options = absoluteOptions(source, given)
  offerBeside()
  expectSync(loadReader())
  const store = () => withMissing(storeFor(source, options), options)
  return syncRepositoryOf(openEngineSync(store, source, options))
}

/**
 * Makes the indexes of a pack: reads all of it and hashes every object. A thin pack is
 * completed with its delta bases from `repository`, and the completed pack is indexed. A
 * streamed pack ends where the stream ends.
 *
 * ```ts
 * const { idx, rev, oid } = await indexPack('objects/pack/pack-1a2b.pack')
 * ```
 *
 * @throws {PacklensError} `CORRUPT` if the pack is damaged, or if a delta base is neither
 * in the pack nor in `repository`, `LIMIT` if `memory` is too small, `ABORTED` by `signal`.
 */
export async function indexPack(
  pack: PackSourceFile | ByteStream,
  options: IndexPackOptions = {},
): Promise<PackIndex> {
  const { indexAny } = await full()
  return indexAny(pack, options, (pack) => {
    return readersOf({ pack, repository: options.repository }, options)
  })
}

/**
 * Checks a pack and its index: their checksums, and every object's id, offset and
 * checksum. Resolves to the facts about a valid pack, and rejects otherwise.
 *
 * @throws {PacklensError} `CORRUPT` if one of them is damaged or they do not belong
 * together; otherwise as {@link indexPack}.
 */
export async function checkPack(
  pack: PackSourceFile,
  idx: PackSourceFile,
  options: CheckPackFilesOptions = {},
): Promise<PackFacts> {
  const { checkPackWith } = await full()
  return checkPackWith(() => readersOf({ pack, idx }, options), options)
}

/**
 * Lists the entries of a pack index, sorted by id, as `git show-index` does.
 *
 * ```ts
 * for await (const { oid, offset } of showIndex(await file.arrayBuffer())) use(oid, offset)
 * ```
 *
 * @throws {PacklensError} `CORRUPT` if the index is damaged, `UNSUPPORTED` for versions other
 * than 1 and 2, `ABORTED` by `signal`.
 */
export async function* showIndex(
  idx: PackSourceFile,
  options: ShowIndexOptions = {},
): AsyncGenerator<IndexEntry, undefined> {
  const { showIndexWith } = await full()
  yield* showIndexWith(() => readersOf({ pack: undefined, idx }, options).engine, options)
}

function readersOf(files: PackFiles<PackSourceFile>, options: IndexPackOptions): PackReaders {
  const source = absoluteFiles(files)
  return packReaders(
    platform,
    { source, store: () => withMissing(storeFor(source, options), options) },
    options,
  )
}
