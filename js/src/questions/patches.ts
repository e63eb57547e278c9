/** Compares the files of two trees line by line. */

import type { FilePatch } from '../base/types.js'
import { decodePatches } from '../objects/patch.js'
import { PATCHES } from '../options/full-tables.js'
import { checkArgument, checkOptions } from '../options/rules.js'
import { textOrNull } from './diff.js'
import type { ReadOptions } from './reading.js'
import type { RepositoryContext } from './repository-context.js'
import type { Listing } from './rows.js'

/** The options of {@link Repository.patches}: those of `git diff`. */
export interface PatchesOptions extends ReadOptions {
  /** Which algorithm compares lines. Default: `myers`. */
  readonly algorithm?: 'myers' | 'minimal' | 'patience' | 'histogram' | undefined
  /**
   * Which white space does not count: a carriage return before the line feed (`cr-at-eol`), all
   * of it at the end of lines (`at-eol`), its amount (`amount`: `-b`), or any (`all`: `-w`).
   * Default: all white space counts.
   */
  readonly ignoreSpace?: 'cr-at-eol' | 'at-eol' | 'amount' | 'all' | undefined
  /** Leaves out changes that only add or remove blank lines. Default: false. */
  readonly ignoreBlankLines?: boolean | undefined
  /** Lets indentation decide where a change is shown. Default: true. */
  readonly indentHeuristic?: boolean | undefined
  /** How many unchanged lines are around a change. Default: 3. */
  readonly context?: number | undefined
  /** How many more lines may be between two changes of a hunk. Default: 0. */
  readonly interHunkContext?: number | undefined
  /** The fewest digits of ids in `bytes`; `auto` as git shows them. Default: all digits. */
  readonly abbrev?: number | 'auto' | undefined
}

const PAGE = 64 << 10

export function filePatches(
  { engine }: RepositoryContext,
  old: string | null,
  changed: string | null,
  options: PatchesOptions,
): Listing<FilePatch> {
  const begin = () => {
    checkOptions('patches', options, PATCHES)
    checkArgument('patches', 'the old revision', old, textOrNull)
    checkArgument('patches', 'the new revision', changed, textOrNull)
    const { algorithm, ignoreSpace: whitespace, ignoreBlankLines, context, abbrev } = options
    return engine.pages({
      kind: 'patches',
      old: old ?? undefined,
      new: changed ?? undefined,
      algorithm,
      whitespace,
      ignoreBlankLines,
      withoutIndentHeuristic: options.indentHeuristic === false,
      context,
      interHunk: options.interHunkContext,
      abbrev: abbrev === 'auto' ? 0 : abbrev,
    })
  }
  return { begin, rowsIn: decodePatches, capacity: PAGE, options }
}
