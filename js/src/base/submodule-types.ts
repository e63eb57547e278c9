/** A submodule of a tree: {@link Repository.submodules}. */
export interface Submodule {
  /** The name: the path at which it was added, as a rule. Its git directory is `modules/<name>`. */
  readonly name: string
  /** Where it is checked out, from the root of the tree. */
  readonly path: string
  readonly nameBytes: Uint8Array
  readonly pathBytes: Uint8Array
  /**
   * Where it is cloned from, as it is written: one that begins with `./` or `../` is relative to
   * the URL of the remote. `null` if none is given.
   */
  readonly url: string | null
  /** The branch that an update follows, `.` for the name of the current one; `null` for none. */
  readonly branch: string | null
  /** The id of the commit that is checked out; `null` if the tree has none at the path. */
  readonly commit: string | null
  /** Returns the fields without bytes. */
  toJSON(): SubmoduleJson
}

/** A submodule as plain data. */
export type SubmoduleJson = Omit<Submodule, 'nameBytes' | 'pathBytes' | 'toJSON'>
