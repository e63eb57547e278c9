/** Opening a repository, whatever it is given as. */

import type { SessionOptions } from './core-session.js'
import { PacklensError } from './errors.js'
import { LocalEngine } from './local-engine.js'
import type { MaybePromise } from './maybe.js'
import { isPromise, whenReady } from './maybe.js'
import { checkOptions } from './options/rules.js'
import { HTTP, OPEN } from './options/tables.js'
import type { AbortSignal, File, FileList, FileSystemDirectoryHandle } from './platform-types.js'
import { checkPrerequisites } from './prerequisites.js'
import type { OpenProgress } from './progress.js'
import { reportTo } from './progress.js'
import type { QuestionOptions } from './session.js'
import { inOneTurn, Session } from './session.js'
import type { BundleSource } from './source/bundle.js'
import { bundleStore } from './source/bundle.js'
import { fileFrom } from './source/bytes.js'
import type { Store } from './source/custom.js'
import { customStore } from './source/custom.js'
import { directoryStore } from './source/directory.js'
import type { LayoutOptions } from './source/environment.js'
import { refuse, repositoryEnvironmentOf } from './source/environment.js'
import { guarded } from './source/failed.js'
import type { MissingHook } from './source/fetched.js'
import { fileListStore } from './source/file-list.js'
import type { FsSource } from './source/fs-store.js'
import { fsStore } from './source/fs-store.js'
import { isPackFiles, type PackFiles, packFilesStore } from './source/pack-files.js'
import type { PacksSource } from './source/packs.js'
import { packsStore } from './source/packs.js'
import type { FileStore } from './source/store.js'
import type { HttpOptions } from './source/url/options.js'
import { urlStore } from './source/url/store.js'
import { expectSync } from './task.js'

