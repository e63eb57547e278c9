/**
 * Converts names, which are bytes in git. Commands hold them as strings with one character
 * per byte, so that they can be compared, cut and joined as text.
 */

/** Returns the UTF-8 bytes of an argument, one character per byte. */
export function bytesOfArgument(text: string): string {
  return Buffer.from(text).toString('latin1')
}

/** Decodes a name of one character per byte as UTF-8, for messages. */
export function textOfBytes(bytes: string): string {
  return Buffer.from(bytes, 'latin1').toString()
}

export function toBytes(bytes: string): Uint8Array {
  return Buffer.from(bytes, 'latin1')
}

export function fromBytes(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
}

const ESCAPES: Readonly<Record<string, string>> = {
  '\x07': '\\a',
  '\b': '\\b',
  '\t': '\\t',
  '\n': '\\n',
  '\v': '\\v',
  '\f': '\\f',
  '\r': '\\r',
  '"': '\\"',
  '\\': '\\\\',
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is quoted
const QUOTED = /[\x00-\x1f"\\\x7f-\xff]/g

// biome-ignore lint/suspicious/noControlCharactersInRegex: as above
const QUOTED_ASCII = /[\x00-\x1f"\\\x7f]/g

/**
 * Quotes a path by C's escapes, where needed. Without `quotesBytes`, as with `core.quotePath=false`,
 * bytes above 0x7f are kept.
 */
export function quotePath(path: string, quotesBytes = true): string {
  const quoted = quotesBytes ? QUOTED : QUOTED_ASCII
  if (path.search(quoted) < 0) return path
  const octal = (byte: string) => `\\${byte.charCodeAt(0).toString(8).padStart(3, '0')}`
  return `"${path.replace(quoted, (byte) => ESCAPES[byte] ?? octal(byte))}"`
}
