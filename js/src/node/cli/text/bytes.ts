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

/** Whether a path has bytes that only `core.quotePath` quotes. */
export const hasHighBytes = (path: string): boolean => /[\x80-\xff]/.test(path)

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

const CHARACTERS: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(ESCAPES).map(([byte, text]) => [text, byte]),
)

/** A quoted path; git does not look at what follows. */
const QUOTED_PATH = /^"((?:[^"\\]|\\(?:["\\abfnrtv]|[0-3][0-7]{2}))*)"/

/** Returns what {@link quotePath} quoted; `null` for a text without quotes, or with bad escapes. */
export function unquotePath(text: string): string | null {
  const [, path] = QUOTED_PATH.exec(text) ?? []
  if (path === undefined) return null
  return path.replace(/\\(?:[0-7]{3}|.)/g, (escaped) => {
    return CHARACTERS[escaped] ?? String.fromCharCode(Number.parseInt(escaped.slice(1), 8))
  })
}
