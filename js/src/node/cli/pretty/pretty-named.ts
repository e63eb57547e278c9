/** The pretty formats with a name: `medium`, `fuller`, `raw`. See git-log(1), "Pretty formats". */
import { trimEndSpaces } from '../../../base/spaces.js'
import { fatal } from '../base/exit.js'
import { columnsOfPlain } from '../text/columns.js'
import { messageParts, skipBlankLines } from '../text/message-parts.js'
import { parseIdent, stampOf } from './ident-line.js'
import type { PrettyOptions, ShownCommit } from './pretty-context.js'
import { mapped } from './pretty-context.js'
import { fromLine, needsTypes, subjectLines } from './pretty-mail.js'

const NAMES = ['raw', 'medium', 'short', 'email', 'mboxrd', 'fuller', 'full', 'oneline'] as const

export type NamedFormat = (typeof NAMES)[number]

/** The formats in which tabs become spaces. */
export const EXPANDS_TABS: ReadonlySet<string> = new Set(['medium', 'full', 'fuller'])

/** Returns the format that a name begins, without regard to case; the shortest of several. */
export function formatNamed(sought: string): NamedFormat | 'reference' | null {
  const all = [...NAMES, 'reference' as const]
  const fitting = all.filter((name) => name.startsWith(sought.toLowerCase()))
  fitting.sort((one, other) => one.length - other.length)
  return fitting[0] ?? null
}

export const isMail = (format: string) => format === 'email' || format === 'mboxrd'

/** Returns a commit in a format; `oneline` ends without a line feed. */
export function showNamed(
  format: NamedFormat,
  commit: ShownCommit,
  options: PrettyOptions,
): string {
  const { message } = commit.content
  if (format === 'oneline') return messageParts(message).subject.join(' ')
  if (isMail(format)) return mailOf(format, commit, options)
  const header = format === 'raw' ? commit.content.header : headerOf(format, commit, options)
  const text = `${header}\n${bodyOf(format, skipBlankLines(message), options)}`
  return `${trimEndSpaces(text)}\n`
}

function headerOf(format: NamedFormat, commit: ShownCommit, options: PrettyOptions): string {
  const { content, parents } = commit
  let text = ''
  if (parents.length > 1) text += `Merge: ${parents.map(options.shorten).join(' ')}\n`
  for (const line of content.header.split('\n')) {
    if (line.startsWith('parent ') && line.length !== 'parent '.length + content.oid.length) {
      throw fatal('bad parent line in commit')
    }
    const [, role, value = ''] = /^(author|committer) (.*)$/s.exec(line) ?? []
    if (role === 'author') text += personOf('Author', value, format, options)
    if (role === 'committer' && (format === 'full' || format === 'fuller')) {
      text += personOf('Commit', value, format, options)
    }
  }
  return text
}

/** Returns the lines about a person: none in one line. */
export function personOf(
  role: string,
  line: string,
  format: NamedFormat | 'user',
  { mailmap, mails, date, dateAs, highlights }: PrettyOptions,
): string {
  const ident = parseIdent(line)
  if (!ident || format === 'oneline') return ''
  const { name, email } = mapped(ident, mailmap)
  if (isMail(format))
    return `${fromLine(name, email, mails.encodes)}Date: ${dateAs('rfc', stampOf(ident))}\n`
  const gap = format === 'fuller' ? '    ' : ''
  const person = [`${name} <${email}>`]
  const painter = highlights?.[role === 'Author' ? 'author' : 'committer']
  const text = `${role}: ${gap}${painter?.(person) ?? person}\n`
  if (format === 'fuller') return `${text}${role}Date: ${date(stampOf(ident))}\n`
  return format === 'medium' ? `${text}Date:   ${date(stampOf(ident))}\n` : text
}

function mailOf(format: NamedFormat, { content }: ShownCommit, options: PrettyOptions): string {
  let text = personOf('Author', content.author, format, options)
  const { subject, body } = messageParts(content.message)
  text += subjectLines(subject.join(' '), options.mails, needsTypes(content.message))
  const whole = trimEndSpaces(text + bodyOf(format, body, options))
  const isEmpty = whole.length < text.length
  return `${whole}\n${isEmpty ? '\n' : ''}`
}

/** Returns the lines of a message, of `short` only the first paragraph. */
function bodyOf(format: NamedFormat, message: string, { tab, highlights }: PrettyOptions): string {
  const indent = isMail(format) ? '' : '    '
  const text: Piece[] = []
  let isFirst = true
  const lines = message.endsWith('\n') ? message.slice(0, -1) : message
  if (message === '') return ''
  for (const line of lines.split('\n')) {
    const shown = trimEndSpaces(line)
    if (shown === '') {
      if (isFirst) continue
      if (format === 'short') break
    }
    const quote = format === 'mboxrd' && /^>*From /.test(shown) ? '>' : ''
    const before = `${isFirst ? '' : '\n'}${indent}${quote}`
    isFirst = false
    const pieces = tab > 0 ? expandTabs(shown, tab) : [{ before: '', text: shown }]
    for (const [at, piece] of pieces.entries()) {
      text.push(at === 0 ? { ...piece, before: before + piece.before } : piece)
    }
  }
  if (text.length === 0) return ''
  const texts = text.map((piece) => piece.text)
  const painted = highlights?.message(texts) ?? texts
  return `${text.map(({ before }, at) => before + painted[at]).join('')}\n`
}

/** A part of a line in which patterns are looked for, and what is before it. */
interface Piece {
  readonly before: string
  readonly text: string
}

/** Splits a line at its tabs, in whose places are spaces, up to a text whose width is not known. */
function expandTabs(line: string, size: number): Piece[] {
  const pieces: Piece[] = []
  let before = ''
  let rest = line
  for (let at = rest.indexOf('\t'); at >= 0; at = rest.indexOf('\t')) {
    const text = rest.slice(0, at)
    const width = columnsOfPlain(text)
    if (width === null) break
    pieces.push({ before, text })
    before = ' '.repeat(size - (width % size))
    rest = rest.slice(at + 1)
  }
  return [...pieces, { before, text: rest }]
}