/**
 * What a repository can be opened from, besides what the platform adds:
 *
 * - {@link PacksSource}, `{ packs }`: packs on their own, in memory or as files
 * - {@link BundleSource}, `{ bundle }`: a bundle, in memory or as a file
 * - `FileSystemDirectoryHandle`: a folder of the user's disk, or of OPFS
 * - `FileList`, or an array of `File`: those of `<input webkitdirectory>`
 * - {@link FsSource}, `{ fs, dir }`: what isomorphic-git reads from
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

/** How a repository is opened. */
export interface OpenOptions extends LayoutOptions {
  /**
   * The most bytes that parts of files, the base cache and output take
   * together, with the gaps between them, for which three tenths are kept. Default
   * 64 MiB. An object that does not fit is `LIMIT`.
   */
  readonly memory?: number | undefined
  /**
   * The most bytes of it that hold inflated delta bases for the objects read next,
   * as git's `core.deltaBaseCacheLimit`. Default, and at most: half of what is left
   * of `memory` without the gaps.
   */
  readonly baseCache?: number | undefined
  /**
   * What is checked before content is handed over. `oid`, the default: it must have the
   * hash that is its id. `crc`: the packed bytes it is made of must have the checksums
   * that the index of their pack has, which finds damage, but no content that was made to
   * be something else; loose objects, packs with an index of version 1, entries of more
   * than an eighth of `memory` and streams are checked as with `oid`. `none` is for
   * sources that are trusted already.
   */
  readonly verify?: 'oid' | 'crc' | 'none' | undefined
  /** The hash of object ids, where no `config` tells. */
  readonly objectFormat?: 'sha1' | 'sha256' | undefined
  /** How a repository is read from a server. */
  readonly http?: HttpOptions | undefined
  /**
   * Reads in a worker of its own, so that this thread is free meanwhile. The
   * methods are the same; {@link Repository.stats} tells the counters of the last
   * answer. With `openSync`, which has no promises, it is `BAD_INPUT`.
   * The bytes of an `ArrayBuffer` are copied to the worker, a `Blob` or a handle
   * is not; a source with methods of yours stays here, and the worker asks it.
   *
   * ```ts
   * const repo = await open(await showDirectoryPicker(), { worker: true })
   * ```
   *
   * Default: no.
   */
  readonly worker?: boolean | undefined
  /**
   * How many more workers help with what reads whole packs: `objects({ unordered:
   * true })` and {@link Repository.checkPack}; and with long walks over commits where
   * no commit-graph tells of them, such as {@link Repository.countCommits}. They start
   * with the first of these that has enough to share, and end when the repository is
   * closed. Each takes up to `memory` bytes of its own. Where nothing is verified there
   * is little to gain from whole packs. Where there can be none, or the source has methods
   * of yours, all is done without.
   *
   * ```ts
   * const repo = await open('.', { workers: os.availableParallelism() - 1 })
   * ```
   *
   * Default: 0.
   */
  readonly workers?: number | undefined
  /**
   * Asked for objects that are nowhere, as git asks the remote of a partial clone.
   * With `worker` the source stays in this thread.
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
 * The share of `memory` that is left for the gaps between what was allocated:
 * it is the instance's memory that must not outgrow it.
 */
const GAPS_SHARE = 0.3

/** Makes a store of a source, a platform's own kinds first. */
export type StoreOf<S> = (source: S) => MaybePromise<FileStore> | undefined

const NOT_APART = 'in this kind of source all is in one place'

/**
 * Returns the store of a source that every platform knows; `inner` that of a repository
 * which is named inside of it.
 */
export function storeOf(
  source: RepoSource | PackFiles,
  options: OpenOptions,
  inner: (source: never) => MaybePromise<FileStore>,
): MaybePromise<FileStore> {
  if (typeof source === 'object' && source !== null) {
    if ('getDirectoryHandle' in source) return directoryStore(source, options)
    if (Symbol.iterator in source) {
      refuse(options, ['commonDir'], NOT_APART)
      return fileListStore(source as Iterable<File>, options)
    }
    refuse(options, ['gitDir'], 'only a folder or a list of files has others inside')
    if ('fs' in source) return fsStore(source, options.memory ?? DEFAULT_MEMORY, options)
    refuse(options, ['commonDir'], NOT_APART)
    if (isPackFiles(source)) return packFilesStore(source as PackFiles, fileFrom, inner)
    if ('bundle' in source) return bundleStore(source, sessionOptions(source, options), inner)
    if ('packs' in source) return packsStore(source)
    if ('get' in source && typeof source.get === 'function') return customStore(source as Store)
  }
  const what =
    'not something to open: give { packs }, { bundle }, a directory handle, a list of files, { fs, dir }, or { get, list }'
  throw new PacklensError('BAD_INPUT', what)
}

/** Returns the store of a repository on a server; `undefined` for other addresses. */
export function storeAt(url: URL, options: OpenOptions): Promise<FileStore> | undefined {
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return undefined
  refuse(options, ['gitDir', 'commonDir'], NOT_APART)
  const { http, signal, replace } = options
  return urlStore(url, { http, signal, replace, memory: options.memory ?? DEFAULT_MEMORY })
}

/** Opens the repository in the store that `open` makes, for the API here or in the page. */
export function openEngine(
  open: () => MaybePromise<FileStore>,
  options: SessionOptions,
  ask: QuestionOptions,
  report: (done: number, total: number) => void,
): MaybePromise<LocalEngine> {
  return whenReady(guarded(open, 'the source cannot be opened'), (store) => {
    const session = new Session(store, options)
    const failed = (error: unknown): never => {
      session.close()
      throw error
    }
    try {
      const ready = whenReady(session.prepare(ask, report), () => {
        const engine = new LocalEngine(session)
        return whenReady(checkPrerequisites(engine, store.prerequisites ?? [], ask), () => engine)
      })
      return ready instanceof Promise ? ready.catch(failed) : ready
    } catch (error) {
      return failed(error)
    }
  })
}

/** Opens the repository in a store that answers at once. */
export function openEngineSync(
  store: () => MaybePromise<FileStore>,
  source: unknown,
  options: OpenOptions,
): LocalEngine {
  if (options.worker) {
    throw new PacklensError('BAD_INPUT', 'a worker answers with promises: use `open`')
  }
  const { signal } = options
  const settled = sessionOptions(source, options)
  const engine = openEngine(store, settled, inOneTurn({ signal }), reportTo(options))
  // Nobody will get it: what it opens meanwhile must be given back.
  if (isPromise(engine)) {
    engine.then(
      (late) => late.close(),
      () => {},
    )
  }
  return expectSync(engine)
}

/** How a source is to be read. */
export function sessionOptions(source: unknown, options: OpenOptions): SessionOptions {
  const ceiling = options.memory ?? DEFAULT_MEMORY
  const memory = ceiling - Math.floor(ceiling * GAPS_SHARE)
  const objectFormat = options.objectFormat ?? formatOf(source)
  const baseCache = options.baseCache ?? memory / 2
  const fetches = options.missing ? true : undefined
  // Packs hold what they hold, whatever that is replaced by.
  const replace = isPackFiles(source) ? false : options.replace
  const environment = { ...repositoryEnvironmentOf({ ...options, replace }), fetches } as const
  return { memory, baseCache, verify: options.verify ?? 'oid', objectFormat, environment }
}

function formatOf(source: unknown): 'sha1' | 'sha256' | undefined {
  // A repository says it itself.
  if (isPackFiles(source)) return source.repository === undefined ? 'sha1' : undefined
  // A bundle says it itself.
  const packs = typeof source === 'object' && source !== null && 'packs' in source
  return packs && !('bundle' in source)
    ? ((source as PacksSource).objectFormat ?? 'sha1')
    : undefined
}

/** @throws `BAD_INPUT` if an option makes no sense, or there is none of its name */
export function checkOpenOptions(call: string, options: OpenOptions): void {
  checkOptions(call, options, OPEN)
  checkOptions(call, options.http ?? {}, HTTP, 'http.')
}
