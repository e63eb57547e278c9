/** The groups in which `shortlog` lists commits. */
import type { Mailmap } from '../../../base/types.js'
import { Exit } from '../base/exit.js'
import { parseIdent } from '../pretty/ident-line.js'
import type { ShownCommit } from '../pretty/pretty-context.js'
import { trailerLines } from '../pretty/trailers-format.js'
import { bytesOfArgument } from '../text/bytes.js'

export type Group =
  | { readonly kind: 'author' | 'committer' }
  | { readonly kind: 'trailer'; readonly key: string }
  | { readonly kind: 'format'; readonly format: string }

/** Parses the value of `--group`. */
export function groupOf(value: string): Group {
  const [, key] = /^trailer:(.*)$/is.exec(value) ?? []
  if (key !== undefined) return { kind: 'trailer', key: bytesOfArgument(key).toLowerCase() }
  const [, format] = /^format:(.*)$/is.exec(value) ?? []
  if (format !== undefined) return { kind: 'format', format }
  const name = value.toLowerCase()
  if (name === 'author' || name === 'committer') return { kind: name }
  if (value.includes('%')) return { kind: 'format', format: value }
  throw new Exit(129, `error: unknown group type: ${value}\n`)
}

/** Returns the values of the trailers with a key; persons have the names of a mailmap. */
export function trailerValues(
  { content }: ShownCommit,
  key: string,
  { mailmap, email }: { mailmap: Mailmap; email: boolean },
): string[] {
  const values: string[] = []
  for (const line of trailerLines(content.message)) {
    if (typeof line === 'string' || line.key.toLowerCase() !== key) continue
    const value = line.value.replace(/\n[ \t]*/g, ' ')
    const ident = parseIdent(value)
    const person = ident && mailmap({ name: ident.name, email: ident.email })
    if (!person) values.push(value)
    else values.push(email ? `${person.name} <${person.email}>` : person.name)
  }
  return values
}
