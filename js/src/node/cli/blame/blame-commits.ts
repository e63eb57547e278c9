/** What `blame` prints of a commit: its persons and its subject. */

import { trimEndSpaces } from '../../../base/spaces.js'
import type { Mailmap } from '../../../base/types.js'
import { findHeader } from '../../../objects/headers.js'
import type { Opened } from '../opening/command.js'
import { inEncoding, type OutputEncoding } from '../pretty/commit-content.js'
import { readMailmap } from '../pretty/mailmap.js'
import { fromBytes } from '../text/bytes.js'
import { inUtf8 } from '../text/re-encoding.js'

/** Who wrote or committed something, and when; one character per byte. */
export interface Person {
  readonly name: string
  /** The address in angle brackets. */
  readonly mail: string
  /** Seconds since 1970, and the time zone, as the commit has it. */
  readonly seconds: bigint
  readonly zone: string
}

export interface BlamedCommit {
  readonly author: Person
  readonly committer: Person
  readonly summary: string
}

/** Returns the commit of an id. */
export type Commits = (oid: string) => BlamedCommit

/** The largest time; git takes larger ones for it. */
const MOST = 2n ** 64n - 1n

/** A contact, and the date after the last `>` of the line. */
const CONTACT = /^([^<]*)<([^>]*)>/
const DATE = />[ \t\r]*([0-9]+)[ \t\r]*([+-][0-9]+)[^>]*$/

const UNKNOWN: Person = { name: '(unknown)', mail: '(unknown)', seconds: 0n, zone: '(unknown)' }

/** Reads commits; each is read once. */
export function commitReader(opened: Opened, encoding: OutputEncoding): Commits {
  const mailmap = readMailmap(opened)
  const known = new Map<string, BlamedCommit>()
  return (oid) => {
    const commit = known.get(oid) ?? parse(oid, contentOf(opened, oid, encoding), mailmap)
    known.set(oid, commit)
    return commit
  }
}

/** Returns the content up to the first NUL, where git's C strings end. */
function contentOf({ reader }: Opened, oid: string, encoding: OutputEncoding): string {
  const content = reader.read(oid, ({ data }) => {
    if (encoding === 'utf-8') return inUtf8(data)
    return inEncoding(data, fromBytes(findHeader(data, 'encoding') ?? NO_BYTES), encoding)
  })
  const end = content?.indexOf('\0') ?? -1
  return end < 0 ? (content ?? '') : (content?.slice(0, end) ?? '')
}

const NO_BYTES = new Uint8Array(0)

function parse(oid: string, content: string, mailmap: Mailmap): BlamedCommit {
  return {
    author: personOf(content, 'author', mailmap),
    committer: personOf(content, 'committer', mailmap),
    summary: summaryOf(content) || `(${oid})`,
  }
}

/** Returns the person of the first such line, which git also finds in the message. */
function personOf(content: string, role: string, mailmap: Mailmap): Person {
  const start = content.indexOf(`\n${role} `)
  if (start < 0) return UNKNOWN
  const from = start + role.length + 2
  const end = content.indexOf('\n', from)
  const line = content.slice(from, end < 0 ? undefined : end)
  const [, before, address] = CONTACT.exec(line) ?? []
  if (before === undefined || address === undefined) return UNKNOWN
  const contact = { name: trimEndSpaces(before), email: address }
  const { name, email } = mailmap(contact)
  const [, digits, zone] = DATE.exec(line) ?? []
  if (digits === undefined || zone === undefined) {
    return { name, mail: `<${email}>`, seconds: 0n, zone: UNKNOWN.zone }
  }
  const seconds = BigInt(digits)
  return { name, mail: `<${email}>`, seconds: seconds > MOST ? MOST : seconds, zone }
}

/** Returns the first line of the message that is not empty. */
function summaryOf(content: string): string {
  const start = content.indexOf('\n\n')
  if (start < 0) return ''
  const [line = ''] = content
    .slice(start)
    .replace(/^([ \t\r]*\n)+/, '')
    .split('\n', 1)
  return line
}
