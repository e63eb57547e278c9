import type { ReadableBytes } from '../base/platform-types.js'
import type {
  BatchRow,
  BlamedLines,
  CombinedPatch,
  CommitObject,
  Description,
  FileChange,
  FilePatch,
  GrepHit,
  ModifiedEntry,
  Stats,
  TextPatch,
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
import { eachRowWhenFull, whenFull } from '../questions/full.js'
import type { GrepOptions, Patterns } from '../questions/grep.js'
import type { CountOptions, RevListGraphOptions, RevListOptions } from '../questions/history.js'
import type { LastModifiedOptions } from '../questions/last-modified.js'
import type { MergeBasesOptions } from '../questions/merge-bases.js'
import type { NameRevOptions } from '../questions/name-rev.js'
import type { ObjectsOptions } from '../questions/object-list.js'
import { ObjectReader } from '../questions/object-reader.js'
import type { ListedObject } from '../questions/object-walk.js'
import type { PatchesOptions } from '../questions/patches.js'
import type { ReadOptions } from '../questions/reading.js'
import type { RepositoryContext } from '../questions/repository-context.js'
import { close, stats } from '../questions/repository-context.js'
import type { GraphCommit } from '../questions/rev-list-graph.js'
import { EachRow } from '../questions/rows.js'
import type { StorageCounts } from '../questions/storage.js'
import type { StreamOptions } from '../questions/stream.js'
import { contentStream } from '../questions/stream.js'
import type { DiffTextOptions } from '../questions/text-diff.js'
import type { WalkOptions } from '../questions/tree-walk.js'
import { treeWalk } from '../questions/tree-walk.js'
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
   * Lists the objects of the repository, each once: all, or those of a type and size.
   * Other objects are not inflated, unless a listed object is a delta against them.
   *
   * ```ts
   * const small = { type: 'blob', maxSize: 1 << 20, unordered: true } as const
   * for await (const row of repo.objects(small)) if (row.type === 'blob') use(row.data)
   * ```
   *
   * Type and size are compared in stored form, before the content is checked.
   *
   * @throws `BAD_INPUT` for invalid types and sizes
   */
  objects(options: ObjectsOptions = {}): AsyncGenerator<BatchRow, undefined> {
    return eachRowWhenFull(this.#context, ({ objectList }) => objectList(this.#context, options))
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
   * Lists the files that differ between two trees, in git's order, as `git diff-tree -r`
   * does. Both may be any tree-ish, such as a commit, or `null` for the empty tree. Renamed
   * files are listed as deleted and added.
   *
   * ```ts
   * for await (const { status, path } of repo.diff('HEAD~1', 'HEAD')) console.log(status, path)
   * ```
   */
  diff(
    old: string | null,
    changed: string | null,
    options: DiffOptions = {},
  ): AsyncGenerator<FileChange, undefined> {
    return eachRowWhenFull(this.#context, ({ treeDiff }) =>
      treeDiff(this.#context, old, changed, options),
    )
  }

  /**
   * Compares the files that differ between two trees line by line, in git's order, with the
   * answers of `git diff-tree -p`. Both may be any tree-ish, or `null` for the empty tree. A file
   * that became a symbolic link or a submodule is deleted and added, as is a renamed one. Git
   * attributes are not read.
   *
   * ```ts
   * for await (const { path, hunks } of repo.patches('HEAD~1', 'HEAD')) {
   *   for (const { oldStart, lines } of hunks) console.log(path, oldStart, lines.length)
   * }
   * ```
   */
  patches(
    old: string | null,
    changed: string | null,
    options: PatchesOptions = {},
  ): AsyncGenerator<FilePatch, undefined> {
    return eachRowWhenFull(this.#context, ({ filePatches }) =>
      filePatches(this.#context, old, changed, options),
    )
  }

  /**
   * Compares two texts that need not be in the repository, such as an editor's, with the answers
   * of `git diff`. Strings are compared as UTF-8.
   *
   * ```ts
   * const { added, removed } = await repo.diffText('one\ntwo\n', 'one\n2\n')
   * ```
   *
   * @throws `LIMIT` if the comparison takes too long
   */
  async diffText(
    old: string | Uint8Array,
    changed: string | Uint8Array,
    options: DiffTextOptions = {},
  ): Promise<TextPatch> {
    const { diffText } = await whenFull(this.#context)
    return diffText(this.#context, [old, changed], options)
  }

  /**
   * Compares the files of a merge with those of all its parents, as `git diff-tree --cc` does:
   * what the merge itself changed, such as conflicts that it resolved.
   *
   * ```ts
   * for await (const { path, bytes } of repo.combinedPatches('HEAD')) {
   *   if (bytes.byteLength > 0) console.log(path)
   * }
   * ```
   *
   * @throws `NOT_FOUND` if the commit has no parents
   */
  combinedPatches(
    spec: string,
    options: CombinedPatchesOptions = {},
  ): AsyncGenerator<CombinedPatch, undefined> {
    return eachRowWhenFull(this.#context, ({ combinedPatches }) =>
      combinedPatches(this.#context, spec, options),
    )
  }

  /**
   * Finds the commit that last changed each line of a file, as `git blame` does: renames of the
   * file are followed. Lines are yielded as they are found, about the newest change first. The
   * filters of a commit-graph with changed paths make it fast.
   *
   * ```ts
   * for await (const { start, count, commit } of repo.blame('HEAD', 'README.md')) {
   *   console.log(`lines ${start} to ${start + count - 1}: ${commit}`)
   * }
   * ```
   *
   * @throws `NOT_FOUND` if the commit has no such file
   */
  blame(
    spec: string,
    path: string | Uint8Array,
    options: BlameOptions = {},
  ): AsyncGenerator<BlamedLines, undefined> {
    return eachRowWhenFull(this.#context, ({ blame }) =>
      blame(this.#context, [spec, path], options),
    )
  }

  /**
   * Finds the commit that last changed each entry of a directory, in one walk: the one of
   * `git log -1` for its path. Entries are yielded as they are found, about the newest change
   * first. The filters of a commit-graph with changed paths make it fast.
   *
   * ```ts
   * for await (const { name, commit } of repo.lastModified('HEAD', { path: 'src' })) {
   *   console.log(name, (await repo.readCommit(commit)).message)
   * }
   * ```
   *
   * @throws `NOT_FOUND` if the commit has no such directory
   */
  lastModified(
    spec: string,
    options: LastModifiedOptions = {},
  ): AsyncGenerator<ModifiedEntry, undefined> {
    return eachRowWhenFull(this.#context, ({ lastModified }) =>
      lastModified(this.#context, spec, options),
    )
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
   * Lists the commits that {@link Repository.revList} lists, each with its parents, for drawing
   * them. With `path`, parents that are not listed are replaced by their nearest ancestors that
   * are, and merges are listed that join listed commits, as `git rev-list --parents` does.
   *
   * ```ts
   * for await (const { oid, parents } of repo.revListGraph('HEAD', { path: 'src' })) {
   *   console.log(oid, parents)
   * }
   * ```
   *
   * @throws `NOT_FOUND`, `AMBIGUOUS`, `CORRUPT`, `LIMIT`
   */
  revListGraph(
    specs: string | Iterable<string>,
    options: RevListGraphOptions = {},
  ): AsyncGenerator<GraphCommit, undefined> {
    return eachRowWhenFull(this.#context, ({ revListGraph }) =>
      revListGraph(this.#context, specs, options),
    )
  }

  /** Returns the number of commits that {@link Repository.revList} lists. */
  async countCommits(
    specs: string | Iterable<string>,
    options: CountOptions = {},
  ): Promise<number> {
    const { countCommits } = await whenFull(this.#context)
    return countCommits(this.#context, specs, options)
  }

  /**
   * Lists the commits that {@link Repository.revList} lists, then the tags, trees and
   * blobs that are reachable from them, each once, as `git rev-list --objects` does.
   *
   * @throws `NOT_FOUND`, `AMBIGUOUS`, `CORRUPT`, `LIMIT`
   */
  revListObjects(
    specs: string | Iterable<string>,
    options: RevListOptions = {},
  ): AsyncGenerator<ListedObject, undefined> {
    return eachRowWhenFull(this.#context, ({ revListObjects }) =>
      revListObjects(this.#context, specs, options),
    )
  }

  /**
   * Returns the number of objects that {@link Repository.revListObjects} lists. With
   * bitmaps the number can be smaller: the list may hold objects that are reachable from
   * excluded commits too, a count by bitmaps never does.
   */
  async countObjects(
    specs: string | Iterable<string>,
    options: CountOptions = {},
  ): Promise<number> {
    const { countObjects } = await whenFull(this.#context)
    return countObjects(this.#context, specs, options)
  }

  /**
   * Returns the merge base of two commits; the first one if there are several, as
   * `git merge-base` does. `null` if there is none.
   *
   * @throws `NOT_FOUND`, `AMBIGUOUS`, `WRONG_TYPE`, `CORRUPT`, `LIMIT`
   */
  async mergeBase(a: string, b: string, options: ReadOptions = {}): Promise<string | null> {
    const { mergeBase } = await whenFull(this.#context)
    return mergeBase(this.#context, [a, b], options)
  }

  /**
   * Returns all merge bases of the first commit with a merge of all others; with
   * `octopus`, the merge bases of all of them. Same ids and order as `git merge-base --all`.
   */
  async mergeBases(specs: Iterable<string>, options: MergeBasesOptions = {}): Promise<string[]> {
    const { mergeBases } = await whenFull(this.#context)
    return mergeBases(this.#context, specs, options)
  }

  /**
   * Counts, for each of some commits, how many commits it reaches that `base` does not (`ahead`),
   * and how many only `base` reaches (`behind`), as `git rev-list --left-right --count`. Each
   * commit is read once for all of them.
   *
   * @throws `NOT_FOUND`, `AMBIGUOUS`, `WRONG_TYPE`, `CORRUPT`, `LIMIT`
   */
  async aheadBehind(
    base: string,
    specs: Iterable<string>,
    options: ReadOptions = {},
  ): Promise<AheadBehind[]> {
    const { aheadBehind } = await whenFull(this.#context)
    return aheadBehind(this.#context, base, specs, options)
  }

  /** Returns whether the commit `a` is an ancestor of the commit `b`, or the same commit. */
  async isAncestor(a: string, b: string, options: ReadOptions = {}): Promise<boolean> {
    const { isAncestor } = await whenFull(this.#context)
    return isAncestor(this.#context, [a, b], options)
  }

  /**
   * Names a commit after the most recent tag that it reaches, as `git describe` does.
   *
   * ```ts
   * const { name, depth } = await repo.describe('HEAD', { tags: true })
   * ```
   *
   * @throws `NOT_FOUND` if no tag describes the commit, or with `exactMatch` none is its own
   */
  async describe(spec: string, options: DescribeOptions = {}): Promise<Description> {
    const { describe } = await whenFull(this.#context)
    return describe(this.#context, spec, options)
  }

  /**
   * Names commits after refs that reach them, as `git name-rev` does: `tags/v1.0~3^2~1`. A commit
   * that no ref reaches has `null`, and so has an object that is no commit and has no ref.
   *
   * ```ts
   * const [name] = await repo.nameRev(['HEAD~5'], { tags: true })
   * ```
   */
  async nameRev(specs: Iterable<string>, options: NameRevOptions = {}): Promise<(string | null)[]> {
    const { nameRev } = await whenFull(this.#context)
    return nameRev(this.#context, specs, options)
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

  /**
   * Searches the files of a tree, or a blob, as `git grep` does; lists the lines that match, in the
   * order of the tree. A blob has an empty path. Of several patterns one must match. A pattern is a regular expression as in regex(7),
   * which matches within a line.
   *
   * ```ts
   * for await (const { path, line, text } of repo.grep('HEAD', 'TODO')) console.log(path, line, text)
   * ```
   *
   * @throws `BAD_INPUT` for a malformed pattern; `UNSUPPORTED` for back references
   */
  grep(
    spec: string,
    pattern: Patterns,
    options: GrepOptions = {},
  ): AsyncGenerator<GrepHit, undefined> {
    return eachRowWhenFull(this.#context, ({ grep }) =>
      grep(this.#context, [spec, pattern], options),
    )
  }

  /**
   * Makes an archive of the files of a tree, as `git archive` does, a chunk at a time. `spec` may
   * be any tree-ish; the attributes `export-ignore` and `export-subst` are those of the tree.
   *
   * ```ts
   * for await (const chunk of repo.archive('v1.0', { prefix: 'project-1.0/' })) send(chunk)
   * ```
   *
   * @throws `NOT_FOUND` for a path that the tree does not have; `UNSUPPORTED` for content that
   * git would convert in a way that packlens does not support
   */
  archive(spec: string, options: ArchiveOptions = {}): AsyncGenerator<Uint8Array, undefined> {
    return eachRowWhenFull(this.#context, ({ archive }) => archive(this.#context, spec, options))
  }

  /**
   * Checks a pack and its index: their checksums, and every object's id, offset and
   * checksum. `name` is git's name of the pack, or the path that {@link Repository.info}
   * returns.
   *
   * ```ts
   * await repo.checkPack((await repo.info('HEAD')).pack)
   * ```
   *
   * @throws `CORRUPT` if one of them is damaged or they do not belong together,
   * `NOT_FOUND` if there is no such pack.
   */
  async checkPack(name: string, options: CheckPackOptions = {}): Promise<PackFacts> {
    const { checkPack } = await whenFull(this.#context)
    return checkPack(this.#context, name, options)
  }

  /**
   * Returns the contents of the repository's own object directory: loose objects, packs
   * with the files beside them, and garbage. Equals `git count-objects -v`, except that
   * `size` counts the bytes of files, not the disk blocks they take.
   *
   * ```ts
   * const { count, packs } = await repo.storage()
   * console.log(count, packs.filter(({ keep }) => keep).map(({ name }) => name))
   * ```
   *
   * @throws `CORRUPT` if an index is damaged, `LIMIT`
   */
  async storage(options: ReadOptions = {}): Promise<StorageCounts> {
    const { storage } = await whenFull(this.#context)
    return storage(this.#context, options)
  }

  /**
   * Checks the whole repository as `git fsck` does: checksums of packs, their indexes and
   * the files beside them, every object's id and content, and that every object reachable
   * from refs, reflogs and heads exists. Returns the damage and the dangling objects as
   * findings. The call does not fail on damage, as long as anything can be read.
   *
   * ```ts
   * const findings = await repo.fsck({ onProgress: ({ done, total }) => bar(done / total) })
   * const errors = findings.filter(({ severity }) => severity === 'error')
   * ```
   *
   * @throws `LIMIT` if the check has more to record than `memory` allows
   */
  async fsck(options: FsckOptions = {}): Promise<Finding[]> {
    const { fsck } = await whenFull(this.#context)
    return fsck(this.#context, options)
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
