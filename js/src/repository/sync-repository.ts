import type {
  BlobObject,
  CommitObject,
  GitObject,
  ObjectInfo,
  Stats,
  TagObject,
  TreeObject,
  WalkEntry,
} from '../base/types.js'
import type { Batch, BatchOptions } from '../questions/batch.js'
import { readMany } from '../questions/batch.js'
import { log } from '../questions/commit-log.js'
import { revList } from '../questions/commit-walks.js'
import type { RevListOptions } from '../questions/history.js'
import type { ReadOptions } from '../questions/reading.js'
import { find, info, read, resolve } from '../questions/reading.js'
import type { RepositoryContext } from '../questions/repository-context.js'
import { close, stats } from '../questions/repository-context.js'
import { eachRow } from '../questions/rows.js'
import type { WalkOptions } from '../questions/tree-walk.js'
import { treeWalk } from '../questions/tree-walk.js'
import { expectSync } from '../session/task.js'
import { callFullNow, FullCaller } from './full-caller.js'
import type { FullCallsNow } from './full-calls.js'
import { SyncRefs } from './sync-refs.js'

// Its declaration has the calls, and not how they are made.
const Calls = FullCaller as unknown as new (...args: unknown[]) => FullCallsNow

/**
 * A repository whose source answers synchronously; `openSync` returns it.
 *
 * The methods are those of {@link Repository}, with the same options and errors. Each one
 * returns its answer directly: the event loop is blocked meanwhile, and no workers are
 * used. Lists are read with `for`, a page at a time. Only {@link Repository} has `stream`.
 *
 * ```ts
 * const repo = openSync('.')
 * for (const oid of repo.revList('HEAD', { limit: 10 })) console.log(repo.readCommit(oid).message)
 * ```
 */
export class SyncRepository extends Calls {
  /** The refs. */
  readonly refs: SyncRefs
  readonly #context: RepositoryContext

  /** @internal */
  constructor(context: RepositoryContext) {
    super(context, callFullNow)
    this.#context = context
    this.refs = new SyncRefs(context)
  }

  /** Reads an object: see {@link Repository.read}. */
  read(spec: string, options: ReadOptions = {}): GitObject {
    return expectSync(read(this.#context, 'read', spec, options))
  }

  /** Reads a commit: see {@link Repository.readCommit}. */
  readCommit(spec: string, options: ReadOptions = {}): CommitObject {
    return expectSync(read(this.#context, 'readCommit', spec, options, 'commit'))
  }

  /** Reads a tree: see {@link Repository.readTree}. */
  readTree(spec: string, options: ReadOptions = {}): TreeObject {
    return expectSync(read(this.#context, 'readTree', spec, options, 'tree'))
  }

  /** Reads a blob: see {@link Repository.readBlob}. */
  readBlob(spec: string, options: ReadOptions = {}): BlobObject {
    return expectSync(read(this.#context, 'readBlob', spec, options, 'blob'))
  }

  /** Reads an annotated tag: see {@link Repository.readTag}. */
  readTag(spec: string, options: ReadOptions = {}): TagObject {
    return expectSync(read(this.#context, 'readTag', spec, options, 'tag'))
  }

  /** Reads an object, `null` if there is no such object: see {@link Repository.find}. */
  find(spec: string, options: ReadOptions = {}): GitObject | null {
    return expectSync(find(this.#context, spec, options))
  }

  /** Returns type, size and storage of an object: see {@link Repository.info}. */
  info(spec: string, options: ReadOptions = {}): ObjectInfo {
    return expectSync(info(this.#context, spec, options))
  }

  /** Returns the id of the object that a revision stands for: see {@link Repository.resolve}. */
  resolve(spec: string, options: ReadOptions = {}): string {
    return expectSync(resolve(this.#context, spec, options))
  }

  /** Reads many objects into one buffer: see {@link Repository.readMany}. */
  readMany(specs: Iterable<string>, options: BatchOptions = {}): Batch {
    return expectSync(readMany(this.#context, specs, options))
  }

  /** Lists the entries of a tree: see {@link Repository.walk}. */
  walk(spec: string, options: WalkOptions = {}): Generator<WalkEntry, undefined> {
    return eachRow(treeWalk(this.#context, spec, options))
  }

  /** Lists the ids of commits: see {@link Repository.revList}. */
  revList(
    specs: string | Iterable<string>,
    options: RevListOptions = {},
  ): Generator<string, undefined> {
    return eachRow(revList(this.#context, specs, options))
  }

  /** Reads the commits that {@link SyncRepository.revList} lists: see {@link Repository.log}. */
  log(
    specs: string | Iterable<string>,
    options: RevListOptions = {},
  ): Generator<CommitObject, undefined> {
    return eachRow(log(this.#context, specs, options))
  }

  /** Returns the counters. */
  stats(): Stats {
    return stats(this.#context)
  }

  /** Reads refs again from the next call on: see {@link Repository.refresh}. */
  refresh(): void {
    this.#context.engine.refresh()
  }

  /** Releases everything that the repository holds. Can be called at any time, and twice. */
  close(): void {
    close(this.#context)
  }

  [Symbol.dispose](): void {
    this.close()
  }
}
