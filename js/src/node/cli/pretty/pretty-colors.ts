/** The colors of pretty formats: `%Cred`, `%C(bold red)`, `%C(auto)`. */

import { Exit } from '../base/exit.js'
import { parseColor } from '../color/color-value.js'
import { RESET } from '../color/palette.js'

/** A color of a format. */
export interface FormatColor {
  /** Whether the placeholders after it have the colors that git gives them itself. */
  readonly isAuto: boolean
  /**
   * Returns the text; empty if output has no colors and the format does not insist on them.
   *
   * @throws Exit for a color that does not exist
   */
  readonly text: (hasColors: boolean) => string
}

/** Returns the color that a format begins with; `null` if it begins with none. */
export function colorOf(format: string): { color: FormatColor; length: number } | null {
  const [plain, name] = /^C(red|green|blue|reset)/.exec(format) ?? []
  if (plain && name) return { color: named(name, false), length: plain.length }
  const [whole, description] = /^C\(([^)]*)\)/.exec(format) ?? []
  if (whole === undefined || description === undefined) return null
  const { length } = whole
  if (description === 'auto') return { color: { isAuto: true, text: () => '' }, length }
  const [, when, value = description] = /^(auto|always),(.*)$/s.exec(description) ?? []
  return { color: named(value, when === 'always'), length }
}

function named(description: string, isAlways: boolean): FormatColor {
  return {
    isAuto: false,
    text: (hasColors) => (hasColors || isAlways ? escapeOf(description) : ''),
  }
}

function escapeOf(description: string): string {
  const color = description === 'reset' ? RESET : parseColor(description)
  if (color !== null) return color
  const what = `error: invalid color value: ${description}\nfatal: unable to parse --pretty format\n`
  throw new Exit(128, what)
}
