/** The commits of `log -g`: those that refs pointed at, by their reflogs. */

import { fatal } from '../base/exit.js'
import type { Opened } from '../opening/command.js'
import type { LoggedChange } from '../pretty/pretty-context.js'
import { type Logged, logOf, newest } from '../refs/reflog-walk.js'
import { shortenRefname } from '../refs/refnames.js'
import { textOfBytes } from '../text/bytes.js'
import { type CommitList, NO_MARKS } from './commit-list.js'
import type { ListedCommit } from './log-printer.js'

export const LIMITING = 'cannot combine --walk-reflogs with history-limiting options'

/** Passes the commits to `use`, which returns `false` if it has shown none. */
export function eachLogged(
  opened: Opened,
  commits: CommitList,
  use: (commit: ListedCommit) => unknown,
): void {
  refuse(commits)
  const { reader } = opened
  const excluded = commits.revisions.tips.find(({ excluded }) => excluded)
  if (excluded) throw fatal(`cannot walk reflogs for ${textOfBytes(excluded.name)}`)
  const found = commits.revisions.tips.map(({ name }) => logOf(opened, name))
  const logs = found.filter((log) => log !== null)
  let { limit: left = Number.POSITIVE_INFINITY, skip = 0 } = commits.options.flags
  for (let next = newest(reader, logs); next && left > 0; next = newest(reader, logs)) {
    const reflog = shownChange(opened, commits, next)
    next.log.at++
    if (!commits.options.matchesLogged(next.entry.message)) continue
    if (!commits.selects(next.oid, true)) continue
    if (skip > 0) skip--
    else if (use({ ...commits.single(next.oid), ...NO_MARKS, reflog }) !== false) left--
  }
}

function refuse({ hasGraph, options, pretty, revisions, showsSource }: CommitList): void {
  const { flags, lines, simplify } = options
  if (flags.reverse) {
    throw fatal("options '--reverse' and '--walk-reflogs' cannot be used together")
  }
  if (hasGraph || lines.has('children') || flags.order !== undefined) throw fatal(LIMITING)
  const isDated = [flags.since, flags.until, flags.listedSince].some((date) => date !== undefined)
  const others = [...lines].some((name) => name !== 'parents')
  const isLimited = [...simplify].some((name) => name !== 'fullHistory')
  if (
    [isDated, others, isLimited, showsSource, pretty.showsSource, !revisions.walks].some(Boolean)
  ) {
    throw fatal('packlens does not support -g with such an option')
  }
}

function shownChange(
  { reader }: Opened,
  { pretty }: CommitList,
  { log, entry }: Logged,
): LoggedChange {
  const date = log.numbered ? null : pretty.givenDate()
  const place = `@{${date ? date(entry.stamp) : log.at}}`
  const short = log.name.startsWith('refs/') ? shortenRefname(reader, log.name, false) : log.name
  const who = entry.who.slice(0, entry.who.indexOf('>') + 1)
  return {
    selector: log.name + place,
    short: short + place,
    message: entry.message,
    who,
    ident: entry.who,
  }
}
