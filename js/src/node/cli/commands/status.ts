/** `status`: prints how the work tree, the index and `HEAD` differ. */
import type { StatusQuestion } from '../../../base/protocol.js'
import { type Option, parseOptions } from '../args/options.js'
import { compileQuickly } from '../base/compiler.js'
import { fatal, misused } from '../base/exit.js'
import { Lines } from '../base/output.js'
import { columnStyle } from '../color/column-style.js'
import { scoreOf } from '../diff/diff-args.js'
import type { Command, Opened } from '../opening/command.js'
import { pathspecOf } from '../repository/pathspec.js'
import { branchHeaders, branchLine } from '../status/status-branch.js'
import { COLORLESS, statusColors } from '../status/status-colors.js'
import type { StatusFormat } from '../status/status-lines.js'
import { addStatus } from '../status/status-lines.js'
import { printLong } from '../status/status-long.js'
import { statusIn } from '../status/status-rows.js'

interface Parsed {
  /** The format; `null` for the default one, `undefined` for that of the configuration. */
  format: StatusFormat | 'long' | null | undefined
  /** As the option says, if it is given. */
  branch: boolean | undefined
  stash: boolean | undefined
  aheadBehind: boolean | undefined
  z: boolean
  untracked: StatusQuestion['untracked']
  ignored: NonNullable<StatusQuestion['ignored']>
  ignoreSubmodules: StatusQuestion['ignoreSubmodules']
  renames: StatusQuestion['renames']
  renameScore: number | undefined
  /** The values of `--column`, `null` of `--no-column`. */
  columns: (string | null)[]
}

export function status(command: Command, args: readonly string[]): number {
  const parsed: Parsed = {
    format: undefined,
    branch: undefined,
    stash: undefined,
    aheadBehind: undefined,
    z: false,
    untracked: undefined,
    ignored: 'no',
    ignoreSubmodules: undefined,
    renames: undefined,
    renameScore: undefined,
    columns: [],
  }
  const paths = parseOptions(optionsInto(parsed), args)
  if (parsed.z && parsed.format === 'long') {
    throw fatal("options '--long' and '-z' cannot be used together")
  }
  compileQuickly()
  const opened = command.openConfigured()
  const { io, place } = opened
  if (place.top === null || place.isBare) throw fatal('this operation must be run in a work tree')
  const untracked = parsed.untracked ?? shownUntracked(opened)
  if (parsed.ignored === 'matching' && untracked === 'no') {
    throw fatal('Unsupported combination of ignored and untracked-files arguments')
  }
  const style = styleOf(opened, parsed)
  const columns = columnStyle(opened, 'status', parsed.columns)
  const { format } = style
  const { ignored, renames, renameScore, ignoreSubmodules } = parsed
  const pathspec = paths.length > 0 ? pathspecOf(opened, paths) : undefined
  const asked = { untracked, ignored, renames, renameScore, pathspec, ignoreSubmodules }
  const prefix = style.isRelative ? place.prefix : ''
  if (format === 'long') {
    const shown = { showsUntracked: untracked !== 'no', columns }
    printLong(opened, statusIn(opened.reader, asked), { ...style, ...shown, prefix })
    return 0
  }
  const lines = new Lines(io)
  lines.keepsColors = true
  const colors = format === 'short' ? statusColors(opened) : COLORLESS
  try {
    const [named, counted] = [style.showsStash, style.isCounted]
    if (format === 'v2') {
      for (const line of branchHeaders(opened, { named, counted, shown: style.showsBranch })) {
        lines.add(`# ${line}${parsed.z ? '\0' : '\n'}`)
      }
    } else if (style.showsBranch)
      lines.add(`${branchLine(opened, counted, colors)}${parsed.z ? '\0' : '\n'}`)
    const entries = statusIn(opened.reader, asked)
    const digits = opened.reader.hexLength
    addStatus(lines, entries, { format, z: parsed.z, prefix, quote: opened.quote, colors, digits })
  } finally {
    lines.flush()
  }
  return 0
}

interface Style {
  readonly format: StatusFormat | 'long'
  readonly showsBranch: boolean
  readonly showsStash: boolean
  readonly isCounted: boolean
  readonly isRelative: boolean
}

