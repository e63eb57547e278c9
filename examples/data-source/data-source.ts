/**
 * Answers what a code browser asks about a repository. The methods are those of github1s'
 * `DataSource` that git can answer; each answer is git's. `ref` is any revision: a branch, a tag,
 * `HEAD`, the id of a commit. What does not exist is `null`.
 */
import type { CommitObject, Ref, Repository, TreeEntry, WalkEntry } from 'packlens'
import { agesOf } from './ages.ts'
import { entryAt } from './entry.ts'
import { pageOf } from './pages.ts'
import { bytesOf, joined, namesOf } from './paths.ts'
import type {
  BlameRange,
  ChangedFile,
  Commit,
  CommitsOptions,
  Directory,
  Entry,
  File,
  NamedCommit,
  NamesOptions,
  Path,
  TextSearchOptions,
  TextSearchQuery,
  TextSearchResult,
} from './types.ts'

/** The most entries of a directory with all below it. */
const MOST_ENTRIES = 100_000

export class DataSource {
  readonly #repo: Repository

  constructor(repo: Repository) {
    this.#repo = repo
  }

  /** `git ls-tree -l`, for one path. */
  async provideEntry(ref: string, path: Path): Promise<Entry | null> {
    const entry = await this.#entry(ref, path)
    if (!entry || entry.type === 'directory' || entry.type === 'submodule') return entry
    return { ...entry, size: (await this.#repo.info(entry.oid)).size }
  }

  /** `git ls-tree`, with `recursive` that of `-r -t`. Sizes would be a read each. */
  async provideDirectory(ref: string, path: Path, recursive = false): Promise<Directory | null> {
    const directory = await this.#entry(ref, path)
    if (directory?.type !== 'directory') return null
    const entries: Entry[] = []
    for await (const entry of this.#repo.walk(directory.oid, { recursive })) {
      if (entries.length === MOST_ENTRIES) return { entries, truncated: true }
      entries.push(entryOf(entry, joined([...namesOf(directory.pathBytes), entry.pathBytes])))
    }
    return { entries, truncated: false }
  }

  /** `git cat-file blob`. */
  async provideFile(ref: string, path: Path): Promise<File | null> {
    const entry = await this.#entry(ref, path)
    if (entry?.type !== 'file' && entry?.type !== 'link') return null
    const { data } = await this.#repo.readBlob(entry.oid)
    return { content: data }
  }

  /** `git for-each-ref refs/heads`. */
  provideBranches(options: NamesOptions): Promise<NamedCommit[]> {
    return this.#names('refs/heads/', options)
  }

  provideBranch(name: string): Promise<NamedCommit | null> {
    return this.#name('refs/heads/', name)
  }

  /** `git for-each-ref refs/tags`. */
  provideTags(options: NamesOptions): Promise<NamedCommit[]> {
    return this.#names('refs/tags/', options)
  }

  provideTag(name: string): Promise<NamedCommit | null> {
    return this.#name('refs/tags/', name)
  }

  /** `git grep -I`; of each line all that matches. */
  async provideTextSearchResults(
    ref: string,
    { pattern, isRegExp, isCaseSensitive, isWordMatch }: TextSearchQuery,
    { includes = [], excludes = [], ...page }: TextSearchOptions,
  ): Promise<{ results: TextSearchResult[]; truncated: boolean }> {
    const pathspec = [
      ...includes.map((glob) => `:(glob)${glob}`),
      ...excludes.map((glob) => `:(exclude,glob)${glob}`),
    ]
    const hits = this.#repo.grep(ref, pattern, {
      syntax: isRegExp ? 'extended' : 'fixed',
      ignoreCase: !isCaseSensitive,
      word: isWordMatch,
      binary: 'skip',
      columns: true,
      signal: page.signal,
      ...(pathspec.length > 0 && { pathspec }),
    })
    const { rows, isLast } = await pageOf(hits, page)
    const results = rows.map(({ path, pathBytes, line, bytes, text, matches }) => {
      const positionOf = (byte: number) => ({
        line: line - 1,
        character: textOf(bytes.subarray(0, byte)).length,
      })
      const ranges = matches.map(([start, end]) => {
        return { start: positionOf(start), end: positionOf(end) }
      })
      return { path, pathBytes, text, ranges }
    })
    return { results, truncated: !isLast }
  }

