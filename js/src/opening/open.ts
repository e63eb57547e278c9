/** Opens a repository from any kind of source. */

import { PacklensError } from '../base/errors.js'
import { bundles, folders, servers } from '../base/lazy.js'
import type { MaybePromise } from '../base/maybe.js'
import { isPromise, whenReady } from '../base/maybe.js'
import type {
  AbortSignal,
  File,
  FileList,
  FileSystemDirectoryHandle,
} from '../base/platform-types.js'
import { LocalEngine } from '../engine/local-engine.js'
import { checkOptions } from '../options/rules.js'
import { HTTP, OPEN } from '../options/tables.js'
import type { SessionOptions } from '../session/core-session.js'
import { beginFull, fullNow } from '../session/modules.js'
import type { QuestionOptions } from '../session/session.js'
import { inOneTurn, Session } from '../session/session.js'
import { expectSync } from '../session/task.js'
import { fileFrom } from '../source/bytes.js'
import type { Store } from '../source/custom.js'
import { customStore } from '../source/custom.js'
import type { LayoutOptions } from '../source/environment.js'
import { refuse, repositoryEnvironmentOf } from '../source/environment.js'
import { guarded } from '../source/failed.js'
import type { MissingHook } from '../source/fetched.js'
import type { FsSource } from '../source/fs-store.js'
import { isPackFiles, type PackFiles, packFilesStore } from '../source/pack-files.js'
import type { PacksSource } from '../source/packs.js'
import { packsStore } from '../source/packs.js'
import type { OpenProgress } from '../source/progress.js'
import { reportTo } from '../source/progress.js'
import type { FileStore } from '../source/store.js'
import type { HttpOptions } from '../source/url/options.js'
import type { BundleSource } from './bundle.js'

/**
 * The sources that a repository can be opened from; platforms add their own:
 *
 * - {@link PacksSource}, `{ packs }`: packs on their own, in memory or as files
 * - {@link BundleSource}, `{ bundle }`: a bundle, in memory or as a file
 * - `FileSystemDirectoryHandle`: a folder of the user's disk, or of OPFS
 * - `FileList`, or an array of `File`: the files of `<input webkitdirectory>`
 * - {@link FsSource}, `{ fs, dir }`: a file system client in isomorphic-git's shape
 * - {@link Store}, `{ get, list }`: anything else
 *
 * A folder is a worktree with a `.git` folder, or a bare repository.
 */
export type RepoSource =
  | PacksSource
  | BundleSource
  | FileSystemDirectoryHandle
  | FileList
  | readonly File[]
  | FsSource
  | Store

