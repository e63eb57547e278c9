/** Compares the files of two trees line by line. */

import type { FilePatch } from '../base/types.js'
import { decodePatches } from '../objects/patch.js'
import { PATCHES } from '../options/full-tables.js'
import { checkArgument, checkOptions } from '../options/rules.js'
import type { RelativeOption, RenameOptions } from './diff.js'
import { prefixLength, renamesAsked, textOrNull } from './diff.js'
import { elementsOf } from './paths.js'
import type { PickaxeOption } from './pickaxe.js'
import { pickaxeAsked } from './pickaxe.js'
import type { AttributesOption, PathOptions } from './reading.js'
import type { RepositoryContext } from './repository-context.js'
import type { Listing } from './rows.js'
import type { DiffTextOptions } from './text-diff.js'
import { hasWords, hunksAsked, textAsked } from './text-diff.js'

/** The options of {@link Repository.patches}: those of `git diff`. */
export interface PatchesOptions
  extends DiffTextOptions,
    RenameOptions,
    PathOptions,
    PickaxeOption,
    RelativeOption,
    AttributesOption {
  /** The fewest digits of ids in `bytes`; `auto` as git shows them. Default: all digits. */
  readonly abbrev?: number | 'auto' | undefined
  /** Compares the new revision with the old one (`-R`). Default: false. */
  readonly reverse?: boolean | undefined
  /** Leaves out the lines of deleted files (`-D`): no program applies these. Default: false. */
  readonly irreversibleDelete?: boolean | undefined
  /** Patches of binary files have their contents, as `git apply` reads them. Default: false. */
  readonly binary?: boolean | undefined
}

const PAGE = 64 << 10

export function patches(
  { engine }: RepositoryContext,
  old: string | null,
  changed: string | null,
  options: PatchesOptions = {},
): Listing<FilePatch> {
  const begin = () => {
    checkOptions('patches', options, PATCHES)
    checkArgument('patches', 'the old revision', old, textOrNull)
    checkArgument('patches', 'the new revision', changed, textOrNull)
    const { abbrev, attributes, reverse, irreversibleDelete, binary, relative } = options
    return engine.pages({
      kind: 'patches',
      old: old ?? undefined,
      new: changed ?? undefined,
      ...textAsked(options),
      ...hunksAsked(options),
      ...renamesAsked(options),
      ...pickaxeAsked(options),
      pathspec: elementsOf(options),
      ...{ attributes, reverse, irreversibleDelete, binary, relative },
      abbrev: abbrev === 'auto' ? 0 : abbrev,
    })
  }
  const rowsIn = (page: Uint8Array<ArrayBuffer>) =>
    decodePatches(page, options.onRenameLimit, {
      below: prefixLength(options),
      wordDiff: hasWords(options),
    })
  return { begin, rowsIn, capacity: PAGE, options }
}
