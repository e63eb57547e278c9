/** What the index of a worktree has. */
import type { WalkEntry, WalkEntryJson } from './types.js'

/** A time of a file, as an index has it: numbers of 32 bits. */
export interface FileTime {
  /** Seconds since 1970. */
  readonly seconds: number
  readonly nanoseconds: number
}

/**
 * What the file system said of a file when git wrote its entry: numbers of 32 bits, in which
 * larger ones lack their upper bits. All are 0 if git does not know the file to be unchanged.
 */
export interface FileStat {
  /** When the metadata of the file changed. */
  readonly ctime: FileTime
  /** When its content changed. */
  readonly mtime: FileTime
  readonly dev: number
  readonly ino: number
  readonly uid: number
  readonly gid: number
  /** The bytes of the file in the worktree. */
  readonly size: number
}

/** An entry of the index of a worktree: {@link Repository.index}. */
export interface IndexFileEntry extends Omit<WalkEntry, 'size' | 'toJSON'> {
  /** 0, or in a conflict 1 for the common ancestor, 2 for ours, 3 for theirs. */
  readonly stage: 0 | 1 | 2 | 3
  /** Whether git takes the file for unchanged without looking at it. */
  readonly isAssumedUnchanged: boolean
  /** Whether the file need not be in the worktree, as with a sparse checkout. */
  readonly isSkipped: boolean
  /** Whether only the path was added, by `git add --intent-to-add`. */
  readonly isIntentToAdd: boolean
  readonly stat: FileStat
  /** Returns the fields without bytes. */
  toJSON(): IndexFileEntryJson
}

/** Such an entry as plain data. */
export type IndexFileEntryJson = Omit<WalkEntryJson, 'size'> &
  Pick<IndexFileEntry, 'stage' | 'isAssumedUnchanged' | 'isSkipped' | 'isIntentToAdd' | 'stat'>
