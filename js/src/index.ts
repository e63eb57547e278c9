/**
 * Reads git repositories on demand, in browsers and workers.
 *
 * ```ts
 * import { open } from 'packlens'
 *
 * const repo = await open(await showDirectoryPicker())
 * const readme = await repo.read('HEAD:README.md')
 * ```
 *
 * @module
 */

import { full } from './base/lazy.js'
import { workers } from './lazy-workers.js'
import type { LoadOptions } from './load.js'
import { loadFrom } from './load.js'
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
import type { RepoSource } from './platform.js'
import { absoluteFiles, absoluteSource, offerBeside, storeFor } from './platform.js'
import type { OpeningPlatform } from './repository/opening.js'
import { openWith, packReaders, syncRepositoryOf } from './repository/opening.js'
import type { Repository } from './repository/repository.js'
import type { SyncRepository } from './repository/sync-repository.js'
import { loadReader } from './session/modules.js'
import type { WasmSource } from './session/wasm-module.js'
import type { ByteSource } from './source/bytes.js'
import { guarded } from './source/failed.js'
import type { PackFiles } from './source/pack-files.js'
import type { ByteStream } from './source/received.js'

export * from './api.js'

export type { RepoSource } from './platform.js'

const platform: OpeningPlatform = {
  load: () => {
    offerBeside()
    return loadReader()
  },
  workers,
}

/**
 * Loads the reader, or the module that is given. {@link open} loads it itself;
 * {@link openSync} needs it loaded. Give `source` if the bundler does not place the modules, or
 * the worker, beside the script.
 *
 * ```ts
 * await load({
 *   reader: '/assets/packlens_reader.wasm',
 *   wasm: '/assets/packlens_bg.wasm',
 *   rest: '/assets/packlens_rest.wasm',
 *   worker: '/assets/packlens-worker.js',
 * })
 * ```
 *
 * @throws {PacklensError} `NETWORK` or `BAD_INPUT` if there is no module. The message names
 * the address and the response, and suggests a fix.
 */
export async function load(source?: WasmSource | LoadOptions): Promise<void> {
  await loadFrom(source, offerBeside)
}

/**
 * Opens a repository. Objects are read on demand; only packs without an index are read
 * completely by this call. Close the repository to release what it holds.
 *
 * ```ts
 * const repo = await open(await showDirectoryPicker(), { memory: 256 << 20 })
 * ```
 *
 * @throws {PacklensError} `NOT_FOUND` if there is no repository, `BAD_INPUT` if the source
 * is invalid or may not be read, `UNSUPPORTED` if the repository format is unknown,
 * `LIMIT` if `memory` is too small, `ABORTED` by `signal`.
 */
export async function open(source: RepoSource, options: OpenOptions = {}): Promise<Repository> {
  checkOpenOptions('open', options)
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
export async function storeOf(
  source: RepoSource,
  options: StoreOptions = {},
): Promise<SourceStore> {
  checkStoreOptions(options)
  offerBeside()
  return sourceStore(await guarded(() => storeFor(source, options), 'the source cannot be opened'))
}

/**
 * Opens a repository whose source is in memory, or answers without promises. Its methods
 * have the names of {@link Repository}'s, and return answers instead of promises.
 *
 * ```ts
 * const repo = openSync({ packs: [{ pack: bytes }], refs: { HEAD: oid } })
 * ```
 *
 * @throws {PacklensError} As {@link open}, and `BAD_INPUT` if the source answers
 * with promises or the module is not loaded.
 */
export function openSync(source: RepoSource, options: OpenOptions = {}): SyncRepository {
  checkOpenOptions('openSync', options)
  const store = () => withMissing(storeFor(source, options), options)
  return syncRepositoryOf(openEngineSync(store, source, options))
}

/**
 * Makes the indexes of a pack: reads all of it and hashes every object. A thin pack is
 * completed with its delta bases from `repository`, and the completed pack is indexed. A
 * streamed pack ends where the stream ends.
 *
 * ```ts
 * const { idx, rev, oid } = await indexPack(await file.arrayBuffer())
 * ```
 *
 * @throws {PacklensError} `CORRUPT` if the pack is damaged, or if a delta base is neither
 * in the pack nor in `repository`, `LIMIT` if `memory` is too small, `ABORTED` by `signal`.
 */
export async function indexPack(
  pack: ByteSource | ByteStream,
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
  pack: ByteSource,
  idx: ByteSource,
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
  idx: ByteSource,
  options: ShowIndexOptions = {},
): AsyncGenerator<IndexEntry, undefined> {
  const { showIndexWith } = await full()
  yield* showIndexWith(() => readersOf({ pack: undefined, idx }, options).engine, options)
}

function readersOf(files: PackFiles, options: IndexPackOptions): PackReaders {
  const source = absoluteFiles(files)
  return packReaders(
    platform,
    { source, store: () => withMissing(storeFor(source, options), options) },
    options,
  )
}
