/** Headers of mails, in which pretty formats show commits: `--pretty=email`. */
import { wrapText } from './pretty-wrap.js'

/** The most characters of a line with encoded words, and of others. */
const ENCODED_LINE = 76
const LINE = 78

// biome-ignore lint/suspicious/noControlCharactersInRegex: mails do not have these plain
const isNonAscii = (text: string) => /[\x80-\xff\x1b]/.test(text)
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are encoded
const needsEncoding = (text: string) => /[\x80-\xff\x1b\n]|=\?/.test(text)

/** How mails are shown. */
export interface Mails {
  /** What is before the subject. */
  readonly prefix: string
  /** Whether text that is not ASCII is encoded in headers. */
  readonly encodes: boolean
}

/** Returns the lines about the author. */
export function fromLine(name: string, email: string, encodes: boolean): string {
  const begin = 'From: '
  const isEncoded = encodes && needsEncoding(name)
  const most = isEncoded ? ENCODED_LINE : LINE
  let text: string
  if (isEncoded) {
    text = encoded(begin, name, /[^A-Za-z0-9!*+\-/]/)
  } else {
    const quoted = /[()<>@,;:\\".[\]]/.test(name) ? `"${name.replace(/["\\]/g, '\\$&')}"` : name
    text = begin + wrapText(quoted, { width: LINE, first: -begin.length, next: 1 })
  }
  const last = text.length - text.lastIndexOf('\n') - 1
  const isLong = last + ' <'.length + email.length + '>'.length > most
  return `${text}${isLong ? '\n' : ''} <${email}>\n`
}

/** Returns the line of the subject, and the empty line after the headers. */
export function subjectLines(
  subject: string,
  { prefix, encodes }: Mails,
  hasTypes: boolean,
): string {
  const begin = `Subject: ${prefix}`
  const text =
    encodes && needsEncoding(subject)
      ? encoded(begin, subject, /[^\x21-\x7e]|[=?_]/)
      : begin + wrapText(subject, { width: LINE, first: -begin.length, next: 1 })
  const types = `MIME-Version: 1.0
Content-Type: text/plain; charset=UTF-8
Content-Transfer-Encoding: 8bit
`
  return `${text}\n${hasTypes ? types : ''}\n`
}

/** Returns whether a message needs a header about its bytes. */
export function needsTypes(message: string): boolean {
  return isNonAscii(message)
}

/** Encodes a text as RFC 2047 wants it. Characters are not divided. */
function encoded(begin: string, text: string, special: RegExp): string {
  const open = '=?UTF-8?q?'
  let line = begin + open
  let done = ''
  const characters = text.match(/[\x80-\xff][\x80-\xbf]*|[\s\S]/g) ?? []
  for (const character of characters) {
    const shown = [...character]
      .map((byte) =>
        special.test(byte)
          ? `=${byte.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`
          : byte,
      )
      .join('')
    if (line.length + shown.length + '?='.length > ENCODED_LINE) {
      done += `${line}?=\n`
      line = ` ${open}`
    }
    line += shown
  }
  return `${done}${line}?=`
}
