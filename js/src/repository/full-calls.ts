/** The calls of a repository that only the full module answers. */

import type {
  BatchRow,
  BlamedLines,
  CombinedPatch,
  Config,
  Description,
  FileChange,
  FilePatch,
  GrepHit,
  IgnoreRule,
  IndexFileEntry,
  Mailmap,
  ModifiedEntry,
  Note,
  PathAttributes,
  StatusEntry,
  Submodule,
  TextPatch,
} from '../base/types.js'
import type { PackFacts } from '../objects/pack-records.js'
import type { CheckPackOptions } from '../packs/check-pack.js'
import type { AheadBehind } from '../questions/ahead-behind.js'
import type { ArchiveOptions } from '../questions/archive.js'
import type { BlameOptions } from '../questions/blame.js'
import type { CombinedPatchesOptions } from '../questions/combined-patches.js'
import type { ConfigOptions } from '../questions/config.js'
import type { DescribeOptions } from '../questions/describe.js'
import type { DiffOptions } from '../questions/diff.js'
import type { Finding, FsckOptions } from '../questions/fsck.js'
import type { GrepOptions, Patterns } from '../questions/grep.js'
import type { CountOptions, RevListGraphOptions } from '../questions/history.js'
import type { IndexOptions } from '../questions/index-file.js'
import type { LastModifiedOptions } from '../questions/last-modified.js'
import type { MergeBasesOptions } from '../questions/merge-bases.js'
import type { NameRevOptions } from '../questions/name-rev.js'
import type { NotesOptions } from '../questions/notes.js'
import type { ObjectsOptions } from '../questions/object-list.js'
import type { ListedObject, RevListObjectsOptions } from '../questions/object-walk.js'
import type { PatchesOptions } from '../questions/patches.js'
import type { CheckAttrOptions, CheckIgnoreOptions, Paths } from '../questions/path-facts.js'
import type { ReadOptions } from '../questions/reading.js'
import type { GraphCommit } from '../questions/rev-list-graph.js'
import type { StatusOptions } from '../questions/status.js'
import type { StorageCounts } from '../questions/storage.js'
import type { DiffTextOptions } from '../questions/text-diff.js'

