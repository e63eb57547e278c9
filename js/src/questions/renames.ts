/** How renames, copies and rewrites are found among changes. */

import type { DiffQuestion } from '../base/protocol.js'
import type { RenameLimit } from '../base/types.js'
import { MAX_SCORE } from '../objects/change.js'

/** Options of {@link Repository.diff} and {@link Repository.patches}: those of gitdiffcore. */
export interface RenameOptions {
  /**
   * Looks for renamed files (`-M`), also for copies of changed files (`copies`: `-C`), or of any
   * file (`copies-of-any`: `--find-copies-harder`). Changes are listed after all are known.
   * Default: false.
   */
  readonly renames?: boolean | 'copies' | 'copies-of-any' | undefined
  /** How similar a renamed or copied file must be, in percent. Default: 50. */
  readonly similarity?: number | undefined
  /**
   * Files that changed are only compared if there are not more than the square of this number of
   * pairs of an old and a new path; 0 for no limit. Default: 1000.
   */
  readonly renameLimit?: number | undefined
  /** Called last if there were more. */
  readonly onRenameLimit?: ((limit: RenameLimit) => void) | undefined
  /** Looks for rewritten files (`-B`), also as old or new files of renames. Default: false. */
  readonly rewrites?: boolean | undefined
}

/** How much of a file must have changed by default so that it may be split, as a score. */
const SPLIT_SCORE = MAX_SCORE / 2

/** Returns the options as the core takes them. */
export function renamesAsked(
  options: RenameOptions,
): Pick<DiffQuestion, 'renames' | 'renameScore' | 'renameLimit' | 'splitScore'> {
  const { renames = false, similarity, renameLimit, rewrites } = options
  return {
    renames: renames === true ? 'renames' : renames || undefined,
    renameScore: similarity === undefined ? undefined : Math.round((similarity * MAX_SCORE) / 100),
    renameLimit,
    splitScore: rewrites ? SPLIT_SCORE : undefined,
  }
}
