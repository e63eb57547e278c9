/** Compares a work tree with its index and `HEAD`. */

import type { StatusQuestion } from '../base/protocol.js'
import type { StatusEntry } from '../base/types.js'
import { MAX_SCORE } from '../objects/change.js'
import { decodeStatus, unchangedSubmodule } from '../objects/status.js'
import { STATUS } from '../options/full-tables.js'
import { checkOptions } from '../options/rules.js'
import { elementsOf } from './paths.js'
import type { PathOptions, ReadOptions } from './reading.js'
import type { RepositoryContext } from './repository-context.js'
import type { Listing } from './rows.js'

/** The options of {@link Repository.status}. */
export interface StatusOptions extends ReadOptions, PathOptions {
  /**
   * Which files that are not tracked are listed: `normal` lists a directory in which nothing is
   * tracked as one, `all` its files, `no` none. Default: what `status.showUntrackedFiles` of the
   * repository's config says, or `normal`.
   */
  readonly untracked?: 'normal' | 'all' | 'no' | undefined
  /**
   * Which ignored files are listed: `traditional` lists a directory as one if all of its files are
   * ignored, `matching` if a pattern matches it, `no` none. Default: `no`.
   */
  readonly ignored?: 'no' | 'traditional' | 'matching' | undefined
  /**
   * Lists the tracked files that did not change, too, and reads each changed one for its
   * `worktreeOid`. Default: false.
   */
  readonly complete?: boolean | undefined
  /**
   * Looks for files in the index that were renamed, or also copied from files that changed.
   * Default: what `status.renames` or `diff.renames` of the repository's config say, or true.
   */
  readonly renames?: boolean | 'copies' | undefined
  /**
   * Which changes of submodules do not count: `untracked` files in them, `dirty` for all but the commit
   * that is checked out, `all`, or `none` of these. Default: what the repository's config says of the
   * submodule (`submodule.<name>.ignore`), then its `.gitmodules`, then `diff.ignoreSubmodules`, or
   * `none`. An `all` of these hides no change of the index.
   */
  readonly ignoreSubmodules?: 'none' | 'untracked' | 'dirty' | 'all' | undefined
  /** How similar a renamed or copied file must be, in percent. Default: 50. */
  readonly similarity?: number | undefined
}

const PAGE = 64 << 10

export function status(
  { engine }: RepositoryContext,
  options: StatusOptions = {},
): Listing<StatusEntry> {
  const begin = () => {
    checkOptions('status', options, STATUS)
    const { untracked, ignored, complete, renames, similarity, ignoreSubmodules } = options
    const question: StatusQuestion = {
      kind: 'status',
      untracked,
      ignored,
      complete,
      renames: typeof renames === 'boolean' ? (renames ? 'renames' : 'none') : renames,
      renameScore:
        similarity === undefined ? undefined : Math.round((similarity * MAX_SCORE) / 100),
      pathspec: elementsOf(options),
      ignoreSubmodules,
    }
    return engine.pages(question)
  }
  // Not before `begin` has checked them.
  const rowsIn = (page: Uint8Array<ArrayBuffer>) => (options.complete ? allIn : changesIn)(page)
  return { begin, rowsIn, capacity: PAGE, options }
}

/** Returns the rows; submodules whose commit is that of the index did not change. */
function* allIn(page: Uint8Array<ArrayBuffer>): Generator<StatusEntry, undefined> {
  for (const entry of decodeStatus(page)) {
    const isSame = entry.kind === 'changed' && entry.staged === null && entry.unstaged === null
    yield isSame ? unchangedSubmodule(entry) : entry
  }
}

/** Returns the rows, without submodules whose commit is that of the index. */
function* changesIn(page: Uint8Array<ArrayBuffer>): Generator<StatusEntry, undefined> {
  for (const entry of decodeStatus(page)) {
    if (entry.kind !== 'changed' || entry.staged !== null || entry.unstaged !== null) yield entry
  }
}
