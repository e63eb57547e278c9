/** Writes commits in UTF-8, as `git log` shows them. */
import { findHeader } from '../../../objects/headers.js'
import { decoderOf } from '../../../objects/text-encoding.js'
import { fromBytes } from './bytes.js'
import { labelOf } from './text-encoder.js'

/**
 * Returns a commit of one character per byte in UTF-8: its own bytes if its header names no
 * other encoding, or one that is unknown or that it is not in.
 */
export function inUtf8(content: Uint8Array): string {
  const own = fromBytes(content)
  const encoding = findHeader(content, 'encoding')
  if (!encoding) return own
  const text = decodedCommit(content, fromBytes(encoding))
  return text === null ? own : Buffer.from(text).toString('latin1')
}

/** Decodes a commit; `null` if the encoding is unknown, or if the commit is not in it. */
export function decodedCommit(content: Uint8Array, name: string): string | null {
  const encoding = Buffer.from(name, 'latin1')
  try {
    const decoder = new TextDecoder(labelOf(name), { fatal: true, ignoreBOM: true })
    // Headers are ASCII, so that the message after them cannot be UTF-16.
    if (/^utf-(8|16)/.test(decoder.encoding)) return null
    if (decoder.encoding !== 'windows-1252') return decoder.decode(content)
  } catch (error) {
    // Unknown names are a `RangeError`; some of them are names of ISO 8859-1.
    if (error instanceof TypeError) return null
  }
  // `TextDecoder` takes ISO 8859-1 for windows-1252, and reads bytes without a character.
  const decode = decoderOf(encoding)
  const euro = decode(EURO)
  if (euro === '\x80') return decode(content)
  const text = euro === '€' ? decode(content) : null
  return text === null || /[\x81\x8d\x8f\x90\x9d]/.test(text) ? null : text
}

/** The euro sign in windows-1252, which ISO 8859-1 lacks. */
const EURO = new Uint8Array([0x80])
