/** Recognises answers that are not the file: web pages, and those of logins and apps. */
import type { ErrorDetails } from '../../base/errors.js'
import { PacklensError } from '../../base/errors.js'
import { plain } from './client.js'

/** An answer that is not the file. It may mean that the file does not exist. */
export class WrongContent {
  readonly kind = 'wrong-content'
  /** The error, if the file must exist. */
  readonly error: PacklensError

  constructor(error: PacklensError) {
    this.error = error
  }
}

/**
 * Returns whether bytes are a web page, by the first one: `<`. Servers that have a page for
 * every URL send it in place of missing files; no file that is read of a repository begins so.
 */
export function isPage(bytes: Uint8Array): boolean {
  const first = bytes.find((byte) => byte > 0x20 && !BYTE_ORDER_MARK.includes(byte))
  return first === 0x3c
}

const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf]

/** The bytes of an answer that are tested, and the characters that a message shows of it. */
const SHOWN = 60

/** Returns whether bytes are text; packs and indexes have zeros among their first bytes. */
export function isText(bytes: Uint8Array): boolean {
  const isBlank = (byte: number) => byte === 0x20 || (byte >= 0x09 && byte <= 0x0d)
  if (bytes.byteLength === 0) return false
  return bytes.subarray(0, SHOWN).every((byte) => isBlank(byte) || (byte > 0x20 && byte !== 0x7f))
}

/** Returns a {@link WrongContent} whose error shows the beginning of an answer. */
export function wrongContent(url: URL, response: Response, bytes: Uint8Array): WrongContent {
  const type = printable(response.headers.get('Content-Type') ?? 'no type')
  const from = response.redirected ? `, from ${plain(new URL(response.url))}` : ''
  const begin = printable(new TextDecoder().decode(bytes.subarray(0, SHOWN)))
  const came = `status ${response.status}, ${type}, "${begin}"${from}`
  const what =
    `the server sent something other than the file (${came}): check the address, ` +
    'and whether an app or a login answers for every address'
  const details: ErrorDetails = { status: response.status, subject: plain(url) }
  return new WrongContent(new PacklensError('NETWORK', what, details))
}

/** Returns text of an answer for a message: short, and without control characters. */
function printable(text: string): string {
  const oneLine = text.replaceAll(/[^\x20-\x7e]+/g, ' ').trim()
  return oneLine.length > SHOWN ? `${oneLine.slice(0, SHOWN)}…` : oneLine
}
