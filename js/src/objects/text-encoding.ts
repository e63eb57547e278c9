/** The text of commits and tags, in the encoding that their header names. */
import { text } from '../base/utf8.js'

type Decode = (bytes: Uint8Array) => string

/** Names of ISO 8859-1, which `TextDecoder` would decode as windows-1252. */
const LATIN1 = /^(iso[-_]?8859[-_]1(:1987)?|iso-ir-100|latin-?1|l1|(cp|ibm)819|csisolatin1)$/i
const WINDOWS_1252 = /^((x-)?cp-?1252|windows-?1252)$/i

/** The characters 0x80 to 0x9f of windows-1252; Node 20's `TextDecoder` lacks them. */
const CHARACTERS = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ'

/** The bytes passed as arguments of one call; platforms allow some 100,000. */
const AT_ONCE = 1 << 13

const latin1: Decode = (bytes) => {
  let characters = ''
  for (let at = 0; at < bytes.length; at += AT_ONCE) {
    characters += String.fromCharCode(...bytes.subarray(at, at + AT_ONCE))
  }
  return characters
}
const windows1252: Decode = (bytes) =>
  latin1(bytes).replace(/[\x80-\x9f]/g, (one) => CHARACTERS.charAt(one.charCodeAt(0) - 0x80))

/** Returns the decoder of an encoding; UTF-8 if the platform does not support it. */
export function decoderOf(encoding: Uint8Array | undefined): Decode {
  if (!encoding) return text
  const label = text(encoding).trim()
  if (LATIN1.test(label)) return latin1
  if (WINDOWS_1252.test(label)) return windows1252
  try {
    const decoder = new TextDecoder(label, { ignoreBOM: true })
    // Headers are ASCII, so the message after them cannot be UTF-16.
    if (decoder.encoding.startsWith('utf-16')) return text
    return (bytes) => decoder.decode(bytes)
  } catch {
    // Callers can still decode the bytes themselves.
    return text
  }
}
