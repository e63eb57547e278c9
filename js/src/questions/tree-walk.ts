/** Lists the entries of trees. */

import type { WalkEntry } from '../base/types.js'
import { decodeWalk } from '../objects/records.js'
import { checkArgument, checkOptions, text } from '../options/rules.js'
import { WALK } from '../options/tables.js'
import type { ReadOptions } from './reading.js'
import type { RepositoryContext } from './repository-context.js'
import type { Listing } from './rows.js'

/** The options of {@link Repository.walk}. */
export interface WalkOptions extends ReadOptions {
  /** Enters subtrees. Default: false. */
  readonly recursive?: boolean | undefined
  /** Also lists the trees that are entered. Default: true. */
  readonly trees?: boolean | undefined
  /** Looks up the sizes of blobs. Default: false. */
  readonly sizes?: boolean | undefined
}

const PAGE = 64 << 10

export function treeWalk(
  { engine }: RepositoryContext,
  spec: string,
  options: WalkOptions,
): Listing<WalkEntry> {
  const begin = () => {
    checkOptions('walk', options, WALK)
    checkArgument('walk', 'the revision', spec, text)
    const { recursive, trees, sizes } = options
    return engine.pages({ kind: 'walk', spec, recursive, onlyLeaves: trees === false, sizes })
  }
  return { begin, rowsIn: decodeWalk, capacity: PAGE, options }
}
