import type { Asker } from './asker.js'
import { close, stats } from './asker.js'
import type { Batch, BatchOptions } from './batch.js'
import { readMany } from './batch.js'
import type { CheckPackOptions } from './check-pack.js'
import { checkPack } from './check-pack.js'
import { log } from './commit-log.js'
import {
  countCommits,
  countObjects,
  isAncestor,
  mergeBase,
  mergeBases,
  revList,
  revListObjects,
} from './commit-walks.js'
import type { Finding, FsckOptions } from './fsck.js'
import { fsck } from './fsck.js'
import type { CountOptions, ListedObject, MergeBasesOptions, RevListOptions } from './history.js'
import type { ObjectsOptions } from './object-list.js'
import { objectList } from './object-list.js'
import { ObjectReader } from './object-reader.js'
import type { PackFacts } from './pack-answers.js'
import type { ReadableBytes } from './platform-types.js'
import type { ReadOptions } from './reading.js'
import { Refs } from './refs.js'
import { EachRow } from './rows.js'
import type { StorageCounts } from './storage.js'
import { storage } from './storage.js'
import type { StreamOptions } from './stream.js'
import { contentStream } from './stream.js'
import type { WalkOptions } from './tree-walk.js'
import { treeWalk } from './tree-walk.js'
import type { BatchRow, CommitObject, Stats, WalkEntry } from './types.js'

/**
 * A repository that was opened.
 *
 * A `spec` is what git calls a revision: an object id, whole or shortened, a
 * refname, `HEAD`, `v1.0^{tree}`, `main~3`, `HEAD:src/index.ts`.
 * Single answers are promises, lists are gone over by `for await`; {@link SyncRepository}
 * has methods of the same names without promises.
 */
export class Repository extends ObjectReader {
  /** The refs. */
  readonly refs: Refs
  readonly #asker: Asker

  /** @internal */
  constructor(asker: Asker) {
    super(asker)
    this.#asker = asker
    this.refs = new Refs(asker)
  }

