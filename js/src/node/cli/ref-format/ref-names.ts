/** Shows the names of refs for `for-each-ref`: `:short`, `:lstrip=`, `:rstrip=`. */
import { fatal } from '../base/exit.js'
import { shortenRefname } from '../refs/refnames.js'
import { integerOf } from '../text/numbers.js'
import type { RefFacts, Value } from './ref-atoms.js'

/** Returns the function that shows a name by the argument after the colon. */
export function nameShower(
  name: string,
  argument: string | undefined,
  of: (facts: RefFacts) => string,
): (facts: RefFacts, oid: string) => Value {
  const [, side, given = ''] = /^(strip|lstrip|rstrip)=(.*)$/s.exec(argument ?? '') ?? []
  if (argument === undefined) return (facts) => ({ text: of(facts) })
  if (argument === 'short') {
    return (facts) => {
      const full = of(facts)
      return {
        text: full === '' ? '' : shortenRefname(facts.reader, full, facts.reader.warnsAmbiguous),
      }
    }
  }
  if (side === undefined) throw unrecognized(name, argument)
  const count = integerOf(given)
  if (count === null) throw fatal(`Integer value expected ${name}:${argument}`)
  return (facts) => ({ text: stripped(of(facts), count, side === 'rstrip') })
}

/** Removes `count` parts of a name; for a negative `count`, leaves that many. */
function stripped(name: string, count: number, fromEnd: boolean): string {
  const parts = name.split('/')
  const off = Math.max(count < 0 ? parts.length + count : count, 0)
  return (fromEnd ? parts.slice(0, Math.max(parts.length - off, 0)) : parts.slice(off)).join('/')
}

export function unrecognized(name: string, argument: string): Error {
  return fatal(`unrecognized %(${name}) argument: ${argument}`)
}
