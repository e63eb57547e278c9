import type { BatchOptions } from './batch.js'
import { Batch, batchCapacity } from './batch.js'
import type { Engine, Pages } from './engine.js'
import { decodeRows } from './frame.js'
import type { Finding, FsckOptions } from './fsck.js'
import { findingsIn, fsckRequest } from './fsck.js'
import type { CountOptions, ListedObject, MergeBasesOptions, RevListOptions } from './history.js'
import { idsIn, mergeBaseRequest, mergeBasesRequest, objectsIn, revListRequest } from './history.js'
import type { PackFacts, PackOptions } from './index-pack.js'
import { packQuestion, reporting, takeAll } from './index-pack.js'
import type { MaybePromise } from './maybe.js'
import { whenReady } from './maybe.js'
import type { ObjectsOptions } from './object-list.js'
import { FIELDS, objectsRequest, sharedObjects } from './object-list.js'
import type { ReadOptions } from './object-reader.js'
import { ObjectReader } from './object-reader.js'
import { checkArgument, checkOptions, list, text } from './options/rules.js'
import { BATCH, CHECK_PACK, FSCK, MERGE_BASES, OBJECTS, READ, WALK } from './options/tables.js'
import { eachPageSync } from './pages.js'
import type { ReadableBytes } from './platform-types.js'
import type { RevListQuestion } from './protocol.js'
import { decodeWalk } from './records.js'
import { Refs } from './refs.js'
import { EachRow } from './rows.js'
import type { QuestionOptions } from './session.js'
import { inOneTurn } from './session.js'
import { encodeSpecs } from './specs.js'
import type { StorageCounts } from './storage.js'
import { storage } from './storage.js'
import type { StreamOptions } from './stream.js'
import { contentStream } from './stream.js'
import { expectSync } from './task.js'
import type { BatchPlace, BatchRow, Stats, WalkEntry } from './types.js'
import { counted, countedSync, listed, listedSync } from './walked.js'
import type { WorkerPool } from './worker-pool.js'

/** What {@link Repository.walk} takes. */
export interface WalkOptions extends ReadOptions {
  /** Goes into the trees found. Default: no. */
  readonly recursive?: boolean | undefined
  /** Lists trees that are gone into as well. Default: yes. */
  readonly trees?: boolean | undefined
  /** Looks the sizes of blobs up. Default: no. */
  readonly sizes?: boolean | undefined
}

/** What {@link Repository.checkPack} takes. */
export type CheckPackOptions = Pick<PackOptions, 'collisions' | 'onProgress' | 'signal'>

const OBJECTS_PAGE = 4 << 20
const WALK_PAGE = 64 << 10

interface EncodedSpecs {
  readonly specs: Iterable<string>
  readonly encoded: Uint8Array<ArrayBuffer>
}

/**
 * A repository that was opened.
 *
 * A `spec` is what git calls a revision: an object id, whole or shortened, a
 * refname, `HEAD`, `v1.0^{tree}`, `main~3`, `HEAD:src/index.ts`. Methods whose
 * name ends with `Sync` make no promise; they need a synchronous source.
 */
export class Repository extends ObjectReader {
  /** The refs. */
  readonly refs: Refs
  readonly #engine: Engine
  readonly #pool: WorkerPool
  /** What was encoded for a batch that was full, for the one that goes on there. */
  readonly #encoded = new WeakMap<BatchPlace, EncodedSpecs>()

  /** @internal */
  constructor(engine: Engine, pool: WorkerPool) {
    super(engine)
    this.#engine = engine
    this.#pool = pool
    this.refs = new Refs(engine)
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
    checkBatch('readMany', specs, options)
    return this.#readMany(specs, options, options)
  }

