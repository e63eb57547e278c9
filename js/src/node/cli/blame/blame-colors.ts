/** The colors of `blame`: `--color-lines`, `--color-by-age` and what the configuration says of them. */

import { Exit } from '../base/exit.js'
import type { Io } from '../base/io.js'
import { parseColor } from '../color/color-value.js'
import type { Settings } from '../config/settings.js'
import { secondsOfDate } from '../dates/loose-date.js'

/** Which lines have colors. */
export interface BlameColoring {
  /** Those of the commit of the line before. */
  lines: boolean
  /** All, by the age of their commit. */
  age: boolean
}

/** A color of commits up to a time, in seconds since 1970. */
interface Age {
  readonly color: string
  readonly until: number
}

/** What colors lines; `null` for what has none. */
export interface BlameColors {
  readonly repeated: string | null
  readonly ages: readonly Age[] | null
}

const CYAN = '\x1b[36m'
const AGES = 'blue,12 month ago,white,1 month ago,red'

/** Returns the colors of lines if options ask for `coloring`, otherwise as the configuration says. */
export function blameColors(settings: Settings, io: Io, coloring: BlameColoring): BlameColors {
  const configured = configuredColoring(settings, io)
  const { lines, age } = coloring.lines || coloring.age ? coloring : configured
  const [repeated, ages] = [repeatedColor(settings, io), agesIn(settings)]
  return { repeated: lines ? repeated : null, ages: age ? ages : null }
}

/** Returns the color of a line; `null` if it has none. */
export function colorOf(
  { repeated, ages }: BlameColors,
  seconds: number,
  isRepeated: boolean,
): string | null {
  if (repeated !== null && isRepeated) return repeated
  return ages?.find(({ until }) => seconds <= until)?.color ?? null
}

function configuredColoring(settings: Settings, io: Io): BlameColoring {
  const coloring = { lines: false, age: false }
  for (const value of settings.texts('blame.coloring')) {
    if (value === 'repeatedLines') coloring.lines = true
    else if (value === 'highlightRecent') coloring.age = true
    else if (value === 'none') coloring.lines = coloring.age = false
    else warn(io, 'blame.coloring', value)
  }
  return coloring
}

/** git takes an empty color, as for `normal`, for none at all. */
function repeatedColor(settings: Settings, io: Io): string {
  let color = ''
  for (const value of settings.texts('color.blame.repeatedlines')) {
    const parsed = parseColor(value)
    if (parsed !== null) color = parsed
    else {
      io.writeError(`error: invalid color value: ${value}\n`)
      warn(io, 'color.blame.repeatedLines', value)
    }
  }
  return color || CYAN
}

function warn(io: Io, name: string, value: string): void {
  io.writeError(`warning: invalid value for '${name}': '${value}'\n`)
}

function agesIn(settings: Settings): Age[] {
  const all = settings.texts('color.blame.highlightrecent').map(agesOf)
  return all.at(-1) ?? agesOf(AGES)
}

/** Parses colors with the dates between them, of which each ends the color before it. */
function agesOf(value: string): Age[] {
  const parts = value.split(',').map((part) => part.trim())
  const ages: Age[] = []
  for (let at = 0; at < parts.length; at += 2) {
    const [text = '', date] = parts.slice(at)
    const color = parseColor(text)
    if (color === null) {
      const what = `error: invalid color value: ${text}\nfatal: expecting a color: ${text}\n`
      throw new Exit(128, what)
    }
    const until = date === undefined ? Number.POSITIVE_INFINITY : secondsOfDate(date)
    ages.push({ color, until })
  }
  if (parts.length % 2 === 0) throw new Exit(128, 'fatal: must end with a color\n')
  return ages
}
