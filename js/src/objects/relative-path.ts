/** Paths below a prefix that they begin with. */

const SLASH = 0x2f

/** Returns what follows the first `length` bytes of a path, and a slash. */
export function pathBelow(path: Uint8Array, length: number): Uint8Array {
  if (length === 0) return path
  return path.subarray(path[length] === SLASH ? length + 1 : length)
}
