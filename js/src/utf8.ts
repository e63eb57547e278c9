/** Text of bytes that are kept elsewhere. */

const keepingMark = new TextDecoder('utf-8', { ignoreBOM: true })
const withoutMark = new TextDecoder()

/** Decodes names and messages: every character, also a byte order mark. */
export function text(bytes: Uint8Array): string {
  return keepingMark.decode(bytes)
}

/** Decodes the content of a file: without the byte order mark that it may begin with. */
export function fileText(bytes: Uint8Array): string {
  return withoutMark.decode(bytes)
}
