/** The placeholders of pretty formats that show something of a commit: `%H`, `%an`, `%s`. */

import { fatal } from '../base/exit.js'
import { type Palette, painted } from '../color/palette.js'
import { messageParts } from '../text/message-parts.js'
import { decorateShower } from './decorations.js'
import { type Ident, parseIdent } from './ident-line.js'
import { linesOfNote } from './notes.js'
import type { PrettyOptions, ShownCommit } from './pretty-context.js'
import { mapped } from './pretty-context.js'
import { sanitized } from './ref-contents.js'
import { trailersShower } from './trailers-format.js'

/**
 * Returns what a placeholder stands for; `null` if the commit does not have it. The last argument
 * has the colors after `%C(auto)`.
 */
export type Show = (
  commit: ShownCommit,
  options: PrettyOptions,
  auto: Palette | null,
) => string | null

/** A placeholder, and how many characters of the format it takes, without the `%`. */
export interface Placeholder {
  readonly length: number
  readonly show: Show
}

const SIMPLE: Readonly<Record<string, Show>> = {
  H: ({ content }, _, auto) => shownId(content.oid, auto),
  h: ({ content }, { shorten }, auto) => shownId(shorten(content.oid), auto),
  T: ({ content }) => content.tree,
  t: ({ content }, { shorten }) => shorten(content.tree),
  P: ({ parents }) => parents.join(' '),
  p: ({ parents }, { shorten }) => parents.map(shorten).join(' '),
  e: ({ content }) => content.encoding,
  m: ({ mark }) => mark,
  n: () => '\n',
  s: ({ content }) => messageParts(content.message).subject.join(' '),
  f: ({ content }) => sanitized(messageParts(content.message).subject[0] ?? ''),
  b: ({ content }) => messageParts(content.message).body,
  B: ({ content }) => content.message,
  d: ({ content }, { decorations }, auto) => decorations().inParentheses(content.oid, auto),
  D: ({ content }, { decorations }, auto) => decorations().plain(content.oid, auto),
  N: ({ content }, { notes }) => linesOfNote(notes(content.oid)),
  S: ({ source }) => (source === '' ? null : source),
}

const shownId = (oid: string, auto: Palette | null) => (auto ? painted(auto.commit, oid) : oid)

const UNSUPPORTED = /^G[?GKFPTS]/

/** The styles of dates that have a placeholder. */
const STYLES: Readonly<Record<string, string>> = {
  D: 'rfc',
  r: 'relative',
  i: 'iso',
  I: 'iso-strict',
  h: 'human',
  s: 'short',
}

/** Finds the placeholder that a format begins with; `null` if it is none. */
export function findPlaceholder(format: string): Placeholder | null {
  const first = format.charAt(0)
  if (Object.hasOwn(SIMPLE, first)) return { length: 1, show: SIMPLE[first] as Show }
  const [hex] = /^x[0-9a-fA-F]{2}/.exec(format) ?? []
  if (hex) {
    const character = String.fromCharCode(Number.parseInt(hex.slice(1), 16))
    return { length: 3, show: () => character }
  }
  if (/^[ac][nNeElLdDrtiIhs]/.test(format)) {
    return { length: 2, show: personShower(first, format.charAt(1)) }
  }
  if (/^g[dDsnNeE]/.test(format)) return { length: 2, show: reflogShower(format.charAt(1)) }
  if (UNSUPPORTED.test(format))
    throw fatal(`packlens does not support the placeholder %${format.slice(0, 2)}`)
  return format.startsWith('(') ? findNamed(format) : null
}

/** Shows the change of a ref that led to a commit; nothing in other walks. */
function reflogShower(part: string): Show {
  return ({ reflog }, options) => {
    if (!reflog) return ''
    if (part === 'd') return reflog.short
    if (part === 'D') return reflog.selector
    if (part === 's') return reflog.message
    const ident = parseIdent(reflog.ident)
    return (ident && partOf(ident, part, options)) ?? ''
  }
}

function personShower(who: string, part: string): Show {
  const field = who === 'a' ? 'author' : 'committer'
  return ({ content }, options) => {
    const ident = parseIdent(content[field])
    const shown = ident && partOf(ident, part, options)
    // git prints a placeholder without a value, of which it does not know some.
    return shown ?? (/[netdDri]/.test(part) ? '' : null)
  }
}

function partOf(ident: Ident, part: string, options: PrettyOptions): string | null {
  if (/[nNeElL]/.test(part)) {
    const isMapped = part === part.toUpperCase()
    const { name, email } = mapped(ident, isMapped ? options.placeholderMailmap() : null)
    const kind = part.toLowerCase()
    return kind === 'n' ? name : kind === 'e' ? email : email.replace(/@.*$/s, '')
  }
  const { date } = ident
  if (!date) return null
  if (part === 't') return date.seconds
  return part === 'd' ? options.date(date.stamp) : options.dateAs(STYLES[part] ?? '', date.stamp)
}

/** Finds `%(name)` and `%(name:options)`. */
function findNamed(format: string): Placeholder | null {
  const [whole, name = '', argument = ''] =
    /^\((trailers|decorate|describe)(?::([^)]*))?\)/.exec(format) ?? []
  if (whole === undefined) return null
  const words = argument === '' ? [] : argument.split(',')
  const show = namedShower(name, words)
  return show && { length: whole.length, show }
}

function namedShower(name: string, words: readonly string[]): Show | null {
  if (name === 'trailers') {
    const show = trailersShower(words)
    return show && (({ content }) => show(content.message))
  }
  if (name === 'decorate') {
    const show = decorateShower(words)
    return show && (({ content }, { decorations }, auto) => show(decorations(), content.oid, auto))
  }
  const isKnown = (word: string) => /^(tags(=.*)?|abbrev=\d+|(match|exclude)=.*)$/.test(word)
  if (!words.every(isKnown)) return null
  return ({ content }, { describe }) => describe(content.oid, words)
}
