/** Paths that variables of the configuration name. */
import * as path from 'node:path'
import type { Opened } from '../opening/command.js'
import { textOfBytes } from '../text/bytes.js'

/** Returns the path of a variable, which is relative to the top of the work tree. */
export function configuredPath({ io, place }: Pick<Opened, 'io' | 'place'>, bytes: string): string {
  const text = textOfBytes(bytes)
  if (text.startsWith('~/') && io.env.HOME) return path.join(io.env.HOME, text.slice(2))
  return path.resolve(place.top ?? io.cwd, text)
}
