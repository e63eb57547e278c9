/** Lists of the entries of trees. */
import type { Asker } from './asker.js'
import { checkArgument, checkOptions, text } from './options/rules.js'
import { WALK } from './options/tables.js'
import type { ReadOptions } from './reading.js'
import { decodeWalk } from './records.js'
import type { Listing } from './rows.js'
import type { WalkEntry } from './types.js'

/** What {@link Repository.walk} takes. */
export interface WalkOptions extends ReadOptions {
  /** Enters subtrees. Default: no. */
  readonly recursive?: boolean | undefined
  /** Lists trees that are entered as well. Default: yes. */
  readonly trees?: boolean | undefined
  /** Looks the sizes of blobs up. Default: no. */
  readonly sizes?: boolean | undefined
}

const PAGE = 64 << 10

export function treeWalk(
  { engine }: Asker,
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
