/** What a code browser asks about a repository: the names of github1s' `DataSource`. */

/** A path as text, or as bytes, which need not be UTF-8; empty for the top directory. */
export type Path = string | Uint8Array

export interface Entry {
  readonly type: 'directory' | 'file' | 'link' | 'submodule'
  readonly path: string
  readonly pathBytes: Uint8Array
  readonly oid: string
  /** The bytes of a file or a link, if one entry is asked for. */
  readonly size?: number
}

export interface Directory {
  readonly entries: readonly Entry[]
  /** Whether there are more entries than are listed. */
  readonly truncated: boolean
}

export interface File {
  /** Of a link the path that it leads to. */
  readonly content: Uint8Array
}

/** A branch, or a tag. */
export interface NamedCommit {
  readonly name: string
  /** The commit that the name leads to; what else a tag can lead to is a tree or a file. */
  readonly commitSha: string
}

export interface Commit {
  readonly sha: string
  readonly parents: readonly string[]
  readonly author: string
  readonly email: string
  readonly message: string
  /** When the author wrote it. */
  readonly createTime: Date
}

export interface ChangedFile {
  readonly status: 'added' | 'deleted' | 'modified' | 'type-changed' | 'renamed' | 'copied'
  readonly path: string
  readonly pathBytes: Uint8Array
  /** The path that a file was renamed from; otherwise as `path`. */
  readonly previousPath: string
  readonly previousPathBytes: Uint8Array
}

export interface BlameRange {
  /** From 1 for the newest commits of the file to 10 for the oldest. */
  readonly age: number
  /** From 1. */
  readonly startingLine: number
  readonly endingLine: number
  readonly commit: Commit
}

/** From 0; characters are those of JavaScript's strings. */
export interface Position {
  readonly line: number
  readonly character: number
}

export interface Range {
  readonly start: Position
  readonly end: Position
}

export interface TextSearchQuery {
  readonly pattern: string
  /** An extended regular expression, as of `git grep -E`. */
  readonly isRegExp?: boolean
  readonly isCaseSensitive?: boolean
  readonly isWordMatch?: boolean
}

/** A line that matches. */
export interface TextSearchResult {
  readonly path: string
  readonly pathBytes: Uint8Array
  readonly text: string
  readonly ranges: readonly Range[]
}

/** The `page`, from 1, of a list that is divided in pages. */
export interface PageOptions {
  readonly page: number
  readonly pageSize: number
  readonly signal?: AbortSignal
}

export interface NamesOptions extends PageOptions {
  /** Lists names with this text in them. */
  readonly query?: string
}

export interface TextSearchOptions extends PageOptions {
  /** Globs, as git's `:(glob)`: `docs/**`. */
  readonly includes?: readonly string[]
  readonly excludes?: readonly string[]
}

export interface CommitsOptions extends PageOptions {
  /** Default: `HEAD`. */
  readonly from?: string
  /** Lists commits that changed this path; of a file also those before it was renamed. */
  readonly path?: Path
  /** Lists commits whose author has this text in name or address, in any case. */
  readonly author?: string
  /** Lists commits whose message has this text in a line, in any case. */
  readonly query?: string
}
