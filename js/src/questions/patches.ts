/** Compares the files of two trees line by line. */

import type { FilePatch } from '../base/types.js'
import { decodePatches } from '../objects/patch.js'
import { PATCHES } from '../options/full-tables.js'
import { checkArgument, checkOptions } from '../options/rules.js'
import type { RenameOptions } from './diff.js'
import { renamesAsked, textOrNull } from './diff.js'
import { elementsOf } from './paths.js'
import type { PickaxeOption } from './pickaxe.js'
import { pickaxeAsked } from './pickaxe.js'
import type { AttributesOption, PathOptions } from './reading.js'
import type { RepositoryContext } from './repository-context.js'
import type { Listing } from './rows.js'
import type { DiffTextOptions } from './text-diff.js'
import { textAsked } from './text-diff.js'

/** The options of {@link Repository.patches}: those of `git diff`. */
export interface PatchesOptions
  extends DiffTextOptions,
    RenameOptions,
    PathOptions,
    PickaxeOption,
    AttributesOption {
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
    const { abbrev, attributes } = options
    return engine.pages({
      kind: 'patches',
      old: old ?? undefined,
      new: changed ?? undefined,
      ...textAsked(options),
      ...renamesAsked(options),
      ...pickaxeAsked(options),
      pathspec: elementsOf(options),
      attributes,
      abbrev: abbrev === 'auto' ? 0 : abbrev,
    })
  }
  const rowsIn = (page: Uint8Array<ArrayBuffer>) => decodePatches(page, options.onRenameLimit)
  return { begin, rowsIn, capacity: PAGE, options }
}
