/** Lists the changes of refs. */

import type { ReflogEntry } from '../base/types.js'
import { decodeReflog } from '../objects/reflog.js'
import type { AskOptions } from '../session/session.js'
import { checkName } from './ref-answers.js'
import type { RepositoryContext } from './repository-context.js'
import type { Listing } from './rows.js'

const PAGE = 64 << 10

export function reflog(
  context: RepositoryContext,
  name: string,
  options: AskOptions,
): Listing<ReflogEntry> {
  const begin = () => {
    checkName('refs.log', name, options)
    return context.engine.pages({ kind: 'reflog', name })
  }
  return { begin, rowsIn: decodeReflog, capacity: PAGE, options }
}
