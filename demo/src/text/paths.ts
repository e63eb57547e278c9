/** Joins the names of a path by `/`. */
export function joined(names: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(names.reduce((sum, name) => sum + name.length + 1, 0))
  let at = 0
  for (const name of names) {
    bytes.set(name, at)
    at += name.length
    bytes[at++] = '/'.charCodeAt(0)
  }
  return bytes.subarray(0, Math.max(0, at - 1))
}
