/**
 * Who made an object and when: `%(author)`, `%(taggeremail:trim)`, `%(creatordate)` and
 * their like. Of broken lines `for-each-ref` shows other things than `git log` does; it
 * looks for an address and a date to the end of the object.
 */
import { dateShower, readStamp } from './dates.js'
import { fatal } from './exit.js'
import { type Known, of } from './ref-atoms.js'
import type { Contents } from './ref-contents.js'
import { unrecognized } from './ref-names.js'

/** Returns which header of an object names a person; `null` if none does. */
const HEADERS: Readonly<Record<string, (contents: Contents) => string | null>> = {
  author: () => 'author',
  committer: ({ type }) => (type === 'commit' ? 'committer' : null),
  tagger: ({ type }) => (type === 'tag' ? 'tagger' : null),
  creator: ({ type }) => (type === 'tag' ? 'tagger' : 'committer'),
}

/** Returns what a field of a person shows; `undefined` if it is none. */
export function personAtom(
  name: string,
  argument: string | undefined,
  command: string,
): Known | undefined {
  const [, who = '', part = ''] =
    /^(author|committer|tagger|creator)(name|email|date|)$/.exec(name) ?? []
  const header = HEADERS[who]
  if (!header || (who === 'creator' && (part === 'name' || part === 'email'))) return undefined
  const line = (contents: Contents) => contents.header(header(contents) ?? '')
  const lineOn = (contents: Contents) => contents.headerOn(header(contents) ?? '')
  if (part === 'date') {
    const show = dateShower(argument ?? '', command)
    return {
      value: (facts, oid) => {
        const [, , date] = /^(.*?)> (.*)$/s.exec(lineOn(facts.contents(oid))) ?? []
        const stamp = date === undefined ? null : readStamp(date)
        if (!stamp) return { text: '', number: 0 }
        return { text: show(stamp), number: Number(stamp.seconds) }
      },
    }
  }
  if (part === 'email') {
    const shown = emailShower(name, argument)
    return of((contents) => shown(lineOn(contents)))
  }
  if (argument !== undefined) throw fatal(`%(${name}) does not take arguments`)
  if (part === 'name') return of((contents) => /^(.*?) </s.exec(line(contents))?.[1] ?? '')
  return of(line)
}

/** Returns how the address in a text is shown. @throws Exit if there is no such way */
function emailShower(name: string, argument: string | undefined): (text: string) => string {
  const words = argument?.split(',') ?? []
  const unknown = words.find((word) => word !== 'trim' && word !== 'localpart')
  if (unknown !== undefined) throw unrecognized(name, unknown)
  // Up to the first `@`, wherever that is.
  if (words.includes('localpart')) {
    return (text) => {
      const [, local, whole = ''] = /<([^@]*)@|<([^>]*)>/.exec(text) ?? []
      return local ?? whole
    }
  }
  const trims = words.includes('trim')
  return (text) => /<([^>]*)>/.exec(text)?.[trims ? 1 : 0] ?? ''
}
