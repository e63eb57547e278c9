/** Signatures of commits and tags: `Name <email> seconds zone`. */
import type { Signature, SignatureJson } from '../base/types.js'
import { text } from '../base/utf8.js'
import { INSPECT, shown } from './plain.js'

const LESS = 60
const GREATER = 62

/** Tab, line feed, carriage return and space: git counts no other white space. */
const SPACES: ReadonlySet<number | undefined> = new Set([9, 10, 13, 32])

const DATE = /^[ \t\n\r]*([0-9]+)[ \t\n\r]*([+-][0-9]+)/

/** The limits of a zone in written form; git reads a zone beyond them as 0. */
const MOST_EAST = 2147483646
const MOST_WEST = -2147483647

class Person implements Signature {
  declare readonly name: string
  declare readonly email: string
  declare readonly seconds: number | null
  declare readonly offset: number
  declare readonly raw: Uint8Array

  constructor(
    name: string,
    email: string,
    seconds: number | null,
    offset: number,
    raw: Uint8Array,
  ) {
    this.name = name
    this.email = email
    this.seconds = seconds
    this.offset = offset
    this.raw = raw
  }

  toJSON(): SignatureJson {
    const { name, email, seconds, offset } = this
    return { name, email, seconds, offset }
  }

  [INSPECT](): object {
    return shown(this)
  }
}

/**
 * Splits a signature as `git log` does. Without `<` and a later `>` name and address are
 * empty, and there is no date; without seconds and a zone there is no date.
 */
export function decodeSignature(
  raw: Uint8Array,
  decode: (bytes: Uint8Array) => string = text,
): Signature {
  const open = raw.indexOf(LESS)
  const close = open < 0 ? -1 : raw.indexOf(GREATER, open)
  if (close < 0) return new Person('', '', null, 0, raw)
  const name = decode(withoutEnd(raw.subarray(0, open)))
  const email = decode(raw.subarray(open + 1, close))
  const [, seconds, zone] = DATE.exec(text(raw.subarray(raw.lastIndexOf(GREATER) + 1))) ?? []
  if (seconds === undefined) return new Person(name, email, null, 0, raw)
  return new Person(name, email, Number(seconds), minutesOf(Number(zone)), raw)
}

function withoutEnd(bytes: Uint8Array): Uint8Array {
  let end = bytes.length
  while (SPACES.has(bytes[end - 1])) end--
  return bytes.subarray(0, end)
}

/** Returns a zone, written as hours and minutes, in minutes: 130 becomes 90. */
function minutesOf(zone: number): number {
  if (zone < MOST_WEST || zone > MOST_EAST) return 0
  // A zone of -0000 must not become the number -0.
  return Math.trunc(zone / 100) * 60 + (zone % 100) || 0
}
