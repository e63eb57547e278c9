/** The names and addresses that people want to be known by: gitmailmap(5). */
import { trimSpaces } from '../base/spaces.js'
import type { Contact, Mailmap } from '../base/types.js'

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

/** Parses a mailmap; a character may stand for a byte, as then do those of contacts. */
export function parseMailmap(text: string): Mailmap {
  const entries = parseEntries(text)
  return (contact) => replaced(entries, contact)
}

/**
 * Returns what a mailmap replaces, for the patterns of the core: an address, a name or nothing for
 * any name, the new name and the new address or nothing to keep them, separated by line feeds.
 */
export function mailmapRows(text: string): string[] {
  const row = (email: string, name: string, made: Replacement) =>
    [email, name, made.name ?? '', made.email ?? ''].join('\n')
  return [...parseEntries(text)].flatMap(([email, { any, byName }]) => [
    ...(any.name || any.email ? [row(email, '', any)] : []),
    ...Array.from(byName, ([name, made]) => row(email, name, made)),
  ])
}

function parseEntries(text: string): Map<string, Entry> {
  const entries = new Map<string, Entry>()
  for (const line of text.split('\n')) add(entries, line)
  return entries
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
  const { name, email } = contact
  const entry = entries.get(folded(email))
  return { name, email, ...(entry?.byName.get(folded(name)) ?? entry?.any) }
}

/** Names and addresses are the same if they only differ in the case of ASCII letters. */
function folded(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase())
}
