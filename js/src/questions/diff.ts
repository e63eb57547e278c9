/** Compares trees. */

import type { DiffQuestion } from '../base/protocol.js'
import { encodeName } from '../base/specs.js'
import type { FileChange, RenameLimit } from '../base/types.js'
import { decodeChanges, MAX_SCORE } from '../objects/change.js'
import { DIFF } from '../options/full-tables.js'
import type { Rule } from '../options/rules.js'
import { checkArgument, checkOptions, text } from '../options/rules.js'
import { elementsOf } from './paths.js'
import type { PickaxeOption } from './pickaxe.js'
import { pickaxeAsked } from './pickaxe.js'
import type { AttributesOption, PathOptions, ReadOptions } from './reading.js'
import type { RepositoryContext } from './repository-context.js'
import type { Listing } from './rows.js'

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

export interface RelativeOption {
  /**
   * Lists only changes whose paths begin with this, such as `docs/`, and leaves it out of paths, as
   * `--relative=<path>`. A file that was renamed from elsewhere is a new one. Default: all.
   */
  readonly relative?: string | Uint8Array | undefined
}

/** The options of {@link Repository.diff}. */
export interface DiffOptions
  extends ReadOptions,
    RenameOptions,
    PathOptions,
    PickaxeOption,
    RelativeOption,
    AttributesOption {
  /** Compares subtrees that differ, too. Default: true. */
  readonly recursive?: boolean | undefined
  /** Also lists the subtrees that are compared. Default: false. */
  readonly trees?: boolean | undefined
}

const PAGE = 64 << 10

/** The rule for a tree-ish, or `null` for the empty tree. */
export const textOrNull: Rule = {
  what: `${text.what}, or null for the empty tree`,
  fits: (value) => value === null || text.fits(value),
}

export function diff(
  { engine }: RepositoryContext,
  old: string | null,
  changed: string | null,
  options: DiffOptions = {},
): Listing<FileChange> {
  const begin = () => {
    checkOptions('diff', options, DIFF)
    checkArgument('diff', 'the old revision', old, textOrNull)
    checkArgument('diff', 'the new revision', changed, textOrNull)
    const { recursive = true, trees, attributes, relative } = options
    const [from, to] = [old ?? undefined, changed ?? undefined]
    const pathspec = elementsOf(options)
    const asked = { old: from, new: to, recursive, trees, pathspec, attributes, relative }
    const found = { ...renamesAsked(options), ...pickaxeAsked(options) }
    return engine.pages({ kind: 'diff', ...asked, ...found })
  }
  const rowsIn = (page: Uint8Array<ArrayBuffer>) =>
    decodeChanges(page, options.onRenameLimit, prefixLength(options))
  return { begin, rowsIn, capacity: PAGE, options }
}

/** Returns how many bytes of paths are left out. */
export function prefixLength({ relative = '' }: RelativeOption): number {
  return typeof relative === 'string' ? encodeName(relative).length : relative.length
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
