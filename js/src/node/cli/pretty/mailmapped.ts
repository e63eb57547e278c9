/** Commits and tags with the names of the mailmap in their headers: `cat-file --use-mailmap`. */
import type { Mailmap } from '../../../base/types.js'
import type { Opened } from '../opening/command.js'
import { fromBytes, toBytes } from '../text/bytes.js'
import { readMailmap } from './mailmap.js'

const LINE = /^([^<\n]*?) ?<([^>\n]*)>/

const PERSON = /^((?:author|committer|tagger) )([^<\n]*?) ?<([^>\n]*)>/gm

/** Returns contents; `null` for an object that names nobody, or that is missing. */
export type Mailmapped = (oid: string) => Uint8Array | null

/** Reads the mailmap, and replaces persons by it. */
export function mailmapped(opened: Opened): Mailmapped {
  const mailmap = readMailmap(opened)
  return (oid) =>
    opened.reader.read(oid, ({ type, data }) => {
      return type === 'commit' || type === 'tag'
        ? toBytes(replaced(fromBytes(data), mailmap))
        : null
    })
}

/** Returns the line of a person, with the date after it, with the name and the address of a mailmap. */
export function mailmappedLine(line: string, mailmap: Mailmap): string {
  return line.replace(LINE, (_, name: string, email: string) => {
    const found = mailmap({ name, email })
    return `${found.name} <${found.email}>`
  })
}

function replaced(content: string, mailmap: Mailmap): string {
  const end = content.indexOf('\n\n')
  const header = end < 0 ? content : content.slice(0, end)
  const replacement = (whole: string, role: string, name: string, email: string) => {
    const found = mailmap({ name, email })
    const isSame = found.name === name && found.email === email
    return isSame ? whole : `${role}${found.name} <${found.email}>`
  }
  return header.replace(PERSON, replacement) + content.slice(header.length)
}
