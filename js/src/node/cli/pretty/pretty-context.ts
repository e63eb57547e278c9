/** What pretty formats show of a commit beside its content, and how. */
import type { Contact, Mailmap } from '../../../base/types.js'
import type { Palette } from '../color/palette.js'
import type { Stamp } from '../dates/dates.js'
import type { CommitContent } from './commit-content.js'
import type { Decorations } from './decorations.js'
import type { Highlights } from './highlights.js'
import type { Mails } from './pretty-mail.js'

/** How commits are shown: the same for all of them. */
export interface PrettyOptions {
  /** The colors of output; `null` for none. */
  readonly palette: Palette | null
  /** Colors what patterns match. */
  readonly highlights: Highlights | null
  /** Shortens ids to the digits that `--abbrev` sets. */
  readonly shorten: (oid: string) => string
  readonly date: (stamp: Stamp) => string
  /** Shows a date in a style, for the placeholders of one style. */
  readonly dateAs: (style: string, stamp: Stamp) => string
  /** Replaces persons in the formats with a name; formats of placeholders choose themselves. */
  readonly mailmap: Mailmap | null
  /** The same for placeholders. */
  readonly placeholderMailmap: () => Mailmap
  readonly mails: Mails
  /** The columns of a tab; 0 to keep tabs. */
  readonly tab: number
  readonly decorations: () => Decorations
  readonly describe: (oid: string, options: readonly string[]) => string
  readonly notes: (oid: string) => string
}

/** A change of a ref that led to a commit. */
export interface LoggedChange {
  /** The change as the user named the ref, such as `HEAD@{0}`, and with a short name. */
  readonly selector: string
  readonly short: string
  readonly message: string
  /** Who made the change: name and address, and with a date. */
  readonly who: string
  readonly ident: string
}

/** A commit to show. */
export interface ShownCommit {
  readonly content: CommitContent
  /** The parents as the walk knows them. */
  readonly parents: readonly string[]
  /** The sign of `%m`. */
  readonly mark: string
  /** The columns of a graph beside the text. */
  readonly graph: number
  /** The text of `%S`; empty if it is not known. */
  readonly source: string
  /** The change that led to it, in a walk over reflogs. */
  readonly reflog?: LoggedChange | undefined
}

/** Returns a person's contact with the names of a mailmap. */
export function mapped(contact: Contact, mailmap: Mailmap | null): Contact {
  return mailmap ? mailmap({ name: contact.name, email: contact.email }) : contact
}
