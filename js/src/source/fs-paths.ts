/** Paths of file system clients. */
import type { FsPath } from './fs-client.js'

/** Returns a path as text, `null` if its bytes are not UTF-8. */
export function textOf(path: FsPath): string | null {
  if (typeof path === 'string') return path
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(path)
  } catch {
    return null
  }
}

/** Returns the path of a name in a folder. */
export function below(folder: FsPath, name: FsPath): FsPath {
  const [start, end] = [textOf(folder), textOf(name)]
  if (start !== null && end !== null) return `${start}/${end}`
  const bytes = (path: FsPath) => (typeof path === 'string' ? new TextEncoder().encode(path) : path)
  return Uint8Array.from([...bytes(folder), 0x2f, ...bytes(name)])
}
