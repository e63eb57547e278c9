/** How a work tree, its index and `HEAD` differ. */
import type { FileChange } from './change-types.js'

/** A row of {@link Repository.status}. */
export type StatusEntry = ChangedFile | UnmergedFile | UnchangedFile | UntrackedFile | IgnoredFile

/** What all rows have. */
export interface StatusPath {
  /** The path as text, names joined by `/`; the bytes are in `pathBytes`. */
  readonly path: string
  readonly pathBytes: Uint8Array
}

/** A file that differs between `HEAD` and the index, or between the index and the work tree. */
export interface ChangedFile extends StatusPath {
  readonly kind: 'changed'
  /** How the index differs from `HEAD`; `null` if it does not. */
  readonly staged: FileChange['status'] | null
  /**
   * How the work tree differs from the index; `null` if it does not. Only a file that was added by
   * `git add --intent-to-add` is `added`, or `renamed` if a deleted one had its content. A symbolic
   * link is `unknown` in a folder that was opened by its handle, unless a file is in its place:
   * browsers list no links.
   */
  readonly unstaged:
    | 'added'
    | 'deleted'
    | 'modified'
    | 'type-changed'
    | 'renamed'
    | 'unknown'
    | null
  /** The path that a renamed or copied file had before; otherwise as `path`. */
  readonly oldPath: string
  readonly oldPathBytes: Uint8Array
  /** How similar a renamed or copied file is to the old one, in percent; `null` for others. */
  readonly similarity: number | null
  /** The modes, as git writes them; `null` where the file does not exist. */
  readonly headMode: number | null
  readonly indexMode: number | null
  /**
   * `null` also of an `unknown` file. Where the source does not know whether a file is executable,
   * as the handle of a folder, it is if it is in the index.
   */
  readonly worktreeMode: number | null
  /** The ids; `null` where the file does not exist. */
  readonly headOid: string | null
  readonly indexOid: string | null
  /**
   * The id that the file in the work tree would be added with: of files that were read to see whether
   * they changed, with `complete` of all that can be read; `null` for others.
   */
  readonly worktreeOid: string | null
  /** Whether another commit is checked out in a submodule than the index has. */
  readonly hasOtherCommit: boolean
  /**
   * How a submodule differs from the commit that the index has; `null` for what is no submodule, and for
   * those that are not checked out, or are assumed to be unchanged.
   */
  readonly submodule: SubmoduleState | null
  /** Returns the fields without bytes. */
  toJSON(): ChangedFileJson
}

/** How a submodule that is checked out differs from the commit that the index has. */
export interface SubmoduleState {
  /** Whether another commit is checked out. */
  readonly hasOtherCommit: boolean
  /** Whether tracked files in it changed, or differ between its index and its `HEAD`. */
  readonly isModified: boolean
  /** Whether files in it are not tracked. */
  readonly hasUntracked: boolean
}

/** Such a row as plain data. */
export type ChangedFileJson = Omit<ChangedFile, 'pathBytes' | 'oldPathBytes' | 'toJSON'>

/** A side of a conflict. */
export interface StatusStage {
  readonly mode: number
  readonly oid: string
}

/** A file in conflict. */
export interface UnmergedFile extends StatusPath {
  readonly kind: 'unmerged'
  /** The common ancestor, ours and theirs; `null` for a side without the file. */
  readonly stages: readonly [StatusStage | null, StatusStage | null, StatusStage | null]
  /** The mode in the work tree; `null` if the file does not exist. */
  readonly worktreeMode: number | null
  /** Returns the fields without bytes. */
  toJSON(): UnmergedFileJson
}

/** Such a row as plain data. */
export type UnmergedFileJson = Omit<UnmergedFile, 'pathBytes' | 'toJSON'>

/**
 * A tracked file that is the same in `HEAD`, the index and the work tree; a submodule with the commit
 * of the index.
 */
export interface UnchangedFile extends StatusPath {
  readonly kind: 'unchanged'
  /** The mode, as git writes it. */
  readonly mode: number
  readonly oid: string
  /** Returns the fields without bytes. */
  toJSON(): UnchangedFileJson
}

/** Such a row as plain data. */
export type UnchangedFileJson = Pick<UnchangedFile, 'kind' | 'path' | 'mode' | 'oid'>

/** A file or directory that is not tracked; the path of a directory ends with a slash. */
export interface UntrackedFile extends StatusPath {
  readonly kind: 'untracked'
  /** Returns the fields without bytes. */
  toJSON(): UntrackedFileJson
}

/** Such a row as plain data. */
export type UntrackedFileJson = Pick<UntrackedFile, 'kind' | 'path'>

/** A file or directory that is ignored; the path of a directory ends with a slash. */
export interface IgnoredFile extends StatusPath {
  readonly kind: 'ignored'
  /** Returns the fields without bytes. */
  toJSON(): IgnoredFileJson
}

/** Such a row as plain data. */
export type IgnoredFileJson = Pick<IgnoredFile, 'kind' | 'path'>
