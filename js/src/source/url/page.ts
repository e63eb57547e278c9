/**
 * Tells a web page by its first byte. Servers that have one for every address
 * send it in place of files that are not there; no file of a repository that is
 * read begins so.
 */
export function isPage(bytes: Uint8Array): boolean {
  const first = bytes.find((byte) => byte > 0x20 && !BYTE_ORDER_MARK.includes(byte))
  return first === 0x3c
}

const BYTE_ORDER_MARK = [0xef, 0xbb, 0xbf]
