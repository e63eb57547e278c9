/** Paths in the folder that a page may read; files outside of it are out of reach. */
import { PacklensError } from '../base/errors.js'

/**
 * Resolves `path` relative to the folder `from`. Returns its components below the outermost
 * folder; `null` if it leads out of that folder.
 */
export function placeInside(from: readonly string[], path: string): string[] | null {
  if (path.startsWith('/')) return null
  const parts = [...from]
  for (const part of path.split('/')) {
    if (part === '..') {
      if (parts.pop() === undefined) return null
    } else if (part !== '' && part !== '.') parts.push(part)
  }
  return parts
}

/** Returns the error for a path that leads out of the folder, with what to do about it. */
export function outside(path: string): PacklensError {
  const what =
    'this repository needs files outside the opened folder: open a folder that contains both, with `gitDir` the path of the repository there, and `alternates` those of the object directories it borrows from'
  return new PacklensError('BAD_INPUT', what, { subject: path })
}
