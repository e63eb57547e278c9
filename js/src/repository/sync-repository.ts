import type {
  BatchRow,
  BlamedLines,
  BlobObject,
  CombinedPatch,
  CommitObject,
  Description,
  FileChange,
  FilePatch,
  GitObject,
  GrepHit,
  ModifiedEntry,
  ObjectInfo,
  Stats,
  TagObject,
  TextPatch,
  TreeObject,
  WalkEntry,
} from '../base/types.js'
import type { PackFacts } from '../objects/pack-records.js'
import type { CheckPackOptions } from '../packs/check-pack.js'
import type { AheadBehind } from '../questions/ahead-behind.js'
import type { ArchiveOptions } from '../questions/archive.js'
import type { Batch, BatchOptions } from '../questions/batch.js'
import { readMany } from '../questions/batch.js'
import type { BlameOptions } from '../questions/blame.js'
import type { CombinedPatchesOptions } from '../questions/combined-patches.js'
import { log } from '../questions/commit-log.js'
import { revList } from '../questions/commit-walks.js'
import type { DescribeOptions } from '../questions/describe.js'
import type { DiffOptions } from '../questions/diff.js'
import type { Finding, FsckOptions } from '../questions/fsck.js'
import { eachRowFullNow } from '../questions/full.js'
import type { GrepOptions, Patterns } from '../questions/grep.js'
import type { CountOptions, RevListGraphOptions, RevListOptions } from '../questions/history.js'
import type { LastModifiedOptions } from '../questions/last-modified.js'
import type { MergeBasesOptions } from '../questions/merge-bases.js'
import type { NameRevOptions } from '../questions/name-rev.js'
import type { ObjectsOptions } from '../questions/object-list.js'
import type { ListedObject } from '../questions/object-walk.js'
import type { PatchesOptions } from '../questions/patches.js'
import type { ReadOptions } from '../questions/reading.js'
import { find, info, read, resolve } from '../questions/reading.js'
import type { RepositoryContext } from '../questions/repository-context.js'
import { close, stats } from '../questions/repository-context.js'
import type { GraphCommit } from '../questions/rev-list-graph.js'
import { eachRow } from '../questions/rows.js'
import type { StorageCounts } from '../questions/storage.js'
import type { DiffTextOptions } from '../questions/text-diff.js'
import type { WalkOptions } from '../questions/tree-walk.js'
import { treeWalk } from '../questions/tree-walk.js'
import { fullNow } from '../session/modules.js'
import { expectSync } from '../session/task.js'
import { SyncRefs } from './sync-refs.js'

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
export class SyncRepository {
  /** The refs. */
  readonly refs: SyncRefs
  readonly #context: RepositoryContext

