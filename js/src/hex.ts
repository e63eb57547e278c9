const DIGITS = '0123456789abcdef'

/** The character codes of the digits of an id of 20 bytes, which most are. */
const codesOf20 = new Array<number>(40).fill(0)

/**
 * Returns two lower-case hex digits a byte of those from `start` to `end`.
 *
 * The text is made by one call: what is put together of pieces takes six times as
 * long to make, and as long again when it is looked at as a whole.
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
