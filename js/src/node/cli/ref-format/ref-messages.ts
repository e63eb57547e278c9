/** The fields `%(trailers)` and `%(describe)` of `for-each-ref`, with their arguments. */

import { fatal } from '../base/exit.js'
import { describeCommit } from '../pretty/describe-commit.js'
import { trailersShower } from '../pretty/trailers-format.js'
import { integerOf } from '../text/numbers.js'
import { type Known, of } from './ref-atoms.js'
import { unrecognized } from './ref-names.js'

const EMPTY: Known = { value: () => ({ text: '' }) }

/** Returns the field of the trailers of a message. @throws Exit for arguments that git refuses */
export function trailersAtom(argument: string | undefined): Known {
  const words = argument ? argument.split(',') : []
  const unknown = words.find(
    (word) => word === 'key' || !(word === 'key=' || trailersShower([word])),
  )
  if (unknown === 'key') throw fatal('expected %(trailers:key=<value>)')
  if (unknown !== undefined) {
    // Of an option with a bad value git names what is after it.
    const hasValue = /^(only|unfold|keyonly|valueonly)=/.test(unknown)
    const named = hasValue ? (words[words.indexOf(unknown) + 1] ?? '') : unknown
    throw fatal(`unknown %(trailers) argument: ${named}`)
  }
  // No trailer has an empty key.
  const asked = words.filter((word) => word !== 'key=')
  const show = trailersShower(asked)
  const isEmpty = asked.length < words.length && !asked.some((word) => word.startsWith('key='))
  return show === null || isEmpty ? EMPTY : of(({ unsigned }) => show(unsigned))
}

/** Returns the field that names a commit after a tag. @throws Exit for arguments that git refuses */
export function describeAtom(argument: string | undefined): Known {
  const given = argument ? argument.split(',') : []
  for (const [at, word] of given.entries()) checkWord(given.slice(at).join(','), word)
  // An empty value is false here, unlike in formats of `log`.
  const words = given.map((word) => (word === 'tags=' ? 'tags=no' : word))
  return {
    value({ reader }, oid) {
      const commit = reader.find(`${oid}^{commit}`)
      return { text: commit === null ? '' : describeCommit(reader, commit, words) }
    },
  }
}

function checkWord(rest: string, word: string): void {
  const [name = '', value] = word.split(/=(.*)/s)
  if (name === 'tags' && /^(yes|true|on|1|no|false|off|0|)$/i.test(value ?? '')) return
  if (name === 'match' || name === 'exclude') {
    if (!value) throw fatal(`value expected describe:${name}=`)
    return
  }
  if (name !== 'abbrev') throw unrecognized('describe', rest)
  if (!value) throw fatal('argument expected for describe:abbrev')
  const digits = integerOf(value)
  if (digits === null) throw fatal(`cannot fully parse describe:${rest}`)
  if (digits < 0) throw fatal(`positive value expected describe:${rest}`)
}