  /** @internal */
  constructor(context: RepositoryContext) {
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

  /** Lists the objects of the repository: see {@link Repository.objects}. */
  objects(options: ObjectsOptions = {}): Generator<BatchRow, undefined> {
    return eachRowFullNow(({ objectList }) => objectList(this.#context, options))
  }

  /** Lists the entries of a tree: see {@link Repository.walk}. */
  walk(spec: string, options: WalkOptions = {}): Generator<WalkEntry, undefined> {
    return eachRow(treeWalk(this.#context, spec, options))
  }

  /** Lists the files that differ between two trees: see {@link Repository.diff}. */
  diff(
    old: string | null,
    changed: string | null,
    options: DiffOptions = {},
  ): Generator<FileChange, undefined> {
    return eachRowFullNow(({ treeDiff }) => treeDiff(this.#context, old, changed, options))
  }

  /** Compares the files that differ between two trees: see {@link Repository.patches}. */
  patches(
    old: string | null,
    changed: string | null,
    options: PatchesOptions = {},
  ): Generator<FilePatch, undefined> {
    return eachRowFullNow(({ filePatches }) => filePatches(this.#context, old, changed, options))
  }

  /** Compares two texts: see {@link Repository.diffText}. */
  diffText(
    old: string | Uint8Array,
    changed: string | Uint8Array,
    options: DiffTextOptions = {},
  ): TextPatch {
    return expectSync(fullNow().diffText(this.#context, [old, changed], options))
  }

  /** Compares the files of a merge: see {@link Repository.combinedPatches}. */
  combinedPatches(
    spec: string,
    options: CombinedPatchesOptions = {},
  ): Generator<CombinedPatch, undefined> {
    return eachRowFullNow(({ combinedPatches }) => combinedPatches(this.#context, spec, options))
  }

  /** Searches the files of a tree: see {@link Repository.grep}. */
  grep(spec: string, pattern: Patterns, options: GrepOptions = {}): Generator<GrepHit, undefined> {
    return eachRowFullNow(({ grep }) => grep(this.#context, [spec, pattern], options))
  }

  /** Makes an archive of the files of a tree: see {@link Repository.archive}. */
  archive(spec: string, options: ArchiveOptions = {}): Generator<Uint8Array, undefined> {
    return eachRowFullNow(({ archive }) => archive(this.#context, spec, options))
  }

  /** Finds the commits that last changed the lines of a file: see {@link Repository.blame}. */
  blame(
    spec: string,
    path: string | Uint8Array,
    options: BlameOptions = {},
  ): Generator<BlamedLines, undefined> {
    return eachRowFullNow(({ blame }) => blame(this.#context, [spec, path], options))
  }

  /** Finds the commits that last changed the entries: see {@link Repository.lastModified}. */
  lastModified(
    spec: string,
    options: LastModifiedOptions = {},
  ): Generator<ModifiedEntry, undefined> {
    return eachRowFullNow(({ lastModified }) => lastModified(this.#context, spec, options))
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

  /** Lists commits with their parents: see {@link Repository.revListGraph}. */
  revListGraph(
    specs: string | Iterable<string>,
    options: RevListGraphOptions = {},
  ): Generator<GraphCommit, undefined> {
    return eachRowFullNow(({ revListGraph }) => revListGraph(this.#context, specs, options))
  }

  /** Returns the number of commits that {@link SyncRepository.revList} lists. */
  countCommits(specs: string | Iterable<string>, options: CountOptions = {}): number {
    return expectSync(fullNow().countCommits(this.#context, specs, options))
  }

  /** Lists commits and the objects of their trees: see {@link Repository.revListObjects}. */
  revListObjects(
    specs: string | Iterable<string>,
    options: RevListOptions = {},
  ): Generator<ListedObject, undefined> {
    return eachRowFullNow(({ revListObjects }) => revListObjects(this.#context, specs, options))
  }

  /** Returns the number of objects: see {@link Repository.countObjects}. */
  countObjects(specs: string | Iterable<string>, options: CountOptions = {}): number {
    return expectSync(fullNow().countObjects(this.#context, specs, options))
  }

  /** Returns the first merge base of two commits: see {@link Repository.mergeBase}. */
  mergeBase(a: string, b: string, options: ReadOptions = {}): string | null {
    return expectSync(fullNow().mergeBase(this.#context, [a, b], options))
  }

  /** Returns all merge bases: see {@link Repository.mergeBases}. */
  mergeBases(specs: Iterable<string>, options: MergeBasesOptions = {}): string[] {
    return expectSync(fullNow().mergeBases(this.#context, specs, options))
  }

  /** Counts how far commits are from another one: see {@link Repository.aheadBehind}. */
  aheadBehind(base: string, specs: Iterable<string>, options: ReadOptions = {}): AheadBehind[] {
    return expectSync(fullNow().aheadBehind(this.#context, base, specs, options))
  }

  /** Returns whether the commit `a` is an ancestor of the commit `b`, or the same commit. */
  isAncestor(a: string, b: string, options: ReadOptions = {}): boolean {
    return expectSync(fullNow().isAncestor(this.#context, [a, b], options))
  }

  /** Names a commit after a tag: see {@link Repository.describe}. */
  describe(spec: string, options: DescribeOptions = {}): Description {
    return expectSync(fullNow().describe(this.#context, spec, options))
  }

  /** Names commits after refs that reach them: see {@link Repository.nameRev}. */
  nameRev(specs: Iterable<string>, options: NameRevOptions = {}): (string | null)[] {
    return expectSync(fullNow().nameRev(this.#context, specs, options))
  }

  /** Checks a pack and its index: see {@link Repository.checkPack}. */
  checkPack(name: string, options: CheckPackOptions = {}): PackFacts {
    return expectSync(fullNow().checkPack(this.#context, name, options))
  }

  /** Counts what is stored, as `git count-objects -v` does: see {@link Repository.storage}. */
  storage(options: ReadOptions = {}): StorageCounts {
    return expectSync(fullNow().storage(this.#context, options))
  }

  /** Checks the whole repository as `git fsck` does: see {@link Repository.fsck}. */
  fsck(options: FsckOptions = {}): Finding[] {
    return expectSync(fullNow().fsck(this.#context, options))
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
