/** Walks over the changes of refs that reflogs have. */
import { decodeReflog } from '../../../objects/reflog.js'
import { fatal } from '../base/exit.js'
import { readStamp, type Stamp } from '../dates/dates.js'
import type { Opened } from '../opening/command.js'
import type { Reader } from '../repository/reader.js'
import { bytesOfArgument, fromBytes, textOfBytes, toBytes } from '../text/bytes.js'
import { listRefs, namesOfRules, readRef, shortenRefname } from './refnames.js'

/** A reflog, and `at`, the position of its listing. */
export interface Log {
  /** The name to show. */
  readonly name: string
  readonly entries: readonly Entry[]
  /** Whether changes are shown by number even with `--date`, because the user gave a number. */
  readonly numbered: boolean
  at: number
}

export interface Entry {
  readonly oid: string | null
  readonly stamp: Stamp
  readonly message: string
  /** Who made the change, with a date. */
  readonly who: string
}

/** A change that is shown next. */
export interface Logged {
  readonly log: Log
  readonly entry: Entry
  readonly oid: string
}

/** Returns the reflog that a revision names, from the change on that it names. */
export function logOf({ reader }: Opened, given: string): Log | null {
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

/** Returns the reflogs of all refs and of `HEAD`. */
export function allLogs(opened: Opened): Log[] {
  const { reader } = opened
  const names = listRefs(reader, 'refs/').map(({ nameBytes }) => fromBytes(nameBytes))
  const logs = [...names, 'HEAD'].map((name) => {
    const oid = readRef(reader, name)?.oid
    return oid && reader.info(oid)?.type === 'commit' ? logOf(opened, name) : null
  })
  return logs.filter((log) => log !== null)
}

/** Returns the objects that reflogs lead to and from, as far as they exist. */
export function loggedObjects(reader: Reader): { name: string; oid: string }[] {
  const names = listRefs(reader, 'refs/').map(({ nameBytes }) => fromBytes(nameBytes))
  const found = new Map<string, { name: string; oid: string }>()
  for (const name of ['HEAD', ...names]) {
    const oids: (string | null)[] = []
    reader.pages({ kind: 'reflog', name: toBytes(name) }, (page) => {
      for (const { oldOid, newOid } of decodeReflog(Uint8Array.from(page))) {
        oids.push(newOid, oldOid)
      }
    })
    // The oldest change first: the order of revisions decides between commits of one date.
    for (const oid of oids.reverse()) {
      if (oid !== null && !found.has(oid) && reader.info(oid)) found.set(oid, { name, oid })
    }
  }
  return [...found.values()]
}

/** Returns the ref that `HEAD` points at, after following symbolic refs. */
export function currentRef(reader: Reader): string {
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
      entries.push({ oid: newOid, stamp, message: fromBytes(messageBytes), who })
    }
  })
  return entries
}

/** Returns the newest change of all logs that led to a commit; the order within each is kept. */
export function newest(reader: Reader, logs: readonly Log[]): Logged | undefined {
  let best: Logged | undefined
  for (const log of logs) {
    const next = nextOf(reader, log)
    if (next && (!best || next.entry.stamp.seconds > best.entry.stamp.seconds)) best = next
  }
  return best
}

/** Advances a log to its next change that led to a commit, and returns that change. */
function nextOf(reader: Reader, log: Log): Logged | undefined {
  for (; log.at < log.entries.length; log.at++) {
    const entry = log.entries[log.at]
    if (entry?.oid && reader.info(entry.oid)?.type === 'commit') {
      return { log, entry, oid: entry.oid }
    }
  }
  return undefined
}