/** Calls with promises; those of {@link SyncRepository} have none. */
export interface FullCalls {
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
  objects(options?: ObjectsOptions): AsyncGenerator<BatchRow, undefined>

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
    options?: DiffOptions,
  ): AsyncGenerator<FileChange, undefined>

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
    options?: PatchesOptions,
  ): AsyncGenerator<FilePatch, undefined>

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
  diffText(
    old: string | Uint8Array,
    changed: string | Uint8Array,
    options?: DiffTextOptions,
  ): Promise<TextPatch>

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
    options?: CombinedPatchesOptions,
  ): AsyncGenerator<CombinedPatch, undefined>

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
    options?: BlameOptions,
  ): AsyncGenerator<BlamedLines, undefined>

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
    options?: LastModifiedOptions,
  ): AsyncGenerator<ModifiedEntry, undefined>

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
    options?: RevListGraphOptions,
  ): AsyncGenerator<GraphCommit, undefined>

  /** Returns the number of commits that {@link Repository.revList} lists. */
  countCommits(specs: string | Iterable<string>, options?: CountOptions): Promise<number>

  /**
   * Lists the commits that {@link Repository.revList} lists, then the tags, trees and
   * blobs that are reachable from them, each once, as `git rev-list --objects` does.
   *
   * @throws `NOT_FOUND`, `AMBIGUOUS`, `CORRUPT`, `LIMIT`
   */
  revListObjects(
    specs: string | Iterable<string>,
    options?: RevListObjectsOptions,
  ): AsyncGenerator<ListedObject, undefined>

  /**
   * Returns the number of objects that {@link Repository.revListObjects} lists. With
   * bitmaps the number can be smaller: the list may hold objects that are reachable from
   * excluded commits too, a count by bitmaps never does.
   */
  countObjects(specs: string | Iterable<string>, options?: CountOptions): Promise<number>

  /**
   * Returns the merge base of two commits; the first one if there are several, as
   * `git merge-base` does. `null` if there is none.
   *
   * @throws `NOT_FOUND`, `AMBIGUOUS`, `WRONG_TYPE`, `CORRUPT`, `LIMIT`
   */
  mergeBase(a: string, b: string, options?: ReadOptions): Promise<string | null>

  /**
   * Returns all merge bases of the first commit with a merge of all others; with
   * `octopus`, the merge bases of all of them. Same ids and order as `git merge-base --all`.
   */
  mergeBases(specs: Iterable<string>, options?: MergeBasesOptions): Promise<string[]>

  /**
   * Counts, for each of some commits, how many commits it reaches that `base` does not (`ahead`),
   * and how many only `base` reaches (`behind`), as `git rev-list --left-right --count`. Each
   * commit is read once for all of them.
   *
   * @throws `NOT_FOUND`, `AMBIGUOUS`, `WRONG_TYPE`, `CORRUPT`, `LIMIT`
   */
  aheadBehind(base: string, specs: Iterable<string>, options?: ReadOptions): Promise<AheadBehind[]>

  /** Returns whether the commit `a` is an ancestor of the commit `b`, or the same commit. */
  isAncestor(a: string, b: string, options?: ReadOptions): Promise<boolean>

  /**
   * Names a commit after the most recent tag that it reaches, as `git describe` does.
   *
   * ```ts
   * const { name, depth } = await repo.describe('HEAD', { tags: true })
   * ```
   *
   * @throws `NOT_FOUND` if no tag describes the commit, or with `exactMatch` none is its own
   */
  describe(spec: string, options?: DescribeOptions): Promise<Description>

  /**
   * Names commits after refs that reach them, as `git name-rev` does: `tags/v1.0~3^2~1`. A commit
   * that no ref reaches has `null`, and so has an object that is no commit and has no ref.
   *
   * ```ts
   * const [name] = await repo.nameRev(['HEAD~5'], { tags: true })
   * ```
   */
  nameRev(specs: Iterable<string>, options?: NameRevOptions): Promise<(string | null)[]>

  /**
   * Searches the files of a tree, or a blob, as `git grep` does; lists the lines that match, in
   * the order of the tree. A blob has an empty path. Of several patterns one must match. A pattern
   * is a regular expression as in regex(7), which matches within a line.
   *
   * ```ts
   * for await (const { path, line, text } of repo.grep('HEAD', 'TODO')) console.log(path, line, text)
   * ```
   *
   * @throws `BAD_INPUT` for a malformed pattern; `UNSUPPORTED` for back references
   */
  grep(spec: string, pattern: Patterns, options?: GrepOptions): AsyncGenerator<GrepHit, undefined>

  /**
   * Lists the entries of the index of the worktree, in its order: the paths that `git ls-files`
   * lists, with modes, ids, and what the file system said of each file. Without an index nothing
   * is listed. The file is read whole, and again for each call.
   *
   * ```ts
   * for await (const { path, oid, stage } of repo.index()) console.log(path, oid, stage)
   * ```
   *
   * @throws `CORRUPT` for a damaged index; `LIMIT` for one larger than a quarter of `memory`
   */
  index(options?: IndexOptions): AsyncGenerator<IndexFileEntry, undefined>

  /**
   * Lists the submodules of a tree, in the order of its `.gitmodules`. `spec` may be any tree-ish;
   * the default is `HEAD`. Names that could lead out of a directory, and paths and URLs that look
   * like options, are left out, as in git.
   *
   * ```ts
   * for await (const { path, url, commit } of repo.submodules()) console.log(path, url, commit)
   * ```
   *
   * @throws `CORRUPT` with the number of the line if git refuses a line; `LIMIT` if `.gitmodules`
   * is larger than a 64th of `memory`
   */
  submodules(spec?: string, options?: ReadOptions): AsyncGenerator<Submodule, undefined>

  /**
   * Lists the notes of a ref, as `git notes list` does, in the order of its tree.
   *
   * ```ts
   * for await (const { object, blob } of repo.notes({ ref: 'builds' })) console.log(object, blob)
   * ```
   *
   * @throws `NOT_FOUND` if there is no such ref
   */
  notes(options?: NotesOptions): AsyncGenerator<Note, undefined>

  /**
   * Returns the note about an object, as `git notes show` prints it; `null` if there is none.
   *
   * ```ts
   * const note = await repo.note('HEAD')
   * if (note) console.log(new TextDecoder().decode(note))
   * ```
   *
   * @throws `NOT_FOUND` if there is no such object
   */
  note(spec: string, options?: NotesOptions): Promise<Uint8Array | null>

  /**
   * Reads the `.mailmap` of a tree, by default of `HEAD`; returns a function that maps names and
   * addresses, as `git check-mailmap` does. Without such a file these stay as they are.
   *
   * ```ts
   * const mailmap = await repo.mailmap()
   * const { author } = await repo.readCommit('HEAD')
   * console.log(mailmap(author).name)
   * ```
   */
  mailmap(spec?: string, options?: ReadOptions): Promise<Mailmap>

  /**
   * Compares `HEAD`, the index and the files of the work tree, as `git status` does: lists what
   * differs in the order of paths, then what is not tracked. Only files that may have changed since
   * git looked at them are read, and nothing is written. The repository must be opened by the path
   * of its work tree in Node, or by `{ fs, dir }`. Of submodules only the commits are compared.
   *
   * ```ts
   * for await (const entry of repo.status()) console.log(entry.kind, entry.path)
   * ```
   *
   * @throws `UNSUPPORTED` for a source without a work tree, and for contents that a filter or an
   * encoding changes which packlens does not know
   */
  status(options?: StatusOptions): AsyncGenerator<StatusEntry, undefined>

  /**
   * Finds the line that decides whether a path is ignored, for each of some paths; `null` if no
   * line does. Equals `git check-ignore -v -n`: of the files `.gitignore` of the work tree,
   * `info/exclude`, and that of `core.excludesFile`. Paths begin at the top of the work tree; one
   * with a slash at its end is a directory. Sources are those of {@link Repository.status}.
   *
   * ```ts
   * const [rule] = await repo.checkIgnore('debug.log')
   * if (rule?.isIgnored) console.log(rule.source, rule.line, rule.pattern)
   * ```
   *
   * @throws `UNSUPPORTED` for a source without a work tree; `BAD_INPUT` for paths that are outside of
   * it, beyond a symbolic link or in a submodule
   */
  checkIgnore(paths: Paths, options?: CheckIgnoreOptions): Promise<(IgnoreRule | null)[]>

  /**
   * Returns the attributes of each of some paths, as `git check-attr` does: those that the files
   * `.gitattributes` of the work tree or of a tree, and `info/attributes`, say. Paths begin at the
   * top; one with a slash at its end is a directory.
   *
   * ```ts
   * const [attributes] = await repo.checkAttr('README.md', { source: 'HEAD' })
   * console.log(attributes.get('eol'), attributes.get('text') === true)
   * ```
   *
   * @throws `UNSUPPORTED` for a source without a work tree, if there is neither `source` nor
   * `cached`; `BAD_INPUT` for paths and names of attributes that cannot be
   */
  checkAttr(paths: Paths, options?: CheckAttrOptions): Promise<PathAttributes[]>

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
  archive(spec: string, options?: ArchiveOptions): AsyncGenerator<Uint8Array, undefined>

  /**
   * Reads the configuration of the repository, as `git config` does: the file `config`, then
   * `config.worktree` if worktrees have their own, and the files that these include, as far as
   * the source has them. The configurations of the user and of the system are not read.
   *
   * ```ts
   * const config = await repo.config()
   * console.log(config.get('remote.origin.url'), config.remotes())
   * ```
   *
   * @throws `CORRUPT` with the number of the line if git refuses a line, or for includes that git
   * refuses; `LIMIT`
   */
  config(options?: ConfigOptions): Promise<Config>

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
  checkPack(name: string, options?: CheckPackOptions): Promise<PackFacts>

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
  storage(options?: ReadOptions): Promise<StorageCounts>

  /**
   * Checks the whole repository as `git fsck` does: checksums of packs, their indexes and
   * the files beside them, every object's id and content, and that every object reachable
   * from refs, reflogs and heads exists. Returns the damage and the dangling objects as
   * findings. The call does not fail on damage, as long as anything can be read.
   *
   * Findings about objects are in the order in which these are stored: loose ones by their ids,
   * then those of each pack. With the option `workers` of {@link open}, workers read a part of
   * the objects; the findings and their order are the same.
   *
   * ```ts
   * const findings = await repo.fsck({ onProgress: ({ done, total }) => bar(done / total) })
   * const errors = findings.filter(({ severity }) => severity === 'error')
   * ```
   *
   * @throws `LIMIT` if the check has more to record than `memory` allows
   */
  fsck(options?: FsckOptions): Promise<Finding[]>
}

