/** Which names refs may have; the rules are the core's. */
import { readFileSync } from 'node:fs'
import * as core from '../../core.js'
import { CoreSession } from '../../core-session.js'
import { fromBytes, toBytes } from './bytes.js'

const BITS = { oneLevel: 1, pattern: 2, normalize: 4, branch: 8 } as const

export type RefnameRules = { readonly [rule in keyof typeof BITS]?: boolean }

/** No file is read. */
const MEMORY = 1 << 20

/** Returns the name, `null` if git would not take it. */
export function checkRefname(name: string, rules: RefnameRules): string | null {
  core.loadCoreSync(() => readFileSync(new URL('../../wasm/packlens_bg.wasm', import.meta.url)))
  const chosen = Object.entries(BITS).filter(([rule]) => rules[rule as keyof typeof BITS])
  const bits = chosen.reduce((sum, [, bit]) => sum | bit, 0)
  const session = new CoreSession()
  session.open({ memory: MEMORY, baseCache: 0, verify: 'none', objectFormat: 'sha1' })
  try {
    core.call((glue) => {
      session.input(glue, toBytes(name))
      glue.check_refname(session.number, bits)
    })
    return fromBytes(session.output()) || null
  } finally {
    session.close()
  }
}
