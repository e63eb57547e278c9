/** What the configuration says of `blame`: `blame.*`, `diff.*` and `core.abbrev`. */

import { Exit } from '../base/exit.js'
import type { Settings } from '../config/settings.js'
import { algorithmNamed } from '../diff/diff-args.js'
import type { Opened } from '../opening/command.js'
import type { BlameArgs } from './blame-args.js'
import { dateStyleOf } from './blame-args.js'

/** Returns the defaults of options. @throws Exit for values that are none */
export function configuredBlame({ settings }: Opened): Partial<BlameArgs> {
  const flag = (name: string) => settings.flag(`blame.${name}`) === true
  const date = settings.text('blame.date')
  return {
    roots: flag('showroot'),
    blank: flag('blankboundary'),
    mails: flag('showemail'),
    marksIgnored: flag('markignoredlines'),
    marksUnblamable: flag('markunblamablelines'),
    // Only an empty name of an option clears those before it.
    configuredFiles: settings.texts('blame.ignorerevsfile').filter((name) => name !== ''),
    ...(date === undefined ? {} : { date: dateStyleOf(date) }),
    digits: digitsIn(settings),
    following: {
      ...algorithmIn(settings),
      withoutIndentHeuristic: settings.flag('diff.indentheuristic') === false,
    },
  }
}

function digitsIn(settings: Settings): BlameArgs['digits'] {
  const { digits } = settings
  return digits === null ? 0 : digits || null
}

function algorithmIn(settings: Settings): Pick<BlameArgs['following'], 'algorithm'> {
  const name = settings.text('diff.algorithm')
  if (name === undefined) return {}
  const algorithm = algorithmNamed(name)
  if (algorithm !== null) return { algorithm }
  throw new Exit(
    128,
    `error: unknown value for config 'diff.algorithm': ${name}\nfatal: bad config variable 'diff.algorithm'\n`,
  )
}
