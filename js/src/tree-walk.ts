/** Lists the entries of trees. */

import { checkArgument, checkOptions, text } from './options/rules.js'
import { WALK } from './options/tables.js'
import type { ReadOptions } from './reading.js'
import { decodeWalk } from './records.js'
import type { RepositoryContext } from './repository-context.js'
import type { Listing } from './rows.js'
import type { WalkEntry } from './types.js'

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
