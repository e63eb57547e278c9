/** Paths are bytes: names need not be UTF-8. */
import type { Path } from './types.ts'

const SLASH = '/'.charCodeAt(0)

/** Joins the names of a path by `/`. */
export function joined(names: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(names.reduce((sum, name) => sum + name.length + 1, 0))
  let at = 0
  for (const name of names) {
    bytes.set(name, at)
    at += name.length
    bytes[at++] = SLASH
  }
  return bytes.subarray(0, Math.max(0, at - 1))
}

/** Returns the names of a path, of which a slash at the end is no part. */
export function namesOf(path: Uint8Array): Uint8Array[] {
  const names: Uint8Array[] = []
  for (let at = 0; at < path.length; ) {
    const found = path.indexOf(SLASH, at)
    const end = found < 0 ? path.length : found
    names.push(path.subarray(at, end))
    at = end + 1
  }
  return names
}

export function bytesOf(path: Path): Uint8Array {
  return typeof path === 'string' ? new TextEncoder().encode(path) : path
}