  /**
   * Reads many objects into one buffer. What is missing, ambiguous or damaged
   * gets a row that says so; a full buffer tells where to go on:
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
    return readMany(this.#asker, specs, options)
  }

  /**
   * Lists the objects of the repository, each once: all, or those of a type and size.
   * What is not listed is not inflated, unless it is a base of what is.
   *
   * ```ts
   * const small = { type: 'blob', maxSize: 1 << 20, unordered: true } as const
   * for await (const row of repo.objects(small)) if (row.type === 'blob') use(row.data)
   * ```
   *
   * Type and size are told by how an object is stored, before its content is checked.
   *
   * @throws `BAD_INPUT` for types and sizes that cannot be
   */
  objects(options: ObjectsOptions = {}): AsyncGenerator<BatchRow, undefined> {
    return new EachRow(objectList(this.#asker, options))
  }

  /**
   * Lists the entries of a tree, in git's order. What leads to a tree, such as
   * a commit, will do.
   *
   * ```ts
   * for await (const entry of repo.walk('HEAD', { recursive: true })) {
   *   console.log(entry.mode.toString(8), entry.oid, entry.path)
   * }
   * ```
   */
  walk(spec: string, options: WalkOptions = {}): AsyncGenerator<WalkEntry, undefined> {
    return new EachRow(treeWalk(this.#asker, spec, options))
  }

  /**
   * Lists the ids of the commits that `specs` lead to, the newest first: revisions,
   * those with `^` before them to be left out, `a..b`, `a...b`, `--not`.
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
    return new EachRow(revList(this.#asker, specs, options))
  }

  /**
   * Reads the commits that {@link Repository.revList} lists, in its order and with its
   * options. They come a page at a time, at first 32 commits and later up to 512; those of
   * a page share one `ArrayBuffer`.
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
    return new EachRow(log(this.#asker, specs, options))
  }

  /** Tells how many commits {@link Repository.revList} lists. */
  async countCommits(
    specs: string | Iterable<string>,
    options: CountOptions = {},
  ): Promise<number> {
    return countCommits(this.#asker, specs, options)
  }

  /**
   * Lists the commits that {@link Repository.revList} lists, then the tags, trees and
   * blobs that they lead to, each once: as `git rev-list --objects`.
   *
   * @throws `NOT_FOUND`, `AMBIGUOUS`, `CORRUPT`, `LIMIT`
   */
  revListObjects(
    specs: string | Iterable<string>,
    options: RevListOptions = {},
  ): AsyncGenerator<ListedObject, undefined> {
    return new EachRow(revListObjects(this.#asker, specs, options))
  }

  /**
   * Tells how many objects {@link Repository.revListObjects} lists. By bitmaps those
   * are fewer where it lists some that the commits left out lead to as well.
   */
  async countObjects(
    specs: string | Iterable<string>,
    options: CountOptions = {},
  ): Promise<number> {
    return countObjects(this.#asker, specs, options)
  }

  /**
   * Returns the commit that both lead to and that a merge of them would be based
   * on; of several the first one, as `git merge-base` does. `null` if there is none.
   *
   * @throws `NOT_FOUND`, `AMBIGUOUS`, `WRONG_TYPE`, `CORRUPT`, `LIMIT`
   */
  async mergeBase(a: string, b: string, options: ReadOptions = {}): Promise<string | null> {
    return mergeBase(this.#asker, [a, b], options)
  }

  /**
   * Returns all merge bases of the first commit with a merge of all others; with
   * `octopus`, those of all of them. As `git merge-base --all`, in its order.
   */
  async mergeBases(specs: Iterable<string>, options: MergeBasesOptions = {}): Promise<string[]> {
    return mergeBases(this.#asker, specs, options)
  }

  /** Tells whether the commit `b` leads to the commit `a`, or is it. */
  async isAncestor(a: string, b: string, options: ReadOptions = {}): Promise<boolean> {
    return isAncestor(this.#asker, [a, b], options)
  }

  /**
   * Hands the content of an object out a chunk at a time. One that is no delta
   * takes memory that does not depend on its size; others are made whole first,
   * under the ceiling. What does not match its id ends with an error after the
   * last chunk.
   *
   * ```ts
   * await repo.stream('HEAD:video.mp4').pipeTo(file.createWritable())
   * ```
   */
  stream(spec: string, options: StreamOptions = {}): ReadableBytes<Uint8Array<ArrayBuffer>> {
    return contentStream(this.#asker.engine, spec, options)
  }

  /**
   * Checks a pack and its index: their checksums, and every object's id, place and
   * checksum. `name` is the name of the pack as git has it, or the path that
   * {@link Repository.info} returns.
   *
   * ```ts
   * await repo.checkPack((await repo.info('HEAD')).pack)
   * ```
   *
   * @throws `CORRUPT` if one of them is damaged or they do not belong together,
   * `NOT_FOUND` if there is no such pack.
   */
  async checkPack(name: string, options: CheckPackOptions = {}): Promise<PackFacts> {
    return checkPack(this.#asker, name, options)
  }

  /**
   * Tells what the directory of the repository's own objects holds: loose objects, packs
   * and what lies beside them, and files that are of no use. As `git count-objects -v`,
   * but that `size` is that of files, not of the blocks they take.
   *
   * ```ts
   * const { count, packs } = await repo.storage()
   * console.log(count, packs.filter(({ keep }) => keep).map(({ name }) => name))
   * ```
   *
   * @throws `CORRUPT` if an index is damaged, `LIMIT`
   */
  async storage(options: ReadOptions = {}): Promise<StorageCounts> {
    return storage(this.#asker, options)
  }

  /**
   * Checks the whole repository as `git fsck` does: checksums of packs, their indexes and
   * what lies beside them, every object's id and content, and whether all is there that
   * refs, reflogs and heads lead to. Tells what is wrong, and which objects nothing leads
   * to. Damage is found and no error, as long as anything can be read.
   *
   * ```ts
   * const findings = await repo.fsck({ onProgress: ({ done, total }) => bar(done / total) })
   * const errors = findings.filter(({ severity }) => severity === 'error')
   * ```
   *
   * @throws `LIMIT` if more is to be noted than `memory` allows
   */
  async fsck(options: FsckOptions = {}): Promise<Finding[]> {
    return fsck(this.#asker, options)
  }

  /** Returns the counters. */
  stats(): Stats {
    return stats(this.#asker)
  }

  /**
   * Looks at refs anew from the next question on. From a URL they are those of
   * the opening until then; other sources are looked at in every question.
   */
  refresh(): void {
    this.#asker.engine.refresh()
  }

  /** Gives everything back. Safe at any time, and twice. */
  close(): void {
    close(this.#asker)
  }

  [Symbol.dispose](): void {
    this.close()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.close()
  }
}
