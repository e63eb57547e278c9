/** `--color`: whether output has the colors of a terminal. */

import type { Option } from '../args/options.js'
import { Exit } from '../base/exit.js'
import type { Io } from '../base/io.js'
import { wantsColors } from '../base/terminal.js'

/** When output has colors; `auto` if it goes to a terminal. */
export type ColorWhen = 'always' | 'never' | 'auto'

export interface ColorArgs {
  colorWhen: ColorWhen
}

export function colorOption(args: { colorWhen: ColorWhen | null }): Option {
  return {
    ...{ long: 'color', value: 'optional', negatable: true },
    set(value = 'always', negated) {
      args.colorWhen = negated ? 'never' : whenOf(value)
    },
  }
}

/** Returns what a word says; `null` for another word. */
export function whenNamed(word: string): ColorWhen | null {
  const known = word.toLowerCase()
  return known === 'always' || known === 'never' || known === 'auto' ? known : null
}

function whenOf(value: string): ColorWhen {
  const when = whenNamed(value)
  if (when) return when
  const what = 'option `color\' expects "always", "auto", or "never"'
  throw new Exit(129, `error: ${what}\n`)
}

/** Returns the colors that output has; `null` if it has none. */
export function paletteOf<P>({ colorWhen }: ColorArgs, io: Io, palette: P): P | null {
  const isColored = colorWhen === 'auto' ? wantsColors(io) : colorWhen === 'always'
  return isColored ? palette : null
}
