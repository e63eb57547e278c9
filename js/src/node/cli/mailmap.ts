/** The names and addresses that people want to be known by: gitmailmap(5). */
import * as fs from 'node:fs'
import * as path from 'node:path'
import { fromBytes, trimSpaces } from './bytes.js'
import type { Opened } from './command.js'

/** A name and an address, one character per byte. */
export interface Contact {
  readonly name: string
  readonly email: string
}

/** Replaces the name and the address of a person. */
export type Mailmap = (contact: Contact) => Contact

/** What replaces a contact; what is not given stays. */
interface Replacement {
  name?: string
  email?: string
}

/** The replacements of an address: for any name, and for certain names. */
interface Entry {
  readonly any: Replacement
  readonly byName: Map<string, Replacement>
}

/** Reads the mailmap: the file of the work tree, without one that of `HEAD`. */
export function readMailmap({ place, reader }: Opened): Mailmap {
  if (place.top !== null && !place.isBare) return parseMailmap(fileWithoutLinks(place.top))
  const oid = reader.find('HEAD:.mailmap')
  const text = oid && reader.read(oid, ({ type, data }) => (type === 'blob' ? fromBytes(data) : ''))
  return parseMailmap(text ?? '')
}

/** Parses a mailmap of one character per byte. */
export function parseMailmap(text: string): Mailmap {
  const entries = new Map<string, Entry>()
  for (const line of text.split('\n')) add(entries, line)
  return (contact) => replaced(entries, contact)
}

function add(entries: Map<string, Entry>, line: string): void {
  if (line.startsWith('#')) return
  const first = contactIn(line)
  if (!first?.email) return
  const second = contactIn(first.rest)
  const old = second?.email ?? first.email
  const made: Replacement = {
    ...(first.name === '' ? {} : { name: first.name }),
    ...(second ? { email: first.email } : {}),
  }
  const key = folded(old)
  const entry = entries.get(key) ?? { any: {}, byName: new Map() }
  entries.set(key, entry)
  if (second?.name) entry.byName.set(folded(second.name), made)
  else Object.assign(entry.any, made)
}

/** Finds `Name <address>`, in which the name may be missing; what follows is `rest`. */
function contactIn(text: string): (Contact & { rest: string }) | null {
  const [whole, before = '', email = ''] = /^([^<]*)<([^>]*)>/.exec(text) ?? []
  if (whole === undefined) return null
  return { name: trimSpaces(before), email, rest: text.slice(whole.length) }
}

function replaced(entries: Map<string, Entry>, contact: Contact): Contact {
  const entry = entries.get(folded(contact.email))
  if (!entry) return contact
  return { ...contact, ...(entry.byName.get(folded(contact.name)) ?? entry.any) }
}

/** Names and addresses are the same if they only differ in the case of ASCII letters. */
function folded(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase())
}

/** Reads `.mailmap`, which must not be a link: whoever made the repository could name any file. */
function fileWithoutLinks(folder: string): string {
  const file = path.join(folder, '.mailmap')
  try {
    const isFile = fs.lstatSync(file).isFile()
    return isFile ? fs.readFileSync(file, 'latin1') : ''
  } catch {
    return ''
  }
}