  /** As {@link Repository.readMany}, without a promise. */
  readManySync(specs: Iterable<string>, options: BatchOptions = {}): Batch {
    checkBatch('readManySync', specs, options)
    this.#engine.expectSync()
    return expectSync(this.#readMany(specs, options, inOneTurn(options)))
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
    const begin = () => {
      checkOptions('objects', options, OBJECTS)
      return sharedObjects(this.#engine, this.#pool, options)
    }
    const rowsIn = this.#rows.bind(this)
    return new EachRow({ begin, rowsIn, capacity: OBJECTS_PAGE, options })
  }

  /** As {@link Repository.objects}, without promises. */
  *objectsSync(options: ObjectsOptions = {}): Generator<BatchRow, undefined> {
    checkOptions('objectsSync', options, OBJECTS)
    const pages = this.#engine.pages(objectsRequest(options))
    this.#engine.expectSync()
    for (const page of eachPageSync(pages, OBJECTS_PAGE, options)) {
      yield* this.#rows(page, pages)
    }
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
    const begin = () => this.#walk(spec, options)
    return new EachRow({ begin, rowsIn: decodeWalk, capacity: WALK_PAGE, options })
  }

  /** As {@link Repository.walk}, without promises. */
  *walkSync(spec: string, options: WalkOptions = {}): Generator<WalkEntry, undefined> {
    const pages = this.#walk(spec, options)
    this.#engine.expectSync()
    for (const page of eachPageSync(pages, WALK_PAGE, options)) yield* decodeWalk(page)
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
    return listed(this.#engine, () => this.#commits(revListRequest(specs, options)), idsIn, options)
  }

  /** As {@link Repository.revList}, without promises. */
  revListSync(
    specs: string | Iterable<string>,
    options: RevListOptions = {},
  ): Generator<string, undefined> {
    return listedSync(this.#engine, () => revListRequest(specs, options), idsIn, options)
  }

  /** Tells how many commits {@link Repository.revList} lists. */
  async countCommits(
    specs: string | Iterable<string>,
    options: CountOptions = {},
  ): Promise<number> {
    return counted(this.#commits(revListRequest(specs, options, 'count')), options)
  }

  /** As {@link Repository.countCommits}, without a promise. */
  countCommitsSync(specs: string | Iterable<string>, options: CountOptions = {}): number {
    return countedSync(this.#engine, revListRequest(specs, options, 'count'), options)
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
    const answer = () => this.#commits(revListRequest(specs, options, 'objects'))
    return listed(this.#engine, answer, objectsIn, options)
  }

  /** As {@link Repository.revListObjects}, without promises. */
  revListObjectsSync(
    specs: string | Iterable<string>,
    options: RevListOptions = {},
  ): Generator<ListedObject, undefined> {
    const request = () => revListRequest(specs, options, 'objects')
    return listedSync(this.#engine, request, objectsIn, options)
  }

  /**
   * Tells how many objects {@link Repository.revListObjects} lists. By bitmaps those
   * are fewer where it lists some that the commits left out lead to as well.
   */
  async countObjects(
    specs: string | Iterable<string>,
    options: CountOptions = {},
  ): Promise<number> {
    return counted(this.#commits(revListRequest(specs, options, 'count', 'objects')), options)
  }

  /** As {@link Repository.countObjects}, without a promise. */
  countObjectsSync(specs: string | Iterable<string>, options: CountOptions = {}): number {
    return countedSync(this.#engine, revListRequest(specs, options, 'count', 'objects'), options)
  }

  /**
   * Returns the commit that both lead to and that a merge of them would be based
   * on; of several the first one, as `git merge-base` does. `null` if there is none.
   *
   * @throws `NOT_FOUND`, `AMBIGUOUS`, `WRONG_TYPE`, `CORRUPT`, `LIMIT`
   */
  async mergeBase(a: string, b: string, options: ReadOptions = {}): Promise<string | null> {
    checkOptions('mergeBase', options, READ)
    return (await this.mergeBases([a, b], options))[0] ?? null
  }

  /** As {@link Repository.mergeBase}, without a promise. */
  mergeBaseSync(a: string, b: string, options: ReadOptions = {}): string | null {
    checkOptions('mergeBaseSync', options, READ)
    return this.mergeBasesSync([a, b], options)[0] ?? null
  }

  /**
   * Returns all merge bases of the first commit with a merge of all others; with
   * `octopus`, those of all of them. As `git merge-base --all`, in its order.
   */
  async mergeBases(specs: Iterable<string>, options: MergeBasesOptions = {}): Promise<string[]> {
    checkOptions('mergeBases', options, MERGE_BASES)
    checkArgument('mergeBases', 'the first argument', specs, list)
    const answer = () => this.#engine.pages(mergeBasesRequest(specs, options))
    const ids: string[] = []
    for await (const id of listed(this.#engine, answer, idsIn, options)) ids.push(id)
    return ids
  }

  /** As {@link Repository.mergeBases}, without a promise. */
  mergeBasesSync(specs: Iterable<string>, options: MergeBasesOptions = {}): string[] {
    checkOptions('mergeBasesSync', options, MERGE_BASES)
    checkArgument('mergeBasesSync', 'the first argument', specs, list)
    const request = () => mergeBasesRequest(specs, options)
    return [...listedSync(this.#engine, request, idsIn, options)]
  }

  /** Tells whether the commit `b` leads to the commit `a`, or is it. */
  async isAncestor(a: string, b: string, options: ReadOptions = {}): Promise<boolean> {
    checkOptions('isAncestor', options, READ)
    const pages = this.#engine.pages(mergeBaseRequest([a, b], 'ancestor'))
    return (await counted(pages, options)) === 1
  }

  /** As {@link Repository.isAncestor}, without a promise. */
  isAncestorSync(a: string, b: string, options: ReadOptions = {}): boolean {
    checkOptions('isAncestorSync', options, READ)
    return countedSync(this.#engine, mergeBaseRequest([a, b], 'ancestor'), options) === 1
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
    return contentStream(this.#engine, spec, options)
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
    checkOptions('checkPack', options, CHECK_PACK)
    checkArgument('checkPack', 'the name of the pack', name, text)
    const stem = name.replace(/\.(pack|idx)$/, '')
    const path = stem.includes('/') ? stem : `objects/pack/${stem}`
    const { collisions } = options
    const request = packQuestion({ verify: true, collisions }, `${path}.pack`, `${path}.idx`)
    return takeAll(this.#pool.index(this.#engine, request), reporting(options), options)
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
    checkOptions('storage', options, READ)
    return storage(this.#engine, options)
  }

  /** As {@link Repository.storage}, without a promise. */
  storageSync(options: ReadOptions = {}): StorageCounts {
    checkOptions('storageSync', options, READ)
    this.#engine.expectSync()
    return expectSync(storage(this.#engine, inOneTurn(options)))
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
    checkOptions('fsck', options, FSCK)
    return findingsIn(this.#engine.pages(fsckRequest(options)), options)
  }

  /** Returns the counters. */
  stats(): Stats {
    return this.#pool.stats(this.#engine.stats())
  }

  /**
   * Looks at refs anew from the next question on. From a URL they are those of
   * the opening until then; other sources are looked at in every question.
   */
  refresh(): void {
    this.#engine.refresh()
  }

  /** Gives everything back. Safe at any time, and twice. */
  close(): void {
    this.#pool.close()
    this.#engine.close()
  }

  [Symbol.dispose](): void {
    this.close()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.close()
  }

  #readMany(
    specs: Iterable<string>,
    options: BatchOptions,
    asked: QuestionOptions,
  ): MaybePromise<Batch> {
    const { into, start = { index: 0, skip: 0 } } = options
    const capacity = batchCapacity(options)
    const fields = FIELDS[options.fields ?? 'content']
    const packOrder = options.order === 'pack'
    const known = this.#encoded.get(start)
    const encoded = known?.specs === specs ? known.encoded : encodeSpecs(specs)
    const request = { specs: encoded, fields, packOrder, start, capacity }
    const target = into instanceof ArrayBuffer ? new Uint8Array(into) : into
    return whenReady(this.#engine.batch(request, target, asked), ({ bytes, next, pathOf }) => {
      if (next) this.#encoded.set(next, { specs, encoded })
      return new Batch(bytes, next, this.#engine.oidLength, pathOf)
    })
  }

  #commits(request: RevListQuestion): Pages {
    return this.#pool.sharedWalk(this.#engine, this.#engine.pages(request))
  }

  #walk(spec: string, options: WalkOptions): Pages {
    checkOptions('walk', options, WALK)
    checkArgument('walk', 'the revision', spec, text)
    const { recursive, trees, sizes } = options
    return this.#engine.pages({ kind: 'walk', spec, recursive, onlyLeaves: trees === false, sizes })
  }

  #rows(page: Uint8Array<ArrayBuffer>, { pathOf }: Pages): Iterable<BatchRow> {
    return decodeRows(page, this.#engine.oidLength, pathOf)
  }
}

function checkBatch(call: string, specs: Iterable<string>, options: BatchOptions): void {
  checkOptions(call, options, BATCH)
  checkArgument(call, 'the first argument', specs, list)
}
