import type { ReadableBytes } from '../base/platform-types.js'
import type { CommitObject, Stats, WalkEntry } from '../base/types.js'
import type { Batch, BatchOptions } from '../questions/batch.js'
import { readMany } from '../questions/batch.js'
import { log } from '../questions/commit-log.js'
import { revList } from '../questions/commit-walks.js'
import type { RevListOptions } from '../questions/history.js'
import type { RepositoryContext } from '../questions/repository-context.js'
import { close, stats } from '../questions/repository-context.js'
import { EachRow } from '../questions/rows.js'
import type { StreamOptions } from '../questions/stream.js'
import { contentStream } from '../questions/stream.js'
import type { WalkOptions } from '../questions/tree-walk.js'
import { treeWalk } from '../questions/tree-walk.js'
import { ObjectReader } from './object-reader.js'
import { Refs } from './refs.js'

/**
 * An open repository.
 *
 * A `spec` is a revision in git's sense: an object id, whole or shortened, a
 * refname, `HEAD`, `v1.0^{tree}`, `main~3`, `HEAD:src/index.ts`.
 * Single answers are promises, lists are read with `for await`; {@link SyncRepository}
 * has methods of the same names without promises.
 */
export class Repository extends ObjectReader {
  /** The refs. */
  readonly refs: Refs
  readonly #context: RepositoryContext

  /** @internal */
  constructor(context: RepositoryContext) {
    super(context)
    this.#context = context
    this.refs = new Refs(context)
  }

  /**
   * Reads many objects into one buffer. A missing, ambiguous or damaged object gets a row
   * of type `missing`, `ambiguous` or `failed`. If the buffer is full, `next` is where the
   * next call resumes:
   *
   * ```ts
   * for (let start; start !== null; ) {
   *   const batch = await repo.readMany(specs, { start })
   *   for (const row of batch) if (row.type === 'blob') use(row.data)
   *   start = batch.next
   * }
   * ```
   *
   * @throws `BAD_INPUT` if the buffer is below `minBatchSize` bytes
   */
  async readMany(specs: Iterable<string>, options: BatchOptions = {}): Promise<Batch> {
    return readMany(this.#context, specs, options)
  }

  /**
   * Lists the entries of a tree, in git's order. `spec` may be any tree-ish, such as a
   * commit.
   *
   * ```ts
   * for await (const entry of repo.walk('HEAD', { recursive: true })) {
   *   console.log(entry.mode.toString(8), entry.oid, entry.path)
   * }
   * ```
   */
  walk(spec: string, options: WalkOptions = {}): AsyncGenerator<WalkEntry, undefined> {
    return new EachRow(treeWalk(this.#context, spec, options))
  }

  /**
   * Lists the ids of the commits that are reachable from `specs`, the newest first. `specs`
   * are revisions, `^rev` to exclude its history, `a..b`, `a...b`, `--not`.
   *
   * ```ts
   * for await (const oid of repo.revList('v1.0..HEAD', { limit: 10 })) console.log(oid)
   * ```
   *
   * @throws `NOT_FOUND`, `AMBIGUOUS`, `CORRUPT`, `LIMIT`
   */
  revList(
    specs: string | Iterable<string>,
    options: RevListOptions = {},
  ): AsyncGenerator<string, undefined> {
    return new EachRow(revList(this.#context, specs, options))
  }

  /**
   * Reads the commits that {@link Repository.revList} lists, in its order and with its
   * options. Commits are read a page at a time, at first 32 and later up to 512; the
   * commits of a page share one `ArrayBuffer`.
   *
   * ```ts
   * for await (const { oid, author, message } of repo.log('HEAD', { limit: 10 })) {
   *   console.log(oid, author.name, message)
   * }
   * ```
   *
   * @throws `NOT_FOUND`, `AMBIGUOUS`, `CORRUPT`, `PROMISED`, `LIMIT`
   */
  log(
    specs: string | Iterable<string>,
    options: RevListOptions = {},
  ): AsyncGenerator<CommitObject, undefined> {
    return new EachRow(log(this.#context, specs, options))
  }

  /**
   * Streams the content of an object, a chunk at a time. The memory for an object that is
   * not a delta does not depend on its size; a delta is resolved first, within `memory`.
   * If the content does not match the id, the stream fails after the last chunk.
   *
   * ```ts
   * await repo.stream('HEAD:video.mp4').pipeTo(file.createWritable())
   * ```
   */
  stream(spec: string, options: StreamOptions = {}): ReadableBytes<Uint8Array<ArrayBuffer>> {
    return contentStream(this.#context.engine, spec, options)
  }

  /** Returns the counters. */
  stats(): Stats {
    return stats(this.#context)
  }

  /**
   * Reads refs again from the next call on. For a repository at a URL, refs stay as they
   * were when it was opened until this is called; other sources are checked in every call.
   */
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

  async [Symbol.asyncDispose](): Promise<void> {
    this.close()
  }
}