/** A call without promises. */
type Now<Call> = Call extends (...args: infer Args) => AsyncGenerator<infer Row, undefined>
  ? (...args: Args) => Generator<Row, undefined>
  : Call extends (...args: infer Args) => Promise<infer Answer>
    ? (...args: Args) => Answer
    : never

/** The same calls without promises. */
export type FullCallsNow = { [Name in keyof FullCalls]: Now<FullCalls[Name]> }

/** 1 for a call that lists rows, 0 for one with one answer: numbers, which every page loads. */
export const LISTS_ROWS = {
  objects: 1,
  diff: 1,
  patches: 1,
  diffText: 0,
  combinedPatches: 1,
  blame: 1,
  lastModified: 1,
  revListGraph: 1,
  countCommits: 0,
  revListObjects: 1,
  countObjects: 0,
  mergeBase: 0,
  mergeBases: 0,
  aheadBehind: 0,
  isAncestor: 0,
  describe: 0,
  nameRev: 0,
  grep: 1,
  index: 1,
  submodules: 1,
  notes: 1,
  note: 0,
  mailmap: 0,
  status: 1,
  checkIgnore: 0,
  checkAttr: 0,
  archive: 1,
  config: 0,
  checkPack: 0,
  storage: 0,
  fsck: 0,
} as const satisfies {
  [Name in keyof FullCalls]: ReturnType<FullCalls[Name]> extends AsyncGenerator ? 1 : 0
}
