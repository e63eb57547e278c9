/** The command line of `log` and `show`: options, revisions and paths in any order. */

import { Exit, fatal, unrecognized } from '../base/exit.js'
import { Lines } from '../base/output.js'
import { logPalette } from '../color/color-config.js'
import { type DiffArgs, outputOf, settle } from '../diff/diff-args.js'
import { LineLog } from '../line-log/line-log.js'
import type { Opened } from '../opening/command.js'
import { CommitList } from './commit-list.js'
import { FollowedFile, mayFollow } from './followed-file.js'
import { LogDiffArgs, type LogDiffs, type MergeDiffs } from './log-args.js'
import { type ListedCommit, LogPrinter } from './log-printer.js'
import { eachLogged, LIMITING } from './reflog-log.js'

/** Options that git has and packlens lacks. */
const UNSUPPORTED = new RegExp(
  `^(-P|--(${[
    'log-size|show-signature',
    'show-linear-break',
    'simplify-forks|notes|show-notes|standard-notes',
    'unpacked|indexed-objects',
    'maximal-only|in-commit-order|single-worktree|alternate-refs|merge',
    'remerge-diff',
    'ext-diff|textconv|ignore-submodules|submodule',
    'output|anchored',
    'exit-code|quiet|text|perl-regexp',
  ].join('|')}))(=|$)`,
)

/** What the defaults of a command are. */
export interface LogDefaults {
  readonly name: 'log' | 'show'
  /** How merges are compared, unless only first parents are followed. */
  readonly merges: MergeDiffs
  /** Whether patches are printed without another format. */
  readonly showsPatch: boolean
}

/** The parsed command line, and what prints commits as it says. */
export class LogCommand {
  readonly opened: Opened
  readonly commits: CommitList
  /** Where output goes, once the options are settled: see {@link LogCommand.printer}. */
  lines: Lines
  readonly #defaults: LogDefaults
  readonly #diffs: LogDiffArgs
  /** The values of `-L`. */
  readonly #lineArgs: string[] = []
  #lineLog: LineLog | null = null
  /** Whether reflogs are walked: `-g`. */
  walksReflogs = false

  constructor(opened: Opened, args: readonly string[], defaults: LogDefaults) {
    this.opened = opened
    this.#defaults = defaults
    this.#diffs = new LogDiffArgs(opened)
    this.commits = new CommitList(opened, args, { isLog: true })
    this.commits.pretty.configure()
    this.commits.choosesRefs = true
    this.lines = new Lines(opened.io)
    for (let at = 0; at < args.length; at++) at += this.#take(args.slice(at))
    if (this.#diffs.wantsFullHistory) this.commits.options.simplify.add('fullHistory')
    this.commits.checkGraph()
    if (!this.walksReflogs) this.commits.options.refuseLogged()
  }

  #take(args: readonly string[]): number {
    const [arg = ''] = args
    const { revisions } = this.commits
    if (revisions.endsOptions) return revisions.take(args) ?? 0
    if (arg === '--source' && this.#defaults.name === 'log') {
      this.commits.showsSource = true
      return 0
    }
    if (/^--follow(=|$)/.test(arg) && this.#defaults.name === 'show') {
      throw fatal('packlens show does not support --follow')
    }
    if (arg === '--full-diff') {
      this.commits.isFullDiff = true
      return 0
    }
    if (arg === '-g' || arg === '--walk-reflogs') {
      this.walksReflogs = true
      return 0
    }
    if (arg.startsWith('-L')) return this.#takeLines(args)
    const taken = revisions.take(args) ?? this.#diffs.take(args) ?? this.commits.take(args)
    if (taken !== null) return taken
    if (UNSUPPORTED.test(arg)) {
      throw fatal(`packlens ${this.#defaults.name} does not support ${arg}`)
    }
    throw unrecognized(arg)
  }