/** The options of `open` and `openSync`. */
export interface OpenOptions extends LayoutOptions {
  /**
   * The most bytes that blocks of files, the base cache and output take together.
   * Three tenths are reserved for gaps between allocations. Default: 64 MiB. Reading an
   * object that does not fit fails with `LIMIT`.
   */
  readonly memory?: number | undefined
  /**
   * The most bytes of `memory` that cache inflated delta bases, like git's
   * `core.deltaBaseCacheLimit`. Default, and maximum: three quarters of `memory` without the gaps,
   * as far as cached ranges leave it.
   */
  readonly baseCache?: number | undefined
  /**
   * The check of content before it is returned. `oid`, the default: its hash must be its
   * id. `crc`: the packed bytes must have the checksums of the pack's index, which detects
   * damage but not forged content; loose objects, packs with an index of version 1,
   * entries of more than an eighth of `memory` and streams are checked as with `oid`.
   * `none` is for trusted sources.
   */
  readonly verify?: 'oid' | 'crc' | 'none' | undefined
  /** The hash of object ids, for sources without a `config`. */
  readonly objectFormat?: 'sha1' | 'sha256' | undefined
  /** The options for reading from a server. */
  readonly http?: HttpOptions | undefined
  /**
   * Reads in a separate worker, so that this thread is not blocked. The methods are the
   * same; {@link Repository.stats} returns the counters as of the last answer. `openSync`
   * fails with `BAD_INPUT`, because a worker answers with promises.
   * The bytes of an `ArrayBuffer` are copied to the worker, a `Blob` or a handle is not; a
   * source with methods of yours stays in this thread, and the worker calls it.
   *
   * ```ts
   * const repo = await open(await showDirectoryPicker(), { worker: true })
   * ```
   *
   * Default: false.
   */
  readonly worker?: boolean | undefined
  /**
   * The number of additional workers. They share jobs over whole packs,
   * `objects({ unordered: true })`, {@link Repository.checkPack} and
   * {@link Repository.fsck}, and long walks over commits that are in no commit-graph, such as {@link Repository.countCommits}. The
   * workers start with the first job that is large enough to share, and end when the
   * repository is closed. Each takes up to `memory` bytes of its own. With
   * `verify: 'none'`, jobs over whole packs gain little. If workers are not available, or
   * the source has methods of yours, no workers are used.
   *
   * ```ts
   * const repo = await open('.', { workers: os.availableParallelism() - 1 })
   * ```
   *
   * Default: 0.
   */
  readonly workers?: number | undefined
  /**
   * Called to fetch missing objects, as git asks the remote of a partial clone.
   * With `worker` the source stays in this thread; `openSync` refuses it.
   *
   * ```ts
   * const repo = await open('/partial.git', {
   *   missing: async (oids, { signal }) => fetchPack(oids, signal),
   * })
   * ```
   */
  readonly missing?: MissingHook | undefined
  readonly onProgress?: ((progress: OpenProgress) => void) | undefined
  readonly signal?: AbortSignal | undefined
}

const DEFAULT_MEMORY = 64 << 20

/**
 * The share of `memory` that is reserved for gaps between allocations, because `memory`
 * limits the instance's whole memory.
 */
const GAPS_SHARE = 0.3

/** Returns the store of a source; the platform's own kinds are tried first. */
export type StoreOf<S> = (source: S) => MaybePromise<FileStore> | undefined

const NOT_APART = 'in this kind of source all is in one place'

/**
 * Returns the store of a source that every platform supports. `inner` returns the store
 * of a repository that is named inside the source.
 */
export function storeOf(
  source: RepoSource | PackFiles,
  options: OpenOptions,
  inner: (source: never) => MaybePromise<FileStore>,
): MaybePromise<FileStore> {
  if (typeof source === 'object' && source !== null) {
    if ('getDirectoryHandle' in source) {
      return folders().then(({ directoryStore }) => directoryStore(source, options))
    }
    if (Symbol.iterator in source) {
      refuse(options, ['commonDir'], NOT_APART)
      // A `FileList` empties when its input is reset, which may happen before the import ends.
      const files = [...(source as Iterable<File>)]
      return folders().then(({ fileListStore }) => fileListStore(files, options))
    }
    refuse(options, ['gitDir'], 'only a folder or a list of files has others inside')
    if ('fs' in source) {
      const memory = options.memory ?? DEFAULT_MEMORY
      return folders().then(({ fsStore }) => fsStore(source, memory, options))
    }
    refuse(options, ['commonDir'], NOT_APART)
    if (isPackFiles(source)) return packFilesStore(source as PackFiles, fileFrom, inner)
    if ('bundle' in source) {
      beginFull()
      return whenReady(bundles(), ({ bundleStore }) =>
        bundleStore(source, sessionOptions(source, options), inner),
      )
    }
    if ('packs' in source) return packsStore(source)
    if ('get' in source && typeof source.get === 'function') return customStore(source as Store)
  }
  const what =
    'not a source of a repository: give { packs }, { bundle }, a directory handle, a list of files, { fs, dir }, or { get, list }'
  throw new PacklensError('BAD_INPUT', what)
}

