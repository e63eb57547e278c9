/** Colors in the formats of `for-each-ref`: `%(color:bold red)`. */

import { Exit, fatal } from '../base/exit.js'
import { parseColor } from '../color/color-value.js'

export const RESET = '\x1b[m'

/** Parses a field of a format; returns what sets its color, `null` if it is no color. */
export function colorOfField(text: string): string | null {
  const [field, argument] = /^\*?color(?::(.*))?$/s.exec(text) ?? []
  if (field === undefined) return null
  if (!argument) throw fatal('expected format: %(color:<color>)')
  const color = parseColor(argument)
  if (color !== null) return color
  const what = `error: invalid color value: ${argument}\n`
  throw new Exit(128, `${what}fatal: unrecognized color: %(color:${argument})\n`)
}

/** Whether the line of a ref ends with a color, by the last field that sets one. */
export function endsColored(format: string): boolean {
  // As in git, fields of the object that a tag leads to do not count.
  const last = [...format.matchAll(/%\(color:([^)]*)\)/g)].at(-1)
  return last !== undefined && last[1] !== 'reset'
}
