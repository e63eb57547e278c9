/** `reflog`: shows how refs changed, the newest change first. */

import { parseOptions } from '../args/options.js'
import { Exit, fatal, Help, Misused, unrecognized } from '../base/exit.js'
import { Lines } from '../base/output.js'
import { dateShower, type Stamp } from '../dates/dates.js'
import type { Command, Opened } from '../opening/command.js'
import { allLogs, currentRef, type Log, logOf, newest } from '../refs/reflog-walk.js'
import { checkRefname } from '../refs/refname-rules.js'
import { findRevisions, unknownArgument } from '../revisions/revisions.js'
import { bytesOfArgument, textOfBytes } from '../text/bytes.js'

const UNSUPPORTED = /^--(pretty|format|oneline|since|after|until|before|grep\S*|author|committer)\b/

class Flags {
  /** The names of the requested reflogs; `null` for a revision that names none. */
  readonly revisions: (string | null)[] = []
  count = Number.POSITIVE_INFINITY
  skip = 0
  all = false
  /** The digits of shown ids: `null` for all, 0 to choose by the size of the repository. */
  digits: number | null = 0
  date: ((stamp: Stamp) => string) | undefined
}

export function reflog(command: Command, args: readonly string[]): number {
  if (args.includes('-h')) throw new Help()
  const [first = '', ...rest] = args
  if (first === 'exists') return exists(command, rest)
  if (/^(list|expire|delete|drop|write)$/.test(first)) {
    throw fatal(`packlens reflog does not support ${first}`)
  }
  const opened = command.open()
  const flags = parseFlags(opened, first === 'show' ? rest : args)
  const logs = flags.all ? allLogs(opened) : []
  for (const revision of flags.revisions) {
    const log = revision === null ? null : logOf(opened, revision)
    if (log) logs.push(log)
  }
  if (!flags.all && flags.revisions.length === 0) logs.push(...headLog(opened))
  show(opened, logs, flags)
  return 0
}

function exists(command: Command, args: readonly string[]): number {
  // git ignores all names but the first.
  const [name] = parseOptions([], args)
  if (name === undefined) throw new Misused()
  if (checkRefname(bytesOfArgument(name), { oneLevel: true }) === null) {
    throw fatal(`invalid ref format: ${name}`)
  }
  return command.open().reader.hasReflog(bytesOfArgument(name)) ? 0 : 1
}

function parseFlags(opened: Opened, args: readonly string[]): Flags {
  const flags = new Flags()
  const number = (text: string) => Number.parseInt(text, 10) || 0
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] ?? ''
    const [, count] = /^(?:-n?|--max-count=)(\d+)$/.exec(arg) ?? []
    const value = () => {
      at++
      if (args[at] === undefined) throw new Exit(129, `error: ${arg} requires an argument\n`)
      return args[at] ?? ''
    }
    if (count !== undefined) flags.count = number(count)
    else if (arg === '-n' || arg === '--max-count') flags.count = number(value())
    else if (arg === '--skip') flags.skip = number(value())
    else if (arg.startsWith('--skip=')) flags.skip = number(arg.slice('--skip='.length))
    else if (arg === '--all') flags.all = true
    else if (arg.startsWith('--date=')) flags.date = dateShower(arg.slice(7))
    else if (arg === '--no-abbrev' || arg === '--no-abbrev-commit') flags.digits = null
    else if (arg === '--abbrev' || arg === '--abbrev-commit') flags.digits = 0
    else if (arg.startsWith('--abbrev=')) flags.digits = Math.max(number(arg.slice(9)), 4)
    else if (UNSUPPORTED.test(arg)) throw fatal(`packlens reflog does not support ${arg}`)
    else if (arg === '--') {
      if (args[at + 1] !== undefined) throw fatal('packlens reflog does not support paths')
    } else if (arg.startsWith('-')) throw unrecognized(arg)
    else flags.revisions.push(named(opened, arg))
  }
  return flags
}

/** Returns the name of an argument's reflog; `null` if the argument names none. */
function named(opened: Opened, arg: string): string | null {
  const found = findRevisions(opened, bytesOfArgument(arg))
  if (found.kind === 'none') {
    if (found.why.errors !== '') opened.io.writeError(found.why.errors)
    throw unknownArgument(arg, found.why.path)
  }
  const left = found.kind === 'range' ? found.range.from : found.kind === 'one' ? arg.slice(1) : ''
  if (found.kind === 'range' || (found.kind === 'one' && found.revision.excluded)) {
    throw fatal(`cannot walk reflogs for ${textOfBytes(left)}`)
  }
  if (found.kind === 'several') return null
  const { name, oid } = found.revision
  return opened.reader.info(oid)?.type === 'commit' ? name : null
}

function headLog(opened: Opened): Log[] {
  const { reader } = opened
  if (reader.find('HEAD') === null) {
    const branch = currentRef(reader).replace(/^refs\/heads\//, '')
    throw fatal(`your current branch '${textOfBytes(branch)}' does not have any commits yet`)
  }
  const log = logOf(opened, 'HEAD')
  return log ? [log] : []
}

/** Shows the changes of all logs, the newest first; the order within each log is kept. */
function show({ io, reader }: Opened, logs: readonly Log[], flags: Flags): void {
  const lines = new Lines(io)
  let left = flags.count
  let skip = flags.skip
  while (left > 0) {
    const best = newest(reader, logs)
    if (!best) break
    const { log, entry, oid } = best
    if (skip > 0) skip--
    else {
      const { digits } = flags
      const id = digits === null ? oid : reader.abbreviate(oid, digits).slice(0, oid.length)
      const which = flags.date && !log.numbered ? flags.date(entry.stamp) : `${log.at}`
      lines.add(`${id} ${log.name}@{${which}}: ${entry.message}\n`)
      left--
    }
    log.at++
  }
  lines.flush()
}
