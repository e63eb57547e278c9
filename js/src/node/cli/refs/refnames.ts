/** Finds the refs that a short name may stand for: gitrevisions(7), "<refname>". */

import type { Ref } from '../../../base/types.js'
import { decodeRefs } from '../../../objects/records.js'
import { questionCall } from '../../../session/question.js'
import type { Session } from '../../../session/session.js'
import { expectSync } from '../../../session/task.js'
import type { Reader } from '../repository/reader.js'
import { bytesOfArgument, textOfBytes, toBytes } from '../text/bytes.js'

/** The prefix and suffix that a short name may omit; the first rule with a ref wins. */
const RULES: readonly [prefix: string, suffix: string][] = [
  ['', ''],
  ['refs/', ''],
  ['refs/tags/', ''],
  ['refs/heads/', ''],
  ['refs/remotes/', ''],
  ['refs/remotes/', '/HEAD'],
]

const MOST_HOPS = 5

/** Returns the full names of the refs that `name` may stand for; follows symbolic refs. */
export function refsCalled(reader: Reader, name: string): string[] {
  const found: string[] = []
  for (const candidate of namesOfRules(reader.interpret(name))) {
    const full = followed(reader, candidate)
    if (full !== null) found.push(full)
  }
  return found
}

/** Returns the full names that a name may stand for, whether such refs exist or not. */
export function namesOfRules(name: string): string[] {
  return RULES.map(([prefix, suffix]) => `${prefix}${name}${suffix}`)
}

/**
 * Returns the shortest name that git resolves to this ref. With `strict`, no other ref may
 * have that name; otherwise other refs may have it by later rules.
 */
export function shortenRefname(reader: Reader, full: string, strict: boolean): string {
  for (const [at, [prefix, suffix]] of [...RULES.entries()].reverse()) {
    if (at === 0 || !full.startsWith(prefix) || !full.endsWith(suffix)) continue
    const short = full.slice(prefix.length, full.length - suffix.length)
    if (short === '') continue
    const others = RULES.filter((_, other) => (strict ? other !== at : other < at))
    if (!others.some(([prefix, suffix]) => readRef(reader, `${prefix}${short}${suffix}`))) {
      return short
    }
  }
  return full
}

/** Returns git's warning if a revision begins with an ambiguous refname; otherwise empty. */
export function ambiguityOf(reader: Reader, revision: string): string {
  if (!reader.warnsAmbiguous) return ''
  const [name = ''] = /^(?:[^~^:@]|@(?!\{))*/.exec(revision) ?? []
  if (name === '' || name.length === reader.hexLength) return ''
  if (refsCalled(reader, name).length < 2) return ''
  return `warning: refname '${textOfBytes(name)}' is ambiguous.\n`
}

/** Returns the refs whose full name begins with `prefix`, in the order of their names. */
export function listRefs(reader: Reader, prefix: string): Ref[] {
  const refs: Ref[] = []
  reader.pages({ kind: 'refs', prefix: toBytes(prefix) }, (page) => {
    refs.push(...decodeRefs(Uint8Array.from(page)))
  })
  return refs
}

function followed(reader: Reader, name: string): string | null {
  let full = name
  for (let hops = 0; hops <= MOST_HOPS; hops++) {
    const ref = readRef(reader, full)
    if (!ref?.oid) return null
    if (ref.target === null) return full
    full = bytesOfArgument(ref.target)
  }
  return null
}

/** Returns the ref of this full name; `null` if there is none. */
export function readRef(reader: Reader, name: string): Ref | null {
  const ask = questionCall({ kind: 'reference', name: toBytes(name) })
  const found = (session: Session) => decodeRefs(new Uint8Array(session.takeOutput()))[0] ?? null
  return expectSync(reader.asked((session) => session.ask(ask, () => found(session))))
}
