/** What the configuration says of colors: `color.*` and `log.graphColors`. */

import { Exit } from '../base/exit.js'
import type { Settings } from '../config/settings.js'
import { type ColorWhen, whenNamed } from './color-args.js'
import { parseColor } from './color-value.js'
import { PALETTE, type Palette } from './palette.js'

/** The names of kinds of refs in `color.decorate.<slot>`. */
const DECORATED = {
  head: 'head',
  local: 'branch',
  remote: 'remotebranch',
  tag: 'tag',
  stash: 'stash',
  graft: 'grafted',
} as const

const SLOTS = [
  ...(['commit', 'context', 'meta', 'frag', 'func', 'old', 'new', 'whitespace'] as const),
  ...(['oldMoved', 'oldMovedAlternative', 'oldMovedDimmed'] as const),
  ...(['oldMovedAlternativeDimmed', 'newMoved', 'newMovedAlternative'] as const),
  ...(['newMovedDimmed', 'newMovedAlternativeDimmed'] as const),
]

/** What `color.grep.<slot>` colors. `log` uses few of these, but refuses what is no color. */
export const GREP_SLOTS = [
  ...(['context', 'filename', 'function', 'linenumber', 'column', 'separator'] as const),
  ...(['match', 'matchcontext', 'matchselected', 'selected'] as const),
]

/** Returns when output of a command for users has colors. */
export function configuredWhen(settings: Settings): ColorWhen {
  const [all, own] = ['color.ui', 'color.diff'].map((name) => whenIn(settings, name))
  return own ?? all ?? 'auto'
}

export function whenIn(settings: Settings, name: string): ColorWhen | undefined {
  const when = whenNamed(settings.text(name) ?? '')
  if (when) return when
  const flag = settings.flag(name)
  return flag === undefined ? undefined : flag ? 'auto' : 'never'
}

/** Returns the colors of changes, as the configuration sets them. */
export function diffPalette(settings: Settings): Palette {
  const old = colorIn(settings, 'color.diff.plain') ?? PALETTE.context
  const colors = SLOTS.map((slot) => {
    const otherwise = slot === 'context' ? old : PALETTE[slot]
    return [slot, colorIn(settings, `color.diff.${slot.toLowerCase()}`) ?? otherwise] as const
  })
  return { ...PALETTE, ...(Object.fromEntries(colors) as Record<(typeof SLOTS)[number], string>) }
}

/** Returns the colors of changes and of refs, as the configuration sets them. */
export function logPalette(settings: Settings): Palette {
  const kinds = Object.keys(DECORATED) as (keyof typeof DECORATED)[]
  const decorate = kinds.map((kind) => {
    const color = colorIn(settings, `color.decorate.${DECORATED[kind]}`)
    return [kind, color ?? PALETTE.decorate[kind]] as const
  })
  return {
    ...diffPalette(settings),
    ...searchColors(settings),
    decorate: { ...PALETTE.decorate, ...Object.fromEntries(decorate) },
    graph: graphColors(settings),
  }
}

/** `color.grep.match` sets two colors: the last of the variables counts for each. */
function searchColors(settings: Settings): Pick<Palette, 'match' | 'selected'> {
  const known = GREP_SLOTS.map((slot) => [slot, colorIn(settings, `color.grep.${slot}`)] as const)
  const colors: Record<string, string | undefined> = Object.fromEntries(known)
  const last = settings.last(['color.grep.match', 'color.grep.matchselected'])
  const match = last === undefined ? undefined : colors[last.slice('color.grep.'.length)]
  return { match: match ?? PALETTE.match, selected: colors.selected ?? PALETTE.selected }
}

/** Returns the colors of graphs. */
export function graphColors(settings: Settings): Palette['graph'] {
  const value = settings.text('log.graphcolors')
  if (value === undefined) return PALETTE.graph
  // git leaves out what is no color, after a warning.
  return value.split(',').flatMap((text) => parseColor(text) ?? [])
}

export function colorIn(settings: Settings, name: string): string | undefined {
  const value = settings.text(name)
  if (value === undefined) return undefined
  const color = parseColor(value)
  if (color !== null) return color
  throw new Exit(
    128,
    `error: invalid color value: ${value}\nfatal: bad config variable '${name}'\n`,
  )
}
