/** The colors of a status: `color.status` and `color.status.<slot>`. */

import { wantsColors } from '../base/terminal.js'
import { colorIn, whenIn } from '../color/color-config.js'
import { PALETTE, painted } from '../color/palette.js'
import type { Opened } from '../opening/command.js'

/** What has a color of its own; an empty text is no color. */
export interface StatusColors {
  readonly header: string
  readonly updated: string
  readonly changed: string
  readonly untracked: string
  readonly unmerged: string
  readonly nobranch: string
  readonly branch: string
  readonly localbranch: string
  readonly remotebranch: string
}

const { old: RED, new: GREEN } = PALETTE

const COLORS: StatusColors = {
  header: '',
  updated: GREEN,
  changed: RED,
  untracked: RED,
  unmerged: RED,
  nobranch: RED,
  branch: '',
  localbranch: GREEN,
  remotebranch: RED,
}

/** No colors. */
export const COLORLESS = Object.fromEntries(
  Object.keys(COLORS).map((slot) => [slot, '']),
) as unknown as StatusColors

/** Returns the colors, as the configuration sets them; none for a file. */
export function statusColors({ io, settings }: Opened): StatusColors {
  const when = whenIn(settings, 'color.status') ?? whenIn(settings, 'color.ui') ?? 'auto'
  const slots = Object.entries(COLORS).map(([slot, color]) => {
    return [slot, colorIn(settings, `color.status.${slot}`) ?? color] as const
  })
  const isColored = when === 'auto' ? wantsColors(io) : when === 'always'
  if (!isColored) return COLORLESS
  const colors = Object.fromEntries(slots) as unknown as StatusColors
  // The added files are an older name of the updated ones.
  const updated = settings.last(['color.status.added', 'color.status.updated'])
  const own = updated === undefined ? undefined : colorIn(settings, updated)
  return { ...colors, updated: own ?? colors.updated, branch: colors.branch || colors.header }
}

export function paint(text: string, color: string): string {
  return color === '' ? text : painted(color, text)
}
