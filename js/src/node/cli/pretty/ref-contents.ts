/** Parses what `for-each-ref` shows of an object: its headers and the parts of its message. */
import type { ObjectType } from '../../../base/types.js'

/** A parsed object, one character per byte. */
export interface Contents {
  readonly type: ObjectType
  readonly size: number
  /** Returns the value of the first header with this key; empty if there is none. */
  header(key: string): string
  headers(key: string): string[]
  /** As {@link Contents.header}, but with everything after it, to the end of the object. */
  headerOn(key: string): string
  /** The message, from its first line that is not empty. */
  readonly message: string
  /** The first paragraph of the message, on one line. */
  readonly subject: string
  /** Returns the message after the subject, with the signature if `signed`. */
  body(signed: boolean): string
  readonly signature: string
  /** The message without the signature. */
  readonly unsigned: string
}

const SIGNATURE = /^-----BEGIN (?:PGP SIGNATURE|PGP MESSAGE|SIGNED MESSAGE|SSH SIGNATURE)-----/

export function takeApart(type: ObjectType, size: number, data: string): Contents {
  const isTyped = type === 'commit' || type === 'tag'
  const end = isTyped ? endOfHeaders(data) : 0
  const head = data.slice(0, end)
  const message = isTyped ? data.slice(end).replace(/^\n+/, '') : ''
  const unsigned = message.slice(0, signatureIn(message))
  const headers = (key: string) => {
    const lines = head.split('\n').filter((line) => line.startsWith(`${key} `))
    return lines.map((line) => line.slice(key.length + 1))
  }
  const [, first = unsigned] = /^(.*?)(?:\n\n|\r\n\r\n)/s.exec(unsigned) ?? []
  const body = (text: string) => text.slice(first.length).replace(/^[\r\n]+/, '')
  return {
    type,
    size,
    header: (key) => headers(key)[0] ?? '',
    headers,
    headerOn: (key) => {
      const at = `\n${head}`.indexOf(`\n${key} `)
      return at < 0 ? '' : data.slice(at + key.length + 1)
    },
    message,
    subject: first.replace(/[\r\n]+$/, '').replace(/\r?\n/g, ' '),
    body: (signed) => body(signed ? message : unsigned),
    signature: message.slice(unsigned.length),
    unsigned,
  }
}

/** Returns the index of the empty line that ends the headers. */
function endOfHeaders(data: string): number {
  if (data.startsWith('\n')) return 0
  const at = data.indexOf('\n\n')
  return at < 0 ? data.length : at + 1
}

function signatureIn(message: string): number {
  let found = message.length
  for (let at = 0; at < message.length; ) {
    const end = message.indexOf('\n', at)
    if (SIGNATURE.test(message.slice(at, at + 40))) found = at
    at = end < 0 ? message.length : end + 1
  }
  return found
}

/** Returns the first lines of a message; indents all but the first. */
export function firstLines(text: string, count: number): string {
  return text.replace(/\n$/, '').split('\n').slice(0, count).join('\n    ')
}

/** Returns a subject as a file name, as `format-patch` makes it. */
export function sanitized(subject: string): string {
  const words = subject.replace(/[^A-Za-z0-9._]+/g, '-').replace(/\.{2,}/g, '.')
  return words.replace(/^-+/, '').replace(/[.-]+$/, '')
}
