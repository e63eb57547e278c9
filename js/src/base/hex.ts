const DIGITS = '0123456789abcdef'

/** The buffer for the character codes of 20 bytes, the length of most ids. */
const codesOf20 = new Array<number>(40).fill(0)

/**
 * Returns the bytes from `start` to `end` as lower-case hex digits.
 *
 * One call makes the text: concatenating pieces takes six times as long, and as long again
 * when the concatenated text is first used as a whole.
 */
export function hex(bytes: Uint8Array, start = 0, end = bytes.byteLength): string {
  const length = 2 * (end - start)
  const codes = length === codesOf20.length ? codesOf20 : new Array<number>(length)
  for (let at = start, to = 0; at < end; at++) {
    const byte = bytes[at] as number
    codes[to++] = DIGITS.charCodeAt(byte >> 4)
    codes[to++] = DIGITS.charCodeAt(byte & 15)
  }
  return String.fromCharCode.apply(null, codes)
}
