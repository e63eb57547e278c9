/** The persons of commits, as `git log` reads them. */
import { trimEndSpaces } from '../../../base/spaces.js'
import { readStamp, type Stamp } from '../dates/dates.js'

/** A person and a date, one character per byte. */
export interface Ident {
  readonly name: string
  readonly email: string
  /** The date; `null` if the line has none. */
  readonly date: { readonly seconds: string; readonly stamp: Stamp } | null
}

const EPOCH: Stamp = { seconds: 0n, zone: 0 }
/** The last time that the C library's signed seconds can hold. */
const MOST = 2n ** 63n - 1n

/** Parses the value of the header `author` or `committer`; `null` without an address. */
export function parseIdent(line: string): Ident | null {
  const [, before, email] = /^([^<]*)<([^>]*)>/.exec(line) ?? []
  if (before === undefined || email === undefined) return null
  const name = trimEndSpaces(before)
  const [, seconds, zone] =
    /^[ \t\r]*(\d+)[ \t\r]*([+-]\d+)/.exec(line.slice(line.lastIndexOf('>') + 1)) ?? []
  if (seconds === undefined) return { name, email, date: null }
  const stamp = readStamp(`${seconds} ${zone}`)
  return { name, email, date: { seconds, stamp: fitting(stamp) } }
}

/** Returns the date of a person; the epoch without one. */
export function stampOf({ date }: Ident): Stamp {
  return date?.stamp ?? EPOCH
}

function fitting(stamp: Stamp | null): Stamp {
  return stamp === null || stamp.seconds > MOST ? EPOCH : stamp
}
