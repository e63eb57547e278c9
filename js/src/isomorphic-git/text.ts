/** Text as isomorphic-git has it: decoded as UTF-8, ordered by code points. */

const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

export function textOf(bytes: Uint8Array): string {
  return decoder.decode(bytes)
}

/** Replaces CRLF by line feeds, if the content is UTF-8. */
export function withLineFeeds(content: Uint8Array): Uint8Array {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(content)
    return new TextEncoder().encode(text.replaceAll('\r\n', '\n'))
  } catch {
    return content
  }
}

/** Decodes text in the encoding that a commit names; as UTF-8 if it is unknown. */
export function decoded(bytes: Uint8Array, encoding: string | null): string {
  if (encoding === null) return textOf(bytes)
  try {
    return new TextDecoder(encoding, { ignoreBOM: true }).decode(bytes)
  } catch {
    return textOf(bytes)
  }
}

/** Removes carriage returns and outer line feeds, and ends the text with one line feed. */
export function withOneNewline(text: string): string {
  return `${text.replace(/\r/g, '').replace(/^\n+/, '').replace(/\n+$/, '')}\n`
}

/** Compares by code points, which is the order of UTF-8 bytes. */
export function compareText(a: string, b: string): number {
  return compare(a, b, rank)
}

/** Compares paths name by name: what is in a directory directly follows it. */
export function comparePaths(a: string, b: string): number {
  return compare(a, b, (unit) => (unit === SLASH ? 0 : rank(unit)))
}

const SLASH = 0x2f

function compare(a: string, b: string, rankOf: (unit: number) => number): number {
  const length = Math.min(a.length, b.length)
  for (let at = 0; at < length; at++) {
    const one = a.charCodeAt(at)
    const other = b.charCodeAt(at)
    if (one !== other) return rankOf(one) - rankOf(other)
  }
  return a.length - b.length
}

/** Surrogates stand for code points beyond all others. */
function rank(unit: number): number {
  return unit >= 0xd800 && unit < 0xe000 ? unit + 0x10000 : unit
}
