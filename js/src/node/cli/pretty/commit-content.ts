/** Parses commits for commands that show them. */
import { findHeader } from '../../../objects/headers.js'
import { fatal } from '../base/exit.js'
import type { Settings } from '../config/settings.js'
import type { Reader } from '../repository/reader.js'
import { fromBytes, textOfBytes } from '../text/bytes.js'
import { decodedCommit } from '../text/re-encoding.js'
import { type KnownEncoding, knownEncoding } from '../text/text-encoder.js'

/** A commit, one character per byte, in the encoding of the output. */
export interface CommitContent {
  readonly oid: string
  /** The header with its line feeds, up to the empty line. */
  readonly header: string
  /** The message, after the empty line. */
  readonly message: string
  /** The encoding that the header names; empty if none. */
  readonly encoding: string
  /** The last values of these headers. */
  readonly tree: string
  readonly author: string
  readonly committer: string
  readonly parents: readonly string[]
}

/** Into what encoding commits are written: none, or one of these. */
export type OutputEncoding = 'own' | 'utf-8' | 'latin1' | KnownEncoding

/** Parses the value of `--encoding`. As in git, an unknown encoding leaves commits unchanged. */
export function parseEncoding(name: string): OutputEncoding {
  if (name === '' || name === 'none') return 'own'
  const known = name.toLowerCase().replace(/[-_]/g, '')
  if (known === 'utf8') return 'utf-8'
  if (known === 'iso88591' || known === 'latin1') return 'latin1'
  if (/^(utf|ucs)\d/.test(known)) throw fatal(`the encoding ${name} is not supported`)
  return knownEncoding(name) ?? 'own'
}

/** Returns the encoding that the configuration names: `i18n.logOutputEncoding` and its default. */
export function configuredEncoding(settings: Settings): OutputEncoding {
  const names = ['i18n.logoutputencoding', 'i18n.commitencoding']
  const [name = 'utf-8'] = names.flatMap((name) => settings.text(name) ?? [])
  return parseEncoding(name)
}

/** Writes UTF-8 in an encoding; unchanged unless that has all characters. */
export function fromUtf8(bytes: string, output: OutputEncoding): string {
  if (typeof output === 'string' && output !== 'latin1') return bytes
  return written(textOfBytes(bytes), output) ?? bytes
}

function written(text: string, output: 'latin1' | KnownEncoding): string | null {
  if (output !== 'latin1') return output.encode(text)
  return /[^\0-\xff]/.test(text) ? null : text
}

/** Reads a commit. @throws Exit if it is missing or no commit */
export function readCommit(reader: Reader, oid: string, encoding: OutputEncoding): CommitContent {
  const commit = reader.read(oid, ({ type, data }) => {
    return type === 'commit' ? parseCommit(oid, data, encoding) : null
  })
  if (commit === null) throw fatal(`bad object ${oid}`)
  return commit
}

/** Parses a commit up to its first NUL, where git's C strings end. */
export function parseCommit(oid: string, data: Uint8Array, output: OutputEncoding): CommitContent {
  const end = data.indexOf(0)
  const content = end < 0 ? data : data.subarray(0, end)
  const named = findHeader(content, 'encoding')
  const encoding = named ? fromBytes(named) : ''
  const text = inEncoding(content, encoding, output)
  const blank = text.startsWith('\n') ? 0 : text.indexOf('\n\n') + 1
  const hasMessage = blank > 0 || text.startsWith('\n')
  const header = hasMessage ? text.slice(0, blank) : text
  const message = hasMessage ? text.slice(blank + 1) : ''
  const last = (key: string) => {
    const lines = header.split('\n').filter((line) => line.startsWith(`${key} `))
    return lines[lines.length - 1]?.slice(key.length + 1) ?? ''
  }
  const parents = [...header.matchAll(/^parent (.*)$/gm)].map(([, parent = '']) => parent)
  const [tree, author, committer] = [last('tree'), last('author'), last('committer')]
  return { oid, header, message, encoding, tree, author, committer, parents }
}

/** Returns a commit in an encoding; its own bytes if it is not in the encoding that it names. */
export function inEncoding(content: Uint8Array, encoding: string, output: OutputEncoding): string {
  const own = fromBytes(content)
  if (output === 'own') return own
  const isLatin = /^(iso[-_]?8859-1|latin1)$/i.test(encoding)
  const isUtf8 = encoding === '' || /^utf-?8$/i.test(encoding)
  if (output === 'utf-8' ? isUtf8 : output === 'latin1' && isLatin) return withEncoding(own, output)
  const text = isUtf8 ? Buffer.from(content).toString() : decodedCommit(content, encoding)
  if (text === null || text.includes('\ufffd')) return own
  if (output === 'utf-8') return withEncoding(Buffer.from(text).toString('latin1'), output)
  const bytes = written(text, output)
  return bytes === null ? own : withEncoding(bytes, output)
}

/** Names the encoding of the output in the header, where UTF-8 is not named. */
function withEncoding(text: string, output: Exclude<OutputEncoding, 'own'>): string {
  const end = text.indexOf('\n\n')
  const header = end < 0 ? text : text.slice(0, end + 1)
  const name = output === 'latin1' ? 'ISO-8859-1' : typeof output === 'string' ? '' : output.label
  const line = name === '' ? '' : `encoding ${name}\n`
  return header.replace(/^encoding .*\n/m, line) + text.slice(header.length)
}