  /** `git log`, for a file with `--follow`. */
  async provideCommits({
    from = 'HEAD',
    path = '',
    author,
    query,
    ...page
  }: CommitsOptions): Promise<Commit[]> {
    const pathBytes = bytesOf(path)
    const start = await this.#repo.resolve(`${from}^{commit}`)
    const entry = await entryAt(this.#repo, start, namesOf(pathBytes))
    const commits = this.#repo.log(start, {
      regexp: 'fixed',
      ignoreCase: true,
      signal: page.signal,
      ...(author && { author }),
      ...(query && { grep: query }),
      ...(pathBytes.length > 0 && { path: pathBytes, follow: entry?.isBlob ?? false }),
    })
    const { rows } = await pageOf(commits, page)
    return rows.map(commitOf)
  }

  async provideCommit(ref: string): Promise<Commit | null> {
    const commit = await this.#repo.find(`${ref}^{commit}`)
    return commit?.type === 'commit' ? commitOf(commit) : null
  }

  /** `git diff-tree -r -M --root`, of a merge with its first parent. */
  async provideCommitChangedFiles(ref: string): Promise<ChangedFile[] | null> {
    const commit = await this.provideCommit(ref)
    if (!commit) return null
    const files: ChangedFile[] = []
    const parent = commit.parents[0] ?? null
    for await (const change of this.#repo.diff(parent, commit.sha, { renames: true })) {
      const { status, path, pathBytes, oldPath, oldPathBytes } = change
      files.push({
        ...{ status, path, pathBytes },
        ...{ previousPath: oldPath, previousPathBytes: oldPathBytes },
      })
    }
    return files
  }

  /** `git blame`, in the order of lines. */
  async provideFileBlameRanges(ref: string, path: Path): Promise<BlameRange[] | null> {
    const root = await this.#commitOf(ref)
    if (root === null) return null
    const entry = await entryAt(this.#repo, root, namesOf(bytesOf(path)))
    if (!entry?.isBlob) return null
    const lines = []
    for await (const range of this.#repo.blame(root, path)) lines.push(range)
    const commits = new Map<string, CommitObject>()
    for (const { commit } of lines) {
      if (!commits.has(commit)) commits.set(commit, await this.#repo.readCommit(commit))
    }
    const ages = agesOf(commits)
    const ranges = lines.map(({ start, count, commit }) => ({
      age: 1 + Math.round(9 * (ages.get(commit) ?? 0)),
      startingLine: start,
      endingLine: start + count - 1,
      commit: commitOf(commits.get(commit) as CommitObject),
    }))
    return ranges.sort((one, other) => one.startingLine - other.startingLine)
  }

  /** Returns the id of a commit, so that a branch that moves does not divide an answer. */
  async #commitOf(ref: string): Promise<string | null> {
    return (await this.provideCommit(ref))?.sha ?? null
  }

  async #entry(ref: string, path: Path): Promise<Entry | null> {
    const root = await this.#commitOf(ref)
    if (root === null) return null
    const names = namesOf(bytesOf(path))
    if (names.length === 0) {
      const { oid } = await this.#repo.readTree(root)
      return { type: 'directory', path: '', pathBytes: joined(names), oid }
    }
    const entry = await entryAt(this.#repo, root, names)
    return entry && entryOf(entry, joined(names))
  }

  async #names(prefix: string, { query = '', ...page }: NamesOptions): Promise<NamedCommit[]> {
    const refs = this.#repo.refs.list({ prefix, peel: true, signal: page.signal })
    const named = (ref: Ref) => {
      const found = namedCommit(prefix, ref)
      return found?.name.includes(query) ? found : null
    }
    return (await pageOf(kept(refs, named), page)).rows
  }

  async #name(prefix: string, name: string): Promise<NamedCommit | null> {
    for await (const ref of this.#repo.refs.list({ prefix: prefix + name, peel: true })) {
      // The names that begin so follow in the order of names.
      return ref.name === prefix + name ? namedCommit(prefix, ref) : null
    }
    return null
  }
}

/** Yields what `choose` makes of rows, without what is `null`. */
async function* kept<Row, Kept>(
  rows: AsyncIterable<Row>,
  choose: (row: Row) => Kept | null,
): AsyncGenerator<Kept, undefined> {
  for await (const row of rows) {
    const found = choose(row)
    if (found !== null) yield found
  }
}

/** A symbolic ref to what does not exist has no commit. */
function namedCommit(prefix: string, { name, oid, peeled }: Ref): NamedCommit | null {
  const commitSha = peeled ?? oid
  return commitSha === null ? null : { name: name.slice(prefix.length), commitSha }
}

function entryOf(
  { isTree, isSymlink, isSubmodule, oid }: TreeEntry | WalkEntry,
  pathBytes: Uint8Array,
): Entry {
  const named = { path: textOf(pathBytes), pathBytes, oid }
  if (isTree) return { type: 'directory', ...named }
  if (isSubmodule) return { type: 'submodule', ...named }
  return { type: isSymlink ? 'link' : 'file', ...named }
}

/** Keeps a byte order mark, as packlens does in names and lines. */
function textOf(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
}

function commitOf({ oid, parents, author, message }: CommitObject): Commit {
  const { name, email, seconds } = author
  const createTime = new Date((seconds ?? 0) * 1000)
  return { sha: oid, parents, author: name, email, message, createTime }
}
