/** Compares the files of a merge with those of all parents. */

import type { CombinedPatch } from '../base/types.js'
import { decodeCombined } from '../objects/combined-patch.js'
import { COMBINED_PATCHES } from '../options/full-tables.js'
import { checkArgument, checkOptions, text } from '../options/rules.js'
import type { PatchesOptions } from './patches.js'
import { elementsOf } from './paths.js'
import { pickaxeAsked } from './pickaxe.js'
import type { RepositoryContext } from './repository-context.js'
import type { Listing } from './rows.js'
import { textAsked } from './text-diff.js'

/** The options of {@link Repository.combinedPatches}: those of `git diff-tree`. */
export interface CombinedPatchesOptions
  extends Pick<
    PatchesOptions,
    | 'signal'
    | 'algorithm'
    | 'ignoreSpace'
    | 'indentHeuristic'
    | 'context'
    | 'abbrev'
    | 'path'
    | 'pathspec'
    | 'pickaxe'
    | 'attributes'
  > {
  /** Leaves out hunks in which a file is that of a parent (`--cc`, not `-c`). Default: true. */
  readonly dense?: boolean | undefined
}

const PAGE = 64 << 10

export function combinedPatches(
  { engine }: RepositoryContext,
  spec: string,
  options: CombinedPatchesOptions = {},
): Listing<CombinedPatch> {
  const begin = () => {
    checkOptions('combinedPatches', options, COMBINED_PATCHES)
    checkArgument('combinedPatches', 'the revision', spec, text)
    const { abbrev, dense = true, attributes } = options
    const asked = { ...textAsked(options), abbrev: abbrev === 'auto' ? 0 : abbrev, dense }
    const pathspec = elementsOf(options)
    return engine.pages({
      kind: 'combinedPatches',
      spec,
      ...asked,
      pathspec,
      attributes,
      ...pickaxeAsked(options),
    })
  }
  return { begin, rowsIn: decodeCombined, capacity: PAGE, options }
}
