/** The colors of `grep`: `color.grep`, and `color.grep.<slot>` for each part of a line. */
import type { ColorWhen } from '../color/color-args.js'
import { colorIn, GREP_SLOTS, whenIn } from '../color/color-config.js'
import { PALETTE, painted } from '../color/palette.js'
import type { Settings } from '../config/settings.js'

type Slot = (typeof GREP_SLOTS)[number]

export type GrepPalette = Readonly<Record<Exclude<Slot, 'match'>, string>>

const code = (codes: string) => `\x1b[${codes}m`

/** The colors without settings. */
const USUAL: GrepPalette = {
  context: '',
  filename: code('35'),
  function: '',
  linenumber: code('32'),
  column: code('32'),
  separator: code('36'),
  matchcontext: PALETTE.match,
  matchselected: PALETTE.match,
  selected: PALETTE.selected,
}

/** Returns when output has colors if no option says it. */
export function configuredGrepWhen(settings: Settings): ColorWhen {
  return whenIn(settings, 'color.grep') ?? whenIn(settings, 'color.ui') ?? 'auto'
}

export function grepPalette(settings: Settings): GrepPalette {
  const own = Object.fromEntries(
    GREP_SLOTS.map((slot) => [slot, colorIn(settings, `color.grep.${slot}`)] as const),
  ) as Record<Slot, string | undefined>
  const colorOf = (slot: Slot): string | undefined => {
    // `match` sets both colors of matches; the last of the variables counts for each.
    const names = ['color.grep.match', `color.grep.${slot}`]
    const isMatch = slot.startsWith('match') && settings.last(names) === names[0]
    return isMatch ? own.match : own[slot]
  }
  const slots = Object.keys(USUAL) as (keyof GrepPalette)[]
  const palette = slots.map((slot) => [slot, colorOf(slot) ?? USUAL[slot]])
  return Object.fromEntries(palette) as GrepPalette
}

/** Returns a text in a color; as it is without one. */
export function inColor(color: string | undefined, text: string): string {
  return color ? painted(color, text) : text
}

/** Returns a line whose matches have a color of their own, as git prints it. */
export function paintMatches(
  line: string,
  matches: readonly (readonly [start: number, end: number])[],
  { rest, match }: { readonly rest: string; readonly match: string },
): string {
  let [text, done] = ['', 0]
  for (const [start, end] of matches) {
    text += inColor(rest, line.slice(done, start)) + inColor(match, line.slice(start, end))
    done = end
  }
  return text + inColor(rest, line.slice(done))
}
