/** Checks refnames by the core's rules. */

import type { CheckRefnameQuestion } from '../../../base/protocol.js'
import { CoreSession } from '../../../session/core-session.js'
import { currentInstance } from '../../../session/modules.js'
import { encodeQuestion } from '../../../session/question.js'
import { loadModule } from '../base/module.js'
import { fromBytes, toBytes } from '../text/bytes.js'

export type RefnameRules = Omit<CheckRefnameQuestion, 'kind' | 'name'>

/** The memory of the session, in bytes: little is enough, because no file is read. */
const MEMORY = 1 << 20

/** Returns the name; `null` if git would refuse it. */
export function checkRefname(name: string, rules: RefnameRules): string | null {
  loadModule()
  const question = encodeQuestion({ kind: 'checkRefname', name: toBytes(name), ...rules })
  const session = new CoreSession(currentInstance())
  session.open({ memory: MEMORY, baseCache: 0, verify: 'none', objectFormat: 'sha1' })
  try {
    session.instance.call((glue) => {
      session.input(glue, ...question)
      glue.ask(session.number)
    })
    return fromBytes(session.output()) || null
  } finally {
    session.close()
  }
}