  #takeLines([arg = '', next]: readonly string[]): number {
    const value = arg === '-L' ? next : arg.slice('-L'.length)
    if (value === undefined) throw new Exit(129, "error: switch `L' requires a value\n")
    this.#lineArgs.push(value)
    return arg === '-L' ? 1 : 0
  }

  /** Returns what prints commits. */
  printer(): LogPrinter {
    const { isFullDiff, options, pretty, revisions } = this.commits
    const pathspec = isFullDiff ? undefined : revisions.pathspec
    const merges = options.flags.firstParent ? 'first-parent' : this.#defaults.merges
    const followsLines = this.#lineArgs.length > 0
    const showsPatch = this.#defaults.showsPatch || followsLines
    if (options.matching.has('ignoreCase')) this.#diffs.ignoreCase()
    const colors = logPalette(this.opened.settings)
    settle(this.#diffs.args, this.opened.io, { palette: colors, isStrict: false })
    const diffs = this.#diffs.diffs({
      ...{ merges, pathspec, showsPatch, isFull: isFullDiff, follows: this.#followsByDefault },
      follow: (renames) => this.#follow(renames),
    })
    if (diffs.file) this.#limitTo(diffs.file, diffs)
    if (followsLines && this.walksReflogs) throw fatal(LIMITING)
    if (followsLines) this.#lineLog = this.#linesOf(diffs)
    const { lines } = options
    const { palette } = diffs
    this.lines = outputOf(diffs, this.opened.io)
    const out = this.commits.output(this.lines, palette, this.#lineLog?.isListed)
    this.commits.countsShown = diffs.choosesCommits
    return new LogPrinter(this.opened, out, {
      pretty: pretty.pretty(this.opened, {
        ...{ digits: diffs.digits, showsNotes: true, palette },
        searched: options.searched,
      }),
      diffs,
      showsParents: lines.has('parents'),
      showsChildren: lines.has('children'),
      showsSource: this.commits.showsSource,
      lines: this.#lineLog,
    })
  }

  /** Whether the configuration says that one path is followed, and it can be. */
  get #followsByDefault(): boolean {
    if (this.#defaults.name !== 'log' || this.commits.isFullDiff) return false
    const { io, settings } = this.opened
    return settings.flag('log.follow') === true && mayFollow(io, this.commits.revisions.paths)
  }

  #follow(renames: DiffArgs['renames']): FollowedFile {
    const { isFullDiff, revisions } = this.commits
    const paths = isFullDiff ? [] : revisions.paths
    return new FollowedFile(this.opened, paths, revisions.pathspec, renames)
  }

  /** Walks over the commits that change the file, or over all where a graph shows others too. */
  #limitTo(file: FollowedFile, { merges, renames, showTrees }: LogDiffs): void {
    if (showTrees) throw fatal('packlens log does not support --follow with -t')
    if (merges === 'combined' || merges === 'dense') {
      throw fatal('packlens log does not support --follow with -c or --cc')
    }
    const { hasGraph, options, revisions } = this.commits
    const isFirst = merges === 'first-parent' && options.flags.firstParent
    const isPlain = (merges === 'off' && !options.flags.firstParent) || isFirst
    if (hasGraph || !isPlain || renames.splitScore !== undefined) revisions.pathspec = undefined
    else options.flags = { ...options.flags, follow: file.score }
  }

  #linesOf(diffs: LogDiffs): LineLog {
    const { stat, numstat, shortstat, renames } = diffs
    const { dirStat, check } = diffs
    if (stat || numstat || shortstat || dirStat || check || this.commits.isFullDiff) {
      throw fatal('-L does not yet support the requested diff format')
    }
    const isLimited = this.commits.options.flags.limit !== undefined
    if (
      // Commits without such changes are left out, which the limit of their number does not know.
      (diffs.choosesCommits && (isLimited || this.commits.rewrites())) ||
      renames.renames?.startsWith('copies')
    ) {
      throw fatal('packlens log does not support -L with such an option')
    }
    return new LineLog(this.opened, this.commits, this.#lineArgs, diffs)
  }

  /** Returns a commit that was named itself; without a walk, lines that are followed count as new. */
  single(oid: string): ListedCommit {
    const commit = this.commits.single(oid)
    this.#lineLog?.takeWhole(commit)
    return commit
  }

  /** The exit code: 2 if errors of white space were looked for, and found. */
  get exit(): number {
    return this.#diffs.args.check?.hasErrors ? 2 : 0
  }

  /** Prints the commits of a walk; if it fails, what was found before. */
  walk(): void {
    const printer = this.printer()
    try {
      this.#walk(printer)
    } finally {
      this.lines.flush()
    }
  }

  #walk(printer: LogPrinter): void {
    if (this.commits.oldest !== null && (this.walksReflogs || this.#lineLog)) {
      throw fatal('packlens log does not support --max-count-oldest with -g or -L')
    }
    if (this.walksReflogs) {
      eachLogged(this.opened, this.commits, (commit) => printer.print(commit))
      return
    }
    if (this.#lineLog) {
      if (!this.commits.revisions.walks)
        throw fatal('packlens log does not support -L with --no-walk')
      const ahead = this.commits.ahead((commit) => {
        printer.print(commit)
        this.lines.flush()
      })
      this.#lineLog.each((commit) => ahead.add(commit))
      ahead.end()
      return
    }
    this.commits.each(
      (commit) => printer.print(commit),
      () => this.lines.flush(),
    )
  }
}
