const DIGITS = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))

/** Returns two lower-case hex digits a byte. */
export function hex(bytes: Uint8Array): string {
  let out = ''
  for (const byte of bytes) out += DIGITS[byte]
  return out
}
