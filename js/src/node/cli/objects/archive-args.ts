/** Parses the arguments of `archive`. */

import { type Option, parseOptions } from '../args/options.js'
import { fatal, Misused } from '../base/exit.js'
import { secondsOfDate } from '../dates/loose-date.js'
import { bytesOfArgument } from '../text/bytes.js'

export interface ArchiveArgs {
  format: string | undefined
  /** Bytes. */
  prefix: string
  output: string | undefined
  mtime: number | undefined
  /** How hard to compress. */
  level: number | undefined
  list: boolean
  verbose: boolean
  readonly operands: readonly string[]
}

export function archiveArgs(args: readonly string[]): ArchiveArgs {
  const parsed: Omit<ArchiveArgs, 'operands'> = {
    format: undefined,
    prefix: '',
    output: undefined,
    mtime: undefined,
    level: undefined,
    list: false,
    verbose: false,
  }
  const operands = parseOptions(optionsOf(parsed), args)
  const [extra] = operands
  if (parsed.list) {
    if (extra !== undefined) throw fatal(`extra command line parameter '${extra}'`)
  } else if (extra === undefined) throw new Misused()
  return { ...parsed, operands }
}

function optionsOf(parsed: Omit<ArchiveArgs, 'operands'>): Option[] {
  const refused = (long: string, value?: 'required'): Option => ({
    long,
    ...(value ? { value } : {}),
    negatable: true,
    set: (_, negated) => {
      if (!negated) throw fatal(`packlens archive does not support --${long}`)
    },
  })
  return [
    {
      long: 'format',
      value: 'required',
      negatable: true,
      set: (value) => (parsed.format = value),
    },
    {
      long: 'prefix',
      value: 'required',
      negatable: true,
      set: (value = '') => (parsed.prefix = bytesOfArgument(value)),
    },
    {
      short: 'o',
      long: 'output',
      value: 'required',
      negatable: true,
      set: (value) => (parsed.output = value),
    },
    // An entry has no date before 1970.
    {
      long: 'mtime',
      value: 'required',
      set: (value = '') => (parsed.mtime = Math.max(secondsOfDate(value), 0)),
    },
    { short: '#', set: (value = '') => (parsed.level = Number(value)) },
    {
      short: 'l',
      long: 'list',
      negatable: true,
      set: (_, negated) => (parsed.list = !negated),
    },
    {
      short: 'v',
      long: 'verbose',
      negatable: true,
      set: (_, negated) => (parsed.verbose = !negated),
    },
    refused('add-file', 'required'),
    refused('add-virtual-file', 'required'),
    refused('worktree-attributes'),
    refused('remote', 'required'),
    refused('exec', 'required'),
  ]
}
