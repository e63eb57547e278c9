/** Paths in a folder that a page was given: it gets to nothing outside of that. */
import { PacklensError } from '../errors.js'

/**
 * Returns the parts of `path`, seen from the folder `from`, below the outermost
 * folder; `null` if it leads out of that.
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

/** What to do about a path that leads out of the folder. */
export function outside(path: string): PacklensError {
  const what =
    'this repository needs what lies outside of the folder that was opened: open a folder around both, and give the path of the repository there as `gitDir` and of what it borrows from as `alternates`'
  return new PacklensError('BAD_INPUT', what, { subject: path })
}
