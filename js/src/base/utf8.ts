/** Decodes UTF-8. Invalid bytes are replaced, because callers return the bytes too. */

const keepingMark = new TextDecoder('utf-8', { ignoreBOM: true })
const withoutMark = new TextDecoder()

/** Decodes a name or a message, with a byte order mark if there is one. */
export function text(bytes: Uint8Array): string {
  return keepingMark.decode(bytes)
}

/** Decodes the content of a file, without a leading byte order mark. */
export function fileText(bytes: Uint8Array): string {
  return withoutMark.decode(bytes)
}
