import type { DataSource as Source } from '../data-source/data-source.ts'
import type {
  Commit as GitCommit,
  Entry as GitEntry,
  ChangedFile as GitFile,
} from '../data-source/types.ts'
import type {
  BlameRange,
  Branch,
  ChangedFile,
  Commit,
  CommitsQueryOptions,
  CommonQueryOptions,
  Directory,
  DirectoryEntry,
  File,
  Range,
  Tag,
  TextSearchOptions,
  TextSearchQuery,
  TextSearchResults,
} from '../types'
import { DataSource, FileChangeStatus, FileType } from '../types'
import type { Repositories } from './repositories.ts'

/** The methods of github1s' data source that git can answer; paths begin with a slash. */
export class GitDataSource extends DataSource {
  readonly #repositories: Repositories

  constructor(repositories: Repositories) {
    super()
    this.#repositories = repositories
  }

  override async provideDirectory(
    repo: string,
    ref: string,
    path: string,
    recursive = false,
  ): Promise<Directory | null> {
    const source = await this.#at(repo)
    const directory = await source.provideDirectory(ref, below(path), recursive)
    return directory && { ...directory, entries: directory.entries.map(entryOf) }
  }

  override async provideFile(repo: string, ref: string, path: string): Promise<File | null> {
    return (await this.#at(repo)).provideFile(ref, below(path))
  }

  override async provideBranches(repo: string, options?: CommonQueryOptions): Promise<Branch[]> {
    return (await this.#at(repo)).provideBranches(paged(options))
  }

  override async provideBranch(repo: string, name: string): Promise<Branch | null> {
    return (await this.#at(repo)).provideBranch(name)
  }

  override async provideTags(repo: string, options?: CommonQueryOptions): Promise<Tag[]> {
    return (await this.#at(repo)).provideTags(paged(options))
  }

  override async provideTag(repo: string, name: string): Promise<Tag | null> {
    return (await this.#at(repo)).provideTag(name)
  }

  override async provideTextSearchResults(
    repo: string,
    ref: string,
    query: TextSearchQuery,
    options?: TextSearchOptions,
  ): Promise<TextSearchResults> {
    const source = await this.#at(repo)
    // To git, lines of a pattern are patterns.
    if (query.pattern.includes('\n')) throw new Error('only text within a line can be searched for')
    const found = await source.provideTextSearchResults(ref, query, {
      ...paged(options),
      includes: (options?.includes ?? []).flatMap(withoutBraces),
      excludes: (options?.excludes ?? []).flatMap(withoutBraces),
    })
    const results = found.results.map(({ path, text, ranges }) => ({
      path: `/${path}`,
      ranges: [...ranges],
      preview: { text, matches: ranges.map(inFirstLine) },
    }))
    return { results, truncated: found.truncated }
  }

  override async provideCommits(repo: string, options?: CommitsQueryOptions): Promise<Commit[]> {
    const source = await this.#at(repo)
    const path = below(options?.path ?? '')
    return (await source.provideCommits({ ...options, ...paged(options), path })).map(commitOf)
  }

  override async provideCommit(repo: string, ref: string): Promise<Commit | null> {
    const commit = await (await this.#at(repo)).provideCommit(ref)
    return commit && commitOf(commit)
  }

  override async provideCommitChangedFiles(
    repo: string,
    ref: string,
    options?: CommonQueryOptions,
  ): Promise<ChangedFile[]> {
    const { page, pageSize } = paged(options)
    const files = (await (await this.#at(repo)).provideCommitChangedFiles(ref)) ?? []
    return files.slice((page - 1) * pageSize, page * pageSize).map(fileOf)
  }

  override async provideFileBlameRanges(
    repo: string,
    ref: string,
    path: string,
  ): Promise<BlameRange[]> {
    const ranges = (await (await this.#at(repo)).provideFileBlameRanges(ref, below(path))) ?? []
    return ranges.map((range) => ({ ...range, commit: commitOf(range.commit) }))
  }

  #at(repo: string): Promise<Source> {
    return this.#repositories.at(repo)
  }
}

/** github1s' page size is 100 where it names none. */
function paged({ page = 1, pageSize = 100, query = '' }: CommonQueryOptions = {}) {
  return { page, pageSize, query }
}

function below(path: string): string {
  return path.replace(/^\/+|\/+$/g, '')
}

/** A symbolic link is a file to github1s, with the path that it leads to. */
function entryOf({ type, path, oid }: GitEntry): DirectoryEntry {
  const named = `/${path}`
  if (type === 'directory') return { type: FileType.Directory, path: named }
  if (type === 'submodule') return { type: FileType.Submodule, path: named, commitSha: oid }
  return { type: FileType.File, path: named }
}

function commitOf({ parents, ...commit }: GitCommit): Commit {
  return { ...commit, parents: [...parents] }
}

const STATUS: Readonly<Record<GitFile['status'], FileChangeStatus>> = {
  added: FileChangeStatus.Added,
  copied: FileChangeStatus.Added,
  deleted: FileChangeStatus.Removed,
  modified: FileChangeStatus.Modified,
  'type-changed': FileChangeStatus.Modified,
  renamed: FileChangeStatus.Renamed,
}

function fileOf({ status, path, previousPath }: GitFile): ChangedFile {
  const changed = { status: STATUS[status], path: `/${path}` }
  return status === 'renamed' ? { ...changed, previousPath: `/${previousPath}` } : changed
}

/** The lines of a preview are counted from its own first. */
function inFirstLine({ start, end }: Range): Range {
  return { start: { ...start, line: 0 }, end: { ...end, line: 0 } }
}

/** The most globs that one glob with `{a,b}` stands for. */
const MOST_GLOBS = 100

/** Returns the globs that one of VS Code stands for: git's have no `{a,b}`. */
function withoutBraces(glob: string): string[] {
  let globs = [glob]
  for (;;) {
    const next = globs.flatMap((one) => {
      const [group, choices] = /\{([^{}]*)\}/.exec(one) ?? []
      if (group === undefined || choices === undefined) return [one]
      return choices.split(',').map((choice) => one.replace(group, () => choice))
    })
    if (next.length > MOST_GLOBS) throw new Error(`'${glob}' stands for too many globs`)
    if (next.length === globs.length && next.every((one, at) => one === globs[at])) return globs
    globs = next
  }
}
