/** Compares trees. */

import type { FileChange } from '../base/types.js'
import { decodeChanges } from '../objects/change.js'
import { DIFF } from '../options/full-tables.js'
import type { Rule } from '../options/rules.js'
import { checkArgument, checkOptions, text } from '../options/rules.js'
import type { ReadOptions } from './reading.js'
import type { RenameOptions } from './renames.js'
import { renamesAsked } from './renames.js'
import type { RepositoryContext } from './repository-context.js'
import type { Listing } from './rows.js'

/** The options of {@link Repository.diff}. */
export interface DiffOptions extends ReadOptions, RenameOptions {
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

export function treeDiff(
  { engine }: RepositoryContext,
  old: string | null,
  changed: string | null,
  options: DiffOptions,
): Listing<FileChange> {
  const begin = () => {
    checkOptions('diff', options, DIFF)
    checkArgument('diff', 'the old revision', old, textOrNull)
    checkArgument('diff', 'the new revision', changed, textOrNull)
    const { recursive = true, trees } = options
    const [from, to] = [old ?? undefined, changed ?? undefined]
    const asked = { old: from, new: to, recursive, trees, ...renamesAsked(options) }
    return engine.pages({ kind: 'diff', ...asked })
  }
  const rowsIn = (page: Uint8Array<ArrayBuffer>) => decodeChanges(page, options.onRenameLimit)
  return { begin, rowsIn, capacity: PAGE, options }
}
