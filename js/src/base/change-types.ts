/** What changes between trees and texts are. */

/** How a file differs between two trees: {@link Repository.diff}. */
export interface FileChange {
  /** `type-changed` where a file became a symbolic link or a submodule, or the other way round. */
  readonly status: 'added' | 'deleted' | 'modified' | 'type-changed' | 'renamed' | 'copied'
  /** The path as text, names joined by `/`; the bytes are in `pathBytes`. */
  readonly path: string
  /** The path that the file was renamed or copied from; otherwise as `path`. */
  readonly oldPath: string
  /** How similar a renamed or copied file is to the old one, in percent; `null` for others. */
  readonly similarity: number | null
  /** How much of a rewritten file is gone, in percent; `null` for others. */
  readonly dissimilarity: number | null
  /** The modes, as git writes them; `null` where the file does not exist. */
  readonly oldMode: number | null
  readonly newMode: number | null
  /** The ids; `null` where the file does not exist. */
  readonly oldOid: string | null
  readonly newOid: string | null
  readonly pathBytes: Uint8Array
  readonly oldPathBytes: Uint8Array
  /** Returns the fields without bytes. */
  toJSON(): FileChangeJson
}

/** A change of a file as plain data. */
export type FileChangeJson = Omit<FileChange, 'pathBytes' | 'oldPathBytes' | 'toJSON'>

/** Says that there are too many files to look for all renames. */
export interface RenameLimit {
  /** The limit that would have sufficed. */
  readonly needed: number
  /** Whether copies of changed files were looked for, and only those of other files were not. */
  readonly isPartial: boolean
}

/** The patch between two texts: {@link Repository.diffText}. */
export interface TextPatch {
  /**
   * `binary` contents are not compared. `too-large` are files that do not fit in memory, and
   * comparisons of files that take too long.
   */
  readonly kind: 'text' | 'binary' | 'too-large'
  /** How many lines are added and removed; 0 of contents that are not compared. */
  readonly added: number
  readonly removed: number
  /** The changed lines, with unchanged ones around them. */
  readonly hunks: readonly Hunk[]
  /** The hunks as `git diff` prints them; empty if no difference counts. */
  readonly bytes: Uint8Array
  /** Returns `bytes` as text; bytes that are not UTF-8 become U+FFFD. */
  toString(): string
  /** Returns the fields without bytes. */
  toJSON(): TextPatchJson
}

/** Such a patch as plain data. */
export type TextPatchJson = Pick<TextPatch, 'kind' | 'added' | 'removed' | 'hunks'>

/** The patch of a file: {@link Repository.patches}. */
export interface FilePatch extends FileChange, Omit<TextPatch, 'toJSON'> {
  /**
   * The patch as `git diff-tree -p` prints it, with the names of the file, which `git apply`
   * reads. Empty if no difference counts, or if `kind` is `too-large`.
   */
  readonly bytes: Uint8Array
  /** Returns the fields without bytes. */
  toJSON(): FilePatchJson
}

/** A patch of a file as plain data. */
export type FilePatchJson = FileChangeJson & TextPatchJson

/** A file of a merge that differs from those of all parents: {@link Repository.combinedPatches}. */
export interface CombinedPatch {
  /** The path as text, names joined by `/`; the bytes are in `pathBytes`. */
  readonly path: string
  /** `binary` if the file is so in the merge or in a parent. */
  readonly kind: 'text' | 'binary' | 'too-large'
  /** The mode and the id in the merge; `null` where the file does not exist. */
  readonly mode: number | null
  readonly oid: string | null
  /** The same of each parent. */
  readonly parents: readonly { readonly mode: number | null; readonly oid: string | null }[]
  readonly pathBytes: Uint8Array
  /**
   * The patch as `git diff-tree --cc` prints it, with a column for each parent. Empty if the file
   * has only parts of parents.
   */
  readonly bytes: Uint8Array
  /** Returns `bytes` as text; bytes that are not UTF-8 become U+FFFD. */
  toString(): string
  /** Returns the fields without bytes. */
  toJSON(): CombinedPatchJson
}

/** Such a file as plain data. */
export type CombinedPatchJson = Pick<CombinedPatch, 'path' | 'kind' | 'mode' | 'oid' | 'parents'>

/** Changes that are near each other, and the unchanged lines around them. */
export interface Hunk {
  /** The number of the first line in the old file, from 1; where there are none, of the line before. */
  readonly oldStart: number
  readonly oldLines: number
  readonly newStart: number
  readonly newLines: number
  /** The line above that looks like the start of a function, as git finds it; may be empty. */
  readonly heading: string
  /** The lines; none if words are compared. */
  readonly lines: readonly HunkLine[]
  /** The text of both sides in runs of words, with the option `wordDiff`. */
  readonly words?: readonly HunkWords[]
}

/** Words that follow each other, and what is between them; only a `line-feed` ends a line. */
export interface HunkWords {
  readonly kind: 'context' | 'added' | 'removed' | 'line-feed'
  /** Bytes that are not UTF-8 become U+FFFD. */
  readonly text: string
}

/** A line of a hunk. */
export interface HunkLine {
  readonly kind: 'context' | 'added' | 'removed'
  /** The text without its line feed; bytes that are not UTF-8 become U+FFFD. */
  readonly text: string
  /** The number of the line in the old file, from 1; `null` if it is not there. */
  readonly oldLine: number | null
  readonly newLine: number | null
  /** Whether the file ends after this line without a line feed. */
  readonly isUnterminated: boolean
}
