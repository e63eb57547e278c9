/**
 * The fields of persons and dates: `%(author)`, `%(taggeremail:trim)`, `%(creatordate)` and
 * the like. For malformed lines `for-each-ref` differs from `git log`: it searches for the
 * address and the date up to the end of the object.
 */

import { fatal } from '../base/exit.js'
import { dateShower, readStamp } from '../dates/dates.js'
import { mailmappedLine } from '../pretty/mailmapped.js'
import type { Contents } from '../pretty/ref-contents.js'
import { type Known, of } from './ref-atoms.js'
import { unrecognized } from './ref-names.js'

/** Functions that return the header which names a person; `null` if the object has none. */
const HEADERS: Readonly<Record<string, (contents: Contents) => string | null>> = {
  author: () => 'author',
  committer: ({ type }) => (type === 'commit' ? 'committer' : null),
  tagger: ({ type }) => (type === 'tag' ? 'tagger' : null),
  creator: ({ type }) => (type === 'tag' ? 'tagger' : 'committer'),
}

/** Returns the field of a person or date; `undefined` if `name` is no such field. */
export function personAtom(name: string, argument: string | undefined): Known | undefined {
  const [, who = '', part = ''] =
    /^(author|committer|tagger|creator)(name|email|date|)$/.exec(name) ?? []
  const header = HEADERS[who]
  if (!header || (who === 'creator' && (part === 'name' || part === 'email'))) return undefined
  const line = (contents: Contents) => contents.header(header(contents) ?? '')
  const lineOn = (contents: Contents) => contents.headerOn(header(contents) ?? '')
  if (part === 'date') {
    const show = dateShower(argument ?? '')
    return {
      value: (facts, oid) => {
        const [, , date] = /^(.*?)> (.*)$/s.exec(lineOn(facts.contents(oid))) ?? []
        const stamp = date === undefined ? null : readStamp(date)
        if (!stamp) return argument?.startsWith('format') ? { text: '' } : { text: '', number: 0 }
        if (argument === '') throw fatal('unknown date format ')
        const text = show(stamp)
        // By a format of their own, git sorts dates as texts.
        return argument?.startsWith('format') ? { text } : { text, number: Number(stamp.seconds) }
      },
    }
  }
  if (part === '') {
    if (argument !== undefined) throw fatal(`%(${name}) does not take arguments`)
    return of(line)
  }
  const words = argument ? argument.split(',') : []
  const others = words.filter((word) => word !== 'mailmap')
  const shown = part === 'email' ? emailShower(name, others) : nameShown(name, others)
  const plain = part === 'email' ? lineOn : line
  if (others.length === words.length) return of((contents) => shown(plain(contents)))
  return {
    value(facts, oid) {
      return { text: shown(mailmappedLine(line(facts.contents(oid)), facts.list.mailmap())) }
    },
  }
}

/** Returns the function that shows the name in a line. @throws Exit for arguments */
function nameShown(name: string, [unknown]: readonly string[]): (text: string) => string {
  if (unknown !== undefined) throw unrecognized(name, unknown)
  return (text) => /^(.*?) </s.exec(text)?.[1] ?? ''
}

/** Returns the function that shows the address in a text. @throws Exit for bad arguments */
function emailShower(name: string, words: readonly string[]): (text: string) => string {
  const unknown = words.find((word) => word !== 'trim' && word !== 'localpart')
  if (unknown !== undefined) throw unrecognized(name, unknown)
  // git cuts the local part at the first `@`, even one after the closing `>`.
  if (words.includes('localpart')) {
    return (text) => {
      const [, local, whole = ''] = /<([^@]*)@|<([^>]*)>/.exec(text) ?? []
      return local ?? whole
    }
  }
  const trims = words.includes('trim')
  return (text) => /<([^>]*)>/.exec(text)?.[trims ? 1 : 0] ?? ''
}
