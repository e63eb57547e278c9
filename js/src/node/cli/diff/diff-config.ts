/** What the configuration says of changes: `diff.*` and `core.abbrev`; options come after it. */
import { configBoolean } from '../../../base/config-values.js'
import { fatal } from '../base/exit.js'
import { configuredPath } from '../config/configured-path.js'
import type { Settings } from '../config/settings.js'
import type { Opened } from '../opening/command.js'
import { toBytes } from '../text/bytes.js'
import { algorithmNamed, type DiffArgs } from './diff-args.js'
import { parsedDirStat } from './dirstat.js'
import { movedIn } from './moved-args.js'
import { lineKindsOf } from './space-error-args.js'

/** Sets what commands for users and for scripts read alike. */
export function configure(args: DiffArgs, { io, place, settings }: Opened): void {
  args.defaultDigits = settings.digits
  args.relative = { ...args.relative, prefix: place.prefix }
  const kinds = settings.text('diff.wserrorhighlight')
  if (kinds !== undefined) args.spaceErrors = spaceErrorsOf(kinds)
  const dirStat = settings.text('diff.dirstat')
  if (dirStat !== undefined) {
    const { stat, errors } = parsedDirStat(args.dirStatDefault, dirStat)
    if (errors !== '') {
      io.writeError(`warning: Found errors in 'diff.dirstat' config variable:\n${errors}\n`)
    }
    args.dirStatDefault = stat
  }
  const withoutIndentHeuristic = settings.flag('diff.indentheuristic') === false
  args.text = { ...args.text, withoutIndentHeuristic }
  const renameLimit = settings.number('diff.renamelimit')
  if (renameLimit !== undefined) args.renames = { ...args.renames, renameLimit }
}

function spaceErrorsOf(value: string): DiffArgs['spaceErrors'] {
  const kinds = lineKindsOf(value)
  if (kinds) return kinds
  throw fatal(`unknown value for config 'diff.wserrorhighlight': ${value}`)
}

/** Sets what only commands for users read, and what others do. */
export function configureForUsers(args: DiffArgs, opened: Opened): void {
  const { settings } = opened
  configure(args, opened)
  args.moved = movedIn(settings)
  args.relative = { ...args.relative, isOn: settings.flag('diff.relative') === true }
  args.renames = { ...args.renames, renames: renamesOf(settings) }
  args.text = { ...args.text, ...textsOf(settings) }
  args.marks = { ...args.marks, prefixes: prefixesOf(settings) }
  args.statWidths = {
    ...args.statWidths,
    name: settings.number('diff.statnamewidth') ?? 0,
    graph: settings.number('diff.statgraphwidth') ?? 0,
  }
  const words = settings.text('diff.wordregex')
  if (words !== undefined) args.words = { ...args.words, wordPattern: toBytes(words) }
  const order = settings.text('diff.orderfile')
  if (order !== undefined) args.order = { file: configuredPath(opened, order) }
}

function renamesOf(settings: Settings): DiffArgs['renames']['renames'] {
  const value = settings.text('diff.renames')
  if (value === undefined) return 'renames'
  if (/^cop(y|ies)$/i.test(value)) return 'copies'
  return configBoolean(value) === false ? 'none' : 'renames'
}

function textsOf(settings: Settings): DiffArgs['text'] {
  const name = settings.text('diff.algorithm')
  const texts = {
    algorithm: name === undefined ? undefined : algorithmNamed(name),
    context: settings.number('diff.context'),
    interHunk: settings.number('diff.interhunkcontext'),
  }
  if (texts.algorithm === null) throw fatal(`unknown value for config 'diff.algorithm': ${name}`)
  if ((texts.context ?? 0) < 0) throw fatal("bad config variable 'diff.context'")
  if ((texts.interHunk ?? 0) < 0) throw fatal("bad config variable 'diff.interhunkcontext'")
  const { algorithm } = texts
  return {
    ...texts,
    algorithm,
    withoutIndentHeuristic: settings.flag('diff.indentheuristic') === false,
  }
}

function prefixesOf(settings: Settings): DiffArgs['marks']['prefixes'] {
  if (settings.flag('diff.noprefix')) return ['', '']
  return [settings.text('diff.srcprefix') ?? 'a/', settings.text('diff.dstprefix') ?? 'b/']
}
