/** Lists the submodules of trees. */

import type { Submodule } from '../base/types.js'
import { decodeSubmodules } from '../objects/submodule.js'
import { checkArgument, checkOptions, text } from '../options/rules.js'
import { READ } from '../options/tables.js'
import type { ReadOptions } from './reading.js'
import type { RepositoryContext } from './repository-context.js'
import type { Listing } from './rows.js'

const PAGE = 64 << 10

export function submodules(
  { engine }: RepositoryContext,
  spec = 'HEAD',
  options: ReadOptions = {},
): Listing<Submodule> {
  const begin = () => {
    checkOptions('submodules', options, READ)
    checkArgument('submodules', 'the revision', spec, text)
    return engine.pages({ kind: 'submodules', spec })
  }
  return { begin, rowsIn: decodeSubmodules, capacity: PAGE, options }
}
