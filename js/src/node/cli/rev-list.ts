/** `rev-list`: lists commits, the newest first. */
import type { MaybePromise } from '../../base/maybe.js'
import { whenReady } from '../../base/maybe.js'
import type { Command } from './command.js'
import { CommitList } from './commit-list.js'
import { compileQuickly } from './compiler.js'
import { Exit, fatal } from './exit.js'
import { HISTORY_OPTIONS } from './history-options.js'
import { Help } from './options.js'
import { RevListFormat } from './rev-list-format.js'
import { didYouMean, nearest } from './suggest.js'
import { safeBytes } from './terminal.js'
import { walk } from './walk.js'

const USAGE = `usage: packlens rev-list [<options>] <commit>... [--] [<path>...]

  limiting output:
    -n <n>, --max-count=<n>
    --skip=<n>
    --max-age=<epoch>, --since=<date>, --after=<date>
    --min-age=<epoch>, --until=<date>, --before=<date>
    --since-as-filter=<date>
    --author=<pattern>
    --committer=<pattern>
    --grep=<pattern>
    --all-match
    --invert-grep
    -i, --regexp-ignore-case
    -G, --basic-regexp
    -E, --extended-regexp
    -F, --fixed-strings
    --merges
    --no-merges
    --first-parent
    --exclude-first-parent-only
    --min-parents=<n>, --no-min-parents
    --max-parents=<n>, --no-max-parents
    --left-only
    --right-only
    --ancestry-path[=<commit>]
    --not
    --all
    --branches[=<pattern>], --tags[=<pattern>], --remotes[=<pattern>]
    --glob=<pattern>
    --exclude=<pattern>   for the next of --all, --branches, --tags, --remotes, --glob
    --ignore-missing
    --no-walk[=(sorted|unsorted)], --do-walk
    --cherry-pick, --cherry-mark, --cherry
    --stdin               read revisions and paths from standard input
  history simplification:
    --full-history
    --dense
    --sparse
    --simplify-merges
    --simplify-by-decoration
    --show-pulls
  ordering output:
    --topo-order
    --date-order
    --author-date-order
    --reverse
  formatting output:
    --pretty[=<format>], --format=<format>, --oneline, --header
    --[no-]commit-header
    --[no-]abbrev-commit, --abbrev=<n>, --no-abbrev
    --date=<style>
    --encoding=<encoding>
    --graph
    --timestamp
    -z
    --parents
    --children
    --boundary
    --left-right
    --count
    --objects
    --[no-]object-names
    --quiet               print nothing; the exit code says whether all is readable
  special purpose:
    --use-bitmap-index
`

const KNOWN = [
  ...HISTORY_OPTIONS,
  ...['--not', '--all', '--branches', '--tags', '--remotes', '--glob', '--exclude', '--stdin'],
  ...['--no-walk', '--do-walk', '--ignore-missing', '--object-names', '--no-object-names'],
  '--quiet',
]

/** The options that git has and packlens lacks. */
const UNSUPPORTED = new RegExp(
  `^(-g|--(${[
    'progress',
    'bisect(-\\w+)?|maximal-only|remove-empty|in-commit-order|reflog|walk-reflogs',
    'single-worktree|exclude-hidden|alternate-refs|indexed-objects|unpacked',
    'missing|filter|filter-print-omitted|filter-provided-objects|disk-usage',
    'exclude-promisor-objects|objects-edge(-aggressive)?|test-bitmap|verify-objects',
  ].join('|')}))(=|$)`,
)

/** Options of `log` that `rev-list` does not know. */
const LOG_ONLY = /^--(no-)?(decorate|mailmap|use-mailmap|notes)(=|$)/

export function revList(command: Command, args: readonly string[]): MaybePromise<number> {
  if (args.includes('-h') || args.includes('--help')) throw new Help(USAGE)
  compileQuickly('walk')
  const opened = command.open()
  const commits = new CommitList(opened, args, { isLog: false })
  const shown = new RevListFormat()
  let names = true
  let quiet = false
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] ?? ''
    const rest = args.slice(at)
    const isOfLog = LOG_ONLY.test(arg)
    const taken =
      commits.revisions.take(rest) ?? shown.take(arg) ?? (isOfLog ? null : commits.take(rest))
    if (taken !== null) at += taken
    else if (arg === '--object-names' || arg === '--no-object-names') {
      names = arg === '--object-names'
    } else if (arg === '--quiet') quiet = true
    else if (UNSUPPORTED.test(arg)) throw fatal(`packlens rev-list does not support ${arg}`)
    else throw new Exit(129, `${didYouMean(nearest(arg.replace(/=.*/s, ''), KNOWN))}${USAGE}`)
  }
  const { options, revisions } = commits
  if (!revisions.given && !revisions.readsInput) throw new Exit(129, USAGE)
  const { io, reader } = opened
  const { count = false, objects = false } = options.flags
  const isFormatted = shown.isWanted(commits)
  if (quiet && (count || isFormatted)) {
    throw fatal('packlens rev-list does not support --quiet with --count or formats')
  }
  if (isFormatted && !count) {
    if (objects) throw fatal('packlens rev-list does not support formats with --objects')
    shown.print(opened, commits)
    return 0
  }
  const request = {
    ...options.question(),
    order: revisions.orderOf(options.flags.order),
    specs: reader.specs(revisions.specs),
    paths: revisions.pathspec,
  }
  const isNamed = names || !objects || count
  const listed = walk(opened, request, (page) => {
    if (!quiet) return io.write(isNamed ? safeBytes(io, page) : withoutNames(page))
  })
  return whenReady(listed, () => 0)
}

/** Removes the names after the ids of a page. */
function withoutNames(page: Uint8Array): Uint8Array {
  const ids = Buffer.from(page).toString('latin1').replace(/ .*$/gm, '')
  return Buffer.from(ids, 'latin1')
}