/** Returns the store of a repository on a server; `undefined` for other addresses. */
export function storeAt(url: URL, options: OpenOptions): Promise<FileStore> | undefined {
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return undefined
  refuse(options, ['gitDir', 'commonDir'], NOT_APART)
  const { http, signal, replace } = options
  const memory = options.memory ?? DEFAULT_MEMORY
  return servers().then(({ urlStore }) => urlStore(url, { http, signal, replace, memory }))
}

/** Opens the repository in the store of `open`, for the API in this thread or in the page. */
export function openEngine(
  open: () => MaybePromise<FileStore>,
  options: SessionOptions,
  ask: QuestionOptions,
  report: (done: number, total: number) => void,
): MaybePromise<LocalEngine> {
  return whenReady(guarded(open, 'the source cannot be opened'), (store) => {
    const engine = new LocalEngine(new Session(store, options))
    const failed = (error: unknown): never => {
      engine.close()
      throw error
    }
    try {
      const prepared = engine.asked((session) => session.prepare(ask, report), ask)
      const ready = whenReady(prepared, () => {
        const { prerequisites = [] } = store
        if (prerequisites.length === 0) return engine
        return whenReady(bundles(), ({ checkPrerequisites }) =>
          whenReady(checkPrerequisites(engine, prerequisites, ask), () => engine),
        )
      })
      return isPromise(ready) ? ready.catch(failed) : ready
    } catch (error) {
      return failed(error)
    }
  })
}

/**
 * Opens the repository in a store that answers synchronously.
 *
 * @throws `BAD_INPUT` with the option `worker`, `workers` or `missing`, or if the store answers with promises
 */
export function openEngineSync(
  store: () => MaybePromise<FileStore>,
  source: unknown,
  options: OpenOptions,
): LocalEngine {
  if (options.worker || options.workers) {
    throw new PacklensError('BAD_INPUT', 'workers answer with promises: use `open`')
  }
  if (options.missing) {
    throw new PacklensError('BAD_INPUT', '`missing` is asked with promises: use `open`')
  }
  // Only the full module reads bundles.
  if (typeof source === 'object' && source !== null && 'bundle' in source) fullNow()
  const { signal } = options
  const resolvedOptions = sessionOptions(source, options)
  const engine = openEngine(store, resolvedOptions, inOneTurn({ signal }), reportTo(options))
  // `expectSync` throws: without this, an engine that opens later would never be closed.
  if (isPromise(engine)) {
    engine.then(
      (late) => late.close(),
      () => {},
    )
  }
  return expectSync(engine)
}

/** Returns the session's options for a source, with defaults filled in. */
export function sessionOptions(source: unknown, options: OpenOptions): SessionOptions {
  const ceiling = options.memory ?? DEFAULT_MEMORY
  const memory = ceiling - Math.floor(ceiling * GAPS_SHARE)
  const objectFormat = options.objectFormat ?? formatOf(source)
  const baseCache = options.baseCache ?? memory
  const fetches = options.missing ? true : undefined
  // The objects of a pack are read themselves, never their replacements.
  const replace = isPackFiles(source) ? false : options.replace
  const environment = { ...repositoryEnvironmentOf({ ...options, replace }), fetches } as const
  return { memory, baseCache, verify: options.verify ?? 'oid', objectFormat, environment }
}

function formatOf(source: unknown): 'sha1' | 'sha256' | undefined {
  // The repository's own `config` has the format.
  if (isPackFiles(source)) return source.repository === undefined ? 'sha1' : undefined
  // A bundle's header has the format.
  const packs = typeof source === 'object' && source !== null && 'packs' in source
  return packs && !('bundle' in source)
    ? ((source as PacksSource).objectFormat ?? 'sha1')
    : undefined
}

/** @throws `BAD_INPUT` if an option is invalid or unknown */
export function checkOpenOptions(call: string, options: OpenOptions): void {
  checkOptions(call, options, OPEN)
  checkOptions(call, options.http ?? {}, HTTP, 'http.')
}
