/** How patterns are written where no option says it: `grep.patternType`, `grep.extendedRegexp`. */
import { fatal } from '../base/exit.js'
import type { Settings } from '../config/settings.js'

export type PatternSyntax = 'basic' | 'extended' | 'fixed'

const KNOWN = new Set(['default', 'basic', 'extended', 'fixed', 'perl'])

/** @throws Exit if the configuration has a value that git does not know, or Perl's expressions */
export function configuredSyntax(settings: Settings): PatternSyntax {
  const name = settings.text('grep.patterntype') ?? 'default'
  if (!KNOWN.has(name)) throw fatal(`bad grep.patterntype argument: ${name}`)
  if (name === 'perl') throw fatal('packlens does not support grep.patternType = perl')
  const isExtended = settings.flag('grep.extendedregexp') ?? false
  if (name === 'default') return isExtended ? 'extended' : 'basic'
  return name as PatternSyntax
}
