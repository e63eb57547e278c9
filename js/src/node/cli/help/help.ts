/** What is printed of the descriptions: loaded when help, or a suggestion, is printed. */

import { DESCRIPTIONS } from './all.js'
import { bashScript } from './bash.js'
import type { Description } from './description.js'
import { longNames } from './description.js'
import { fishScript } from './fish.js'
import { GLOBAL } from './global.js'
import { didYouMean, nearest } from './suggest.js'
import { usage } from './usage.js'
import { zshScript } from './zsh.js'

const BY_NAME: ReadonlyMap<string, Description> = new Map(Object.entries(DESCRIPTIONS))

/** Returns the usage of a command, or without a name that of the options before commands. */
export function usageOf(name: string | undefined): string {
  const known = name === undefined ? undefined : BY_NAME.get(name)
  return known ? usage(`packlens ${name}`, known) : usage('packlens', { ...GLOBAL, groups: [] })
}

/** Returns the help about a command, or with '' that about all; `null` if there is no such one. */
export function helpOf(name: string): string | null {
  if (name === '') return overview()
  return BY_NAME.has(name) ? usageOf(name) : null
}

/** Returns the help about all commands. */
export function overview(): string {
  const rows = [...BY_NAME].map(([name, { about }]) => `   ${name.padEnd(18)}${about}\n`)
  const { notes, ...global } = GLOBAL
  const about = "Reads git repositories. The commands take git's options and print what git prints:"
  return `${usage('packlens', global)}${about}\n${rows.join('')}\n${notes}\n`
}

/** Returns the message about a command that does not exist. */
export function noCommand(name: string): string {
  const what = `packlens: '${name}' is not a packlens command. See 'packlens --help'.\n`
  return `${what}${didYouMean(nearest(name, BY_NAME.keys()))}`
}

/** Returns what a shell reads to complete command lines; `null` for one that is not known. */
export function completionScript(shell: string): string | null {
  const write = SCRIPTS.get(shell)
  return write ? write(DESCRIPTIONS, GLOBAL) : null
}

const SCRIPTS = new Map([
  ['bash', bashScript],
  ['fish', fishScript],
  ['zsh', zshScript],
])

/** Returns a line with the options of a command that are like an unknown one; '' without any. */
export function suggestion(name: string | undefined, option: string): string {
  const [given = ''] = option.split('=')
  const own = name === undefined ? GLOBAL : BY_NAME.get(name)
  // One letter is like any other.
  if (!own || !given.startsWith('--')) return ''
  const names = [...longNames(own), '--help'].map((long) => long.slice(2))
  return didYouMean(nearest(given.slice(2), names).map((long) => `--${long}`))
}
