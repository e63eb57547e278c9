/** `status`: prints how the work tree, the index and `HEAD` differ. */
import type { StatusQuestion } from '../../base/protocol.js'
import type { Command, Opened } from './command.js'
import { compileQuickly } from './compiler.js'
import { scoreOf } from './diff-args.js'
import { fatal, misused } from './exit.js'
import { type Option, parseOptions } from './options.js'
import { Lines } from './output.js'
import { pathspecOf } from './pathspec.js'
import { branchHeaders, branchLine } from './status-branch.js'
import type { StatusFormat } from './status-lines.js'
import { addStatus } from './status-lines.js'
import { statusIn } from './status-rows.js'

interface Parsed {
  format: StatusFormat | null
  branch: boolean
  stash: boolean
  aheadBehind: boolean
  z: boolean
  untracked: StatusQuestion['untracked']
  ignored: NonNullable<StatusQuestion['ignored']>
  ignoreSubmodules: StatusQuestion['ignoreSubmodules']
  renames: StatusQuestion['renames']
  renameScore: number | undefined
}

export function status(command: Command, args: readonly string[]): number {
  const parsed: Parsed = {
    format: null,
    branch: false,
    stash: false,
    aheadBehind: true,
    z: false,
    untracked: undefined,
    ignored: 'no',
    ignoreSubmodules: undefined,
    renames: undefined,
    renameScore: undefined,
  }
  const paths = parseOptions(optionsInto(parsed), args)
  const format = parsed.format ?? (parsed.z ? 'v1' : null)
  if (format === null) {
    throw fatal('packlens status prints no long format: use --short or --porcelain')
  }
  compileQuickly('walk')
  const opened = command.openConfigured()
  const { io, place } = opened
  if (place.top === null || place.isBare) throw fatal('this operation must be run in a work tree')
  const untracked = parsed.untracked ?? shownUntracked(opened)
  if (parsed.ignored === 'matching' && untracked === 'no') {
    throw fatal('Unsupported combination of ignored and untracked-files arguments')
  }
  const lines = new Lines(io)
  try {
    const [named, counted] = [parsed.stash, parsed.aheadBehind]
    if (format === 'v2') {
      for (const line of branchHeaders(opened, { named, counted, shown: parsed.branch })) {
        lines.add(`# ${line}${parsed.z ? '\0' : '\n'}`)
      }
    } else if (parsed.branch)
      lines.add(`## ${branchLine(opened, counted)}${parsed.z ? '\0' : '\n'}`)
    const { ignored, renames, renameScore, ignoreSubmodules } = parsed
    const pathspec = paths.length > 0 ? pathspecOf(opened, paths) : undefined
    const asked = { untracked, ignored, renames, renameScore, pathspec, ignoreSubmodules }
    const entries = statusIn(opened.reader, asked)
    const prefix = format === 'v1' || parsed.z ? '' : place.prefix
    addStatus(lines, entries, { format, z: parsed.z, prefix, digits: opened.reader.hexLength })
  } finally {
    lines.flush()
  }
  return 0
}

function optionsInto(parsed: Parsed): Option[] {
  return [
    {
      short: 's',
      long: 'short',
      negatable: true,
      set: (_, no) => (parsed.format = no ? null : 'short'),
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
    ...['verbose', 'long', 'column'].map(
      (long): Option => ({
        long,
        ...(long === 'column' && { value: 'optional' }),
        ...(long === 'verbose' && { short: 'v' }),
        set: () => {
          throw fatal(`packlens status does not support --${long}`)
        },
      }),
    ),
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
