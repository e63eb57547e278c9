/** Answers that are something else than the file: web pages, and what logins and apps send. */
import type { ErrorDetails } from '../../errors.js'
import { PacklensError } from '../../errors.js'
import { plain } from './client.js'

/** The server answered, but not with the file. It may mean that there is none. */
export class Instead {
  readonly kind = 'instead'
  /** What to fail with if there must be one. */
  readonly error: PacklensError

  constructor(error: PacklensError) {
    this.error = error
  }
}

/**
 * Tells a web page by its first byte. Servers that have one for every address
 * send it in place of files that are not there; no file of a repository that is
 * read begins so.
 */
export function isPage(bytes: Uint8Array): boolean {
  const first = bytes.find((byte) => byte > 0x20 && !BYTE_ORDER_MARK.includes(byte))
  return first === 0x3c
}

const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf]

/** As much of an answer as shows what it is. */
const SHOWN = 60

/** Tells text from packs and their indexes, which have zeros among their first bytes. */
export function isText(bytes: Uint8Array): boolean {
  const isBlank = (byte: number) => byte === 0x20 || (byte >= 0x09 && byte <= 0x0d)
  if (bytes.byteLength === 0) return false
  return bytes.subarray(0, SHOWN).every((byte) => isBlank(byte) || (byte > 0x20 && byte !== 0x7f))
}

/** Says what came in place of a file, by what an answer begins with. */
export function instead(url: URL, response: Response, bytes: Uint8Array): Instead {
  const type = printable(response.headers.get('Content-Type') ?? 'no type')
  const from = response.redirected ? `, from ${plain(new URL(response.url))}` : ''
  const begin = printable(new TextDecoder().decode(bytes.subarray(0, SHOWN)))
  const came = `status ${response.status}, ${type}, "${begin}"${from}`
  const what =
    `the server sends something else in place of the file (${came}): is the address right, ` +
    'or does an app or a login answer for all addresses?'
  const details: ErrorDetails = { status: response.status, subject: plain(url) }
  return new Instead(new PacklensError('NETWORK', what, details))
}

/** What a message may have of an answer: no control characters, and not much. */
function printable(text: string): string {
  const oneLine = text.replaceAll(/[^\x20-\x7e]+/g, ' ').trim()
  return oneLine.length > SHOWN ? `${oneLine.slice(0, SHOWN)}…` : oneLine
}
