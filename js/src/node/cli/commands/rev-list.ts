/** `rev-list`: lists commits, the newest first. */
import type { MaybePromise } from '../../../base/maybe.js'
import { whenReady } from '../../../base/maybe.js'
import { compileQuickly } from '../base/compiler.js'
import { fatal, Help, Misused } from '../base/exit.js'
import type { Io } from '../base/io.js'
import { safeBytes } from '../base/terminal.js'
import { BisectArgs, type EachCommit } from '../log/bisect-args.js'
import { listByBitmaps, requestedIds } from '../log/bitmap-list.js'
import { CommitList } from '../log/commit-list.js'
import { DiskUsage } from '../log/disk-usage.js'
import { ObjectFilterArgs } from '../log/object-filter-args.js'
import { eachLogged } from '../log/reflog-log.js'
import { RevListFormat } from '../log/rev-list-format.js'
import { listUnpacked } from '../log/unpacked.js'
import type { Command, Opened } from '../opening/command.js'
import { walk } from '../repository/walk.js'

/** The options that git has and packlens lacks. */
const UNSUPPORTED = new RegExp(
  `^--(${[
    'progress',
    'maximal-only|in-commit-order',
    'single-worktree|alternate-refs|indexed-objects',
    'exclude-promisor-objects|objects-edge(-aggressive)?|test-bitmap|verify-objects',
  ].join('|')})(=|$)`,
)

/** Options of `log` that `rev-list` does not know. */
const LOG_ONLY =
  /^--((no-)?(decorate(-refs(-exclude)?)?|mailmap|use-mailmap|notes)|clear-decorations)(=|$)/

export function revList(command: Command, args: readonly string[]): MaybePromise<number> {
  if (args.includes('-h') || args.includes('--help')) throw new Help()
  compileQuickly()
  const opened = command.open()
  const commits = new CommitList(opened, args, { isLog: false })
  const shown = new RevListFormat()
  const filters = new ObjectFilterArgs()
  const bisect = new BisectArgs()
  const usage = new DiskUsage()
  commits.revisions.mayMiss = ObjectFilterArgs.mayMiss(args)
  let walksReflogs = false
  let names = true
  let quiet = false
  let isUnpacked = false
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] ?? ''
    const rest = args.slice(at)
    const isOfLog = LOG_ONLY.test(arg)
    const taken =
      (commits.revisions.endsOptions ? null : bisect.take(arg)) ??
      commits.revisions.take(rest) ??
      shown.take(arg) ??
      filters.take(arg) ??
      (commits.revisions.endsOptions ? null : usage.take(arg)) ??
      (isOfLog ? null : commits.take(rest))
    if (taken !== null) at += taken
    else if (arg === '--object-names' || arg === '--no-object-names') {
      names = arg === '--object-names'
    } else if (arg === '--quiet') quiet = true
    else if (arg === '--unpacked') isUnpacked = true
    else if (arg === '-g' || arg === '--walk-reflogs') walksReflogs = true
    else if (UNSUPPORTED.test(arg)) throw fatal(`packlens rev-list does not support ${arg}`)
    else throw new Misused('', arg)
  }
  const { options, revisions } = commits
  if (!revisions.given && !revisions.readsInput) throw new Misused()
  commits.checkGraph()
  if (!walksReflogs) options.refuseLogged()
  const { io, reader } = opened
  const { count = false, objects = false } = options.flags
  const isFormatted = shown.isWanted(commits)
  if (usage.isWanted && (bisect.isWanted || walksReflogs || shown.isNulTerminated)) {
    throw fatal('packlens rev-list does not support --disk-usage with --bisect, -g or -z')
  }
  if (quiet && (count || isFormatted) && !usage.isWanted) {
    throw fatal('packlens rev-list does not support --quiet with --count or formats')
  }
  if (isUnpacked && (bisect.isWanted || walksReflogs || usage.isWanted || isFormatted)) {
    throw fatal('packlens rev-list does not support --unpacked with such an option')
  }
  if (bisect.isWanted || walksReflogs) {
    if (objects || quiet || (bisect.isWanted && walksReflogs)) {
      throw fatal('packlens rev-list does not support --bisect and -g with such an option')
    }
    if (walksReflogs) return printLogged(opened, commits, count ? null : shown)
    return bisect.run(opened, commits, (each, names) => {
      if (count) printCount(io, each)
      else shown.print(opened, commits, { each, names })
    })
  }
  if (isFormatted && !count && !usage.isWanted) {
    if (objects) throw fatal('packlens rev-list does not support formats with --objects')
    shown.print(opened, commits)
    return 0
  }
  const request = {
    ...revisions.limited(options.question()),
    ...filters.question(reader, options.flags),
    specs: reader.specs(revisions.specs),
  }
  const isKept =
    options.flags.useBitmaps && objects
      ? filters.keepsOfBitmaps(() => requestedIds(opened, revisions.tips))
      : null
  if (isKept) {
    const plain = { ...request, filtered: options.flags.filtered }
    let listed = 0
    const isListed = listByBitmaps(opened, plain, isKept, (all) => {
      const oids = isUnpacked ? all.filter((oid) => !reader.isPacked(oid)) : all
      listed += oids.length
      if (count) return
      if (usage.isWanted) for (const oid of oids) usage.add(opened, oid)
      else io.write(Buffer.from(oids.map((oid) => `${oid}\n`).join('')))
    })
    if (isListed && (count || usage.isWanted)) {
      io.write(Buffer.from(`${count ? listed : usage.total}\n`))
    }
    if (isListed) return 0
  }
  if (usage.isWanted) {
    usage.print(opened, request)
    return 0
  }
  const isNamed = names || !objects || count
  const print = (page: Uint8Array) => {
    const lines = filters.quoted(page, opened.quote)
    if (quiet) return io.write(tailOf(lines))
    return io.write(isNamed ? safeBytes(io, lines) : withoutNames(lines))
  }
  if (!isUnpacked) return whenReady(walk(opened, request, print), () => 0)
  if (filters.printsOmitted) {
    throw fatal('packlens rev-list does not support --unpacked with --filter-print-omitted')
  }
  listUnpacked(opened, request, print)
  return 0
}

/** Prints the commits that reflogs have, without what these say of them, or their number. */
function printLogged(opened: Opened, commits: CommitList, shown: RevListFormat | null): number {
  const listed = new Set<string>()
  const each: EachCommit = (use) =>
    eachLogged(opened, commits, (commit) => {
      const { oid } = commit.content
      // git forgets the parents of a commit once it has listed it.
      const parents = listed.has(oid) ? [] : commit.parents
      listed.add(oid)
      return use({ ...commit, parents, reflog: undefined })
    })
  if (shown) shown.print(opened, commits, { each })
  else printCount(opened.io, each)
  return 0
}

function printCount(io: Io, each: EachCommit): void {
  let count = 0
  each(() => count++)
  io.write(Buffer.from(`${count}\n`))
}

/** Returns the lines about objects that a filter omitted, or that are missing. */
function tailOf(page: Uint8Array): Uint8Array {
  const lines =
    Buffer.from(page)
      .toString('latin1')
      .match(/^[~?].*\n/gm) ?? []
  return Buffer.from(lines.join(''), 'latin1')
}

/** Removes the names after the ids of a page. */
function withoutNames(page: Uint8Array): Uint8Array {
  const ids = Buffer.from(page)
    .toString('latin1')
    .replace(/^([^? \n]+) .*$/gm, '$1')
  return Buffer.from(ids, 'latin1')
}
