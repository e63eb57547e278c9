/** Follows symbolic links, if a path leads anywhere. */
import * as fs from 'node:fs'

export function realPath(place: string): string {
  try {
    return fs.realpathSync(place)
  } catch {
    return place
  }
}
