/** `reflog`: shows how refs changed, the newest change first. */
import { decodeReflog } from '../../objects/reflog.js'
import { bytesOfArgument, fromBytes, textOfBytes, toBytes } from './bytes.js'
import type { Command, Opened } from './command.js'
import { dateShower, readStamp, type Stamp } from './dates.js'
import { Exit, fatal } from './exit.js'
import { Help, parseOptions } from './options.js'
import { Lines } from './output.js'
import type { Reader } from './reader.js'
import { checkRefname } from './refname-rules.js'
import { listRefs, namesOfRules, readRef, shortenRefname } from './refnames.js'
import { findRevisions, unknownArgument } from './revisions.js'

const USAGE = `usage: packlens reflog [show] [<options>] [<ref>...]
   or: packlens reflog exists <ref>

    -n <n>, --max-count=<n>
    --skip=<n>
    --all                 the reflogs of all refs, by their dates
    --date=<style>        when each change was made, not which one it was
    --abbrev[=<n>], --no-abbrev
`

const EXISTS_USAGE = 'usage: packlens reflog exists <ref>\n'

const UNSUPPORTED = /^--(pretty|format|oneline|since|after|until|before|grep\S*|author|committer)\b/

/** A reflog, and `at`, the position of its listing. */
interface Log {
  /** The name to show. */
  readonly name: string
  readonly entries: readonly Entry[]
  /** Whether changes are shown by number even with `--date`, because the user gave a number. */
  readonly numbered: boolean
  at: number
}

interface Entry {
  readonly oid: string | null
  readonly stamp: Stamp
  readonly message: string
}

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
  if (args.includes('-h')) throw new Help(USAGE)
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
  const [name] = parseOptions([], args, EXISTS_USAGE)
  if (name === undefined) throw new Exit(129, EXISTS_USAGE)
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
    } else if (arg.startsWith('-')) throw fatal(`unrecognized argument: ${arg}`)
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

function logOf({ reader }: Opened, given: string): Log | null {
  const [, mark = '', rest = given] =
    /^(@\{-\d+\}|[^@]*@\{(?:u|upstream|push)\})(.*)$/is.exec(given) ?? []
  const meant = mark === '' ? '' : reader.interpret(mark)
  const name = (meant.startsWith('refs/') ? shortenRefname(reader, meant, false) : meant) + rest
  const [, branch = name, selector] = /^([^@]*)@\{(.*)\}$/s.exec(name) ?? []
  const found = readLog(reader, branch === '' ? currentRef(reader) : branch)
  if (!found) return null
  if (selector !== undefined && !/^\d+$/.test(selector)) {
    throw fatal(`packlens reflog cannot begin at a date: ${textOfBytes(given)}`)
  }
  return { ...found, numbered: selector !== undefined, at: Number(selector ?? 0) }
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

function allLogs(opened: Opened): Log[] {
  const { reader } = opened
  const names = listRefs(reader, 'refs/').map(({ nameBytes }) => fromBytes(nameBytes))
  const logs = [...names, 'HEAD'].map((name) => {
    const oid = readRef(reader, name)?.oid
    return oid && reader.info(oid)?.type === 'commit' ? logOf(opened, name) : null
  })
  return logs.filter((log) => log !== null)
}

/** Returns the ref that `HEAD` points at, after following symbolic refs. */
function currentRef(reader: Reader): string {
  let name = 'HEAD'
  for (let hops = 0; hops < 5; hops++) {
    const target = readRef(reader, name)?.target
    if (target == null) break
    name = bytesOfArgument(target)
  }
  return name
}

/** Finds the reflog of a name, by git's order of candidates. */
function readLog(reader: Reader, name: string): Pick<Log, 'name' | 'entries'> | null {
  const target = readRef(reader, name)?.target
  const own = [name, ...(target == null ? [] : [bytesOfArgument(target)])]
  for (const full of [...own, `refs/${name}`, `refs/heads/${name}`]) {
    const entries = entriesOf(reader, full)
    if (entries.length > 0) return { name, entries }
  }
  for (const full of namesOfRules(name)) {
    const entries = entriesOf(reader, full)
    if (entries.length > 0) return { name: full, entries }
  }
  return null
}

function entriesOf(reader: Reader, name: string): Entry[] {
  const entries: Entry[] = []
  reader.pages({ kind: 'reflog', name: toBytes(name) }, (page) => {
    for (const { newOid, committer, messageBytes } of decodeReflog(Uint8Array.from(page))) {
      const who = fromBytes(committer.raw)
      const stamp = readStamp(who.slice(who.indexOf('>') + 1)) ?? { seconds: 0n, zone: 0 }
      entries.push({ oid: newOid, stamp, message: fromBytes(messageBytes) })
    }
  })
  return entries
}

/** Shows the changes of all logs, the newest first; the order within each log is kept. */
function show({ io, reader }: Opened, logs: readonly Log[], flags: Flags): void {
  const lines = new Lines(io)
  let left = flags.count
  let skip = flags.skip
  while (left > 0) {
    let best: { log: Log; entry: Entry; oid: string } | undefined
    for (const log of logs) {
      const next = nextOf(reader, log)
      if (next && (!best || next.entry.stamp.seconds > best.entry.stamp.seconds)) best = next
    }
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

/** Advances a log to its next change that led to a commit, and returns that change. */
function nextOf(reader: Reader, log: Log): { log: Log; entry: Entry; oid: string } | undefined {
  for (; log.at < log.entries.length; log.at++) {
    const entry = log.entries[log.at]
    if (entry?.oid && reader.info(entry.oid)?.type === 'commit') {
      return { log, entry, oid: entry.oid }
    }
  }
  return undefined
}