/** Returns how the status looks: by the options, and for people by the configuration. */
function styleOf({ settings }: Opened, parsed: Parsed): Style {
  const flag = (name: string, otherwise: boolean) => settings.flag(name) ?? otherwise
  const given = parsed.format ?? (parsed.z ? 'v1' : parsed.format)
  const isForPrograms = given === 'v1' || given === 'v2'
  const set = (name: string, otherwise: boolean) =>
    isForPrograms ? otherwise : flag(name, otherwise)
  return {
    format: given ?? (given !== null && flag('status.short', false) ? 'short' : 'long'),
    showsBranch: parsed.branch ?? set('status.branch', false),
    showsStash: parsed.stash ?? set('status.showStash', false),
    isCounted: parsed.aheadBehind ?? set('status.aheadBehind', true),
    isRelative: given !== 'v1' && !parsed.z && flag('status.relativePaths', true),
  }
}

function optionsInto(parsed: Parsed): Option[] {
  return [
    {
      short: 's',
      long: 'short',
      negatable: true,
      set: (_, no) => (parsed.format = no ? null : 'short'),
    },
    {
      long: 'long',
      negatable: true,
      set: (_, no) => (parsed.format = no ? null : 'long'),
    },
    { short: 'b', long: 'branch', negatable: true, set: (_, no) => (parsed.branch = !no) },
    { long: 'show-stash', negatable: true, set: (_, no) => (parsed.stash = !no) },
    { long: 'ahead-behind', negatable: true, set: (_, no) => (parsed.aheadBehind = !no) },
    {
      long: 'porcelain',
      value: 'optional',
      negatable: true,
      set: (value, no) => (parsed.format = no ? null : porcelain(value)),
    },
    { short: 'z', long: 'null', negatable: true, set: (_, no) => (parsed.z = !no) },
    {
      short: 'u',
      long: 'untracked-files',
      value: 'optional',
      negatable: true,
      set: (value = 'all', no) => (parsed.untracked = no ? 'no' : untrackedFiles(value)),
    },
    {
      long: 'ignored',
      value: 'optional',
      negatable: true,
      set: (value = 'traditional', no) => (parsed.ignored = no ? 'no' : ignoredFiles(value)),
    },
    {
      long: 'ignore-submodules',
      value: 'optional',
      set: (value) => (parsed.ignoreSubmodules = ignoredSubmodules(value)),
    },
    {
      long: 'renames',
      negatable: true,
      set: (_, no) => (parsed.renames = no ? 'none' : 'renames'),
    },
    {
      short: 'M',
      long: 'find-renames',
      value: 'optional',
      set: (value) => {
        parsed.renames = 'renames'
        if (value !== undefined) parsed.renameScore = score(value)
      },
    },
    {
      long: 'column',
      value: 'optional',
      negatable: true,
      set: (words = '', no) => parsed.columns.push(no ? null : words),
    },
    {
      short: 'v',
      long: 'verbose',
      set: () => {
        throw fatal('packlens status does not support --verbose')
      },
    },
  ]
}

function porcelain(value = 'v1'): StatusFormat {
  if (['1', 'v1'].includes(value)) return 'v1'
  if (['2', 'v2'].includes(value)) return 'v2'
  throw fatal(`unsupported porcelain version '${value}'`)
}

/** Returns what `status.showUntrackedFiles` says, which may be a boolean in newer versions of git. */
function shownUntracked({ settings }: Opened): NonNullable<Parsed['untracked']> {
  const value = settings.text('status.showuntrackedfiles') ?? 'normal'
  if (/^(true|yes|on|1)$/i.test(value)) return 'normal'
  return /^(false|off|0)$/i.test(value) ? 'no' : untrackedFiles(value)
}

function untrackedFiles(value: string): NonNullable<Parsed['untracked']> {
  if (value === 'normal' || value === 'all' || value === 'no') return value
  throw fatal(`Invalid untracked files mode '${value}'`)
}

function ignoredFiles(value: string): Parsed['ignored'] {
  if (value === 'traditional' || value === 'matching' || value === 'no') return value
  throw fatal(`Invalid ignored mode '${value}'`)
}

function ignoredSubmodules(value = 'all'): NonNullable<Parsed['ignoreSubmodules']> {
  if (value === 'none' || value === 'untracked' || value === 'dirty' || value === 'all')
    return value
  throw fatal(`bad --ignore-submodules argument: ${value}`)
}

function score(text: string): number {
  const [score, rest] = scoreOf(text)
  if (rest !== '') throw misused('invalid argument to find-renames')
  return score
}
