/** The configuration of a repository. */

/** Which file a variable comes from, itself or by an include. */
export type ConfigScope = 'local' | 'worktree'

/** A variable of a configuration. */
export interface ConfigVariable {
  /**
   * Section, subsection if any, and variable, joined by dots: in lower case except for the
   * subsection. Names need not be UTF-8: see `nameBytes`.
   */
  readonly name: string
  /** The value as text; `null` for a variable without `=`, which git takes for true. */
  readonly value: string | null
  readonly nameBytes: Uint8Array
  readonly valueBytes: Uint8Array | null
  /** `local` for the file `config`, `worktree` for `config.worktree`. */
  readonly scope: ConfigScope
  /** The path of the file: absolute, or relative to the directory of the file of that scope. */
  readonly file: string
  /** Returns the fields without bytes. */
  toJSON(): ConfigVariableJson
}

/** A variable as plain data. */
export type ConfigVariableJson = Omit<ConfigVariable, 'nameBytes' | 'valueBytes' | 'toJSON'>

/** A file that is not included. */
export interface SkippedInclude {
  /** The path as it is written. */
  readonly path: string
  /** The condition, such as `gitdir:~/work/`; `null` if there is none. */
  readonly condition: string | null
  /**
   * `absent` if the source has no such file, which git ignores too; `unreadable` if it cannot be
   * read; `home` if the path begins with a home directory that was not given; `condition` if the
   * condition is about the git directory, whose path was not given.
   */
  readonly why: 'absent' | 'unreadable' | 'home' | 'condition'
  /** The file that names it, as in {@link ConfigVariable}. */
  readonly scope: ConfigScope
  readonly file: string
}

/** A remote, as it is configured: `url.<base>.insteadOf` is not applied. */
export interface ConfigRemote {
  readonly name: string
  readonly urls: readonly string[]
  /** Where to push: the same as `urls` if there are no others. */
  readonly pushUrls: readonly string[]
  /** The refspecs for fetching, such as `+refs/heads/*:refs/remotes/origin/*`. */
  readonly fetch: readonly string[]
}

/** The variables of a configuration, as they were when it was read. */
export interface Config {
  /**
   * Returns the last value of a variable: empty for one without `=`, as git prints it; `null` if
   * it is not set. Section and variable may be in any case: `remote.origin.pushUrl`.
   */
  get(name: string): string | null
  /** Returns all values of a variable in their order. */
  getAll(name: string): string[]
  /** Returns all variables in the order in which git reads them, as `git config --list`. */
  list(): readonly ConfigVariable[]
  /** Returns the remotes in the order in which they first occur. */
  remotes(): ConfigRemote[]
  /** The files that are not included. */
  readonly skipped: readonly SkippedInclude[]
}
