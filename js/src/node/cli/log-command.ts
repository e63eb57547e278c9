/** The command line of `log` and `show`: options, revisions and paths in any order. */
import type { RevListQuestion } from '../../base/protocol.js'
import type { Opened } from './command.js'
import { type CommitContent, readCommit } from './commit-content.js'
import { fatal } from './exit.js'
import { GraphLines } from './graph-lines.js'
import { HistoryOptions } from './history-options.js'
import { HistoryRevisions } from './history-revisions.js'
import { LogDiffArgs, type MergeDiffs } from './log-args.js'
import { type LogLines, PlainLines } from './log-lines.js'
import { type ListedCommit, LogPrinter } from './log-printer.js'
import { Lines } from './output.js'
import { realParents } from './parents.js'
import { PrettyArgs } from './pretty-args.js'
import { walkSlowly } from './walk.js'

/** Options that git has and packlens lacks. */
const UNSUPPORTED = new RegExp(
  `^(-[gLSGOWP]|--(${[
    'follow|no-follow|source|log-size|show-signature|line-prefix|color|color-words|word-diff',
    'walk-reflogs|reflog|cherry(-mark|-pick)?|bisect|no-walk|do-walk|stdin|show-linear-break',
    'simplify-forks|author-date-order|after|before|notes|show-notes|standard-notes',
    'branches|tags|remotes|glob|exclude|exclude-hidden|ignore-missing|unpacked|indexed-objects',
    'maximal-only|remove-empty|in-commit-order|single-worktree|alternate-refs|merge',
    'decorate-refs|decorate-refs-exclude|clear-decorations|remerge-diff|combined-all-paths',
    'dirstat|compact-summary|binary|check|ext-diff|textconv|ignore-submodules|submodule',
    'relative|pickaxe-(all|regex)|diff-filter|find-object|function-context|src-prefix',
    'dst-prefix|no-prefix|default-prefix|output|ws-error-highlight|color-moved|anchored',
    'irreversible-delete|ignore-matching-lines|exit-code|quiet|text|rotate-to|skip-to|perl-regexp',
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
  readonly options: HistoryOptions
  readonly revisions: HistoryRevisions
  readonly pretty: PrettyArgs
  readonly lines: Lines
  readonly #defaults: LogDefaults
  readonly #diffs = new LogDiffArgs()
  #isFullDiff = false
  #hasGraph = false

  constructor(opened: Opened, args: readonly string[], defaults: LogDefaults) {
    this.opened = opened
    this.#defaults = defaults
    this.options = new HistoryOptions(opened, defaults.name)
    this.revisions = new HistoryRevisions(opened, defaults.name, args)
    this.pretty = new PrettyArgs(true)
    this.lines = new Lines(opened.io)
    for (let at = 0; at < args.length; at++) at += this.#take(args.slice(at))
    if (this.#diffs.wantsFullHistory) this.options.simplify.add('fullHistory')
  }

  #take(args: readonly string[]): number {
    const [arg = '', next] = args
    if (arg === '--full-diff') this.#isFullDiff = true
    else if (arg === '--graph' || arg === '--no-graph') this.#hasGraph = arg === '--graph'
    else {
      const taken =
        this.revisions.take(args) ??
        this.#diffs.take(args) ??
        this.options.take(arg, next) ??
        this.pretty.take(arg, next)
      if (taken !== null) return taken
      if (UNSUPPORTED.test(arg)) {
        throw fatal(`packlens ${this.#defaults.name} does not support ${arg}`)
      }
      throw fatal(`unrecognized argument: ${arg}`)
    }
    return 0
  }

  /** Returns what prints commits. */
  printer(): LogPrinter {
    const { reader } = this.opened
    const { paths } = this.revisions
    const limit = paths.length > 0 && !this.#isFullDiff ? reader.specs(paths) : undefined
    const merges = this.options.flags.firstParent ? 'first-parent' : this.#defaults.merges
    const diffs = this.#diffs.diffs(merges, limit, this.#defaults.showsPatch)
    const { lines } = this.options
    const out: LogLines = this.#hasGraph
      ? new GraphLines(this.lines, {
          firstParent: this.options.flags.firstParent === true,
          showsMarks: lines.has('leftRight'),
          hasBoundaries: lines.has('boundary'),
          isListed: this.#listed(),
        })
      : new PlainLines(this.lines)
    // With all changes of a path's commits, every commit is compared.
    diffs.mergesOnly &&= !this.#isFullDiff
    return new LogPrinter(this.opened, out, {
      pretty: this.pretty.pretty(this.opened, diffs.digits, true),
      diffs,
      showsMarks: lines.has('leftRight'),
      showsParents: lines.has('parents'),
      showsChildren: lines.has('children'),
    })
  }

  /** Prints the commits of a walk. */
  walk(): void {
    const printer = this.printer()
    const { encoding } = this.pretty
    const rewrites = this.#rewrites()
    const children = this.options.lines.has('children')
    walkSlowly(this.opened, this.#question(rewrites), (page) => {
      for (const line of Buffer.from(page).toString('latin1').split('\n').slice(0, -1)) {
        const mark = /^[-<>]?/.exec(line)?.[0] ?? ''
        const [own = '', below = ''] = line.slice(mark.length).split('  ')
        const [oid = '', ...parents] = own.split(' ')
        const content = readCommit(this.opened.reader, oid, encoding)
        printer.print({
          ...this.#neighbours(content, mark, rewrites ? parents : null),
          ...{ content, mark },
          children: children && below !== '' ? below.split(' ') : [],
        })
      }
      // Each page is shown before the next is listed.
      this.lines.flush()
    })
    this.lines.flush()
  }

  /** Returns whether options and paths select a commit that was named itself. */
  selects(oid: string): boolean {
    const { reader } = this.opened
    const { paths } = this.revisions
    const content = readCommit(reader, oid, this.pretty.encoding)
    const parents = realParents(this.opened, content)
    const question = this.options.question()
    const specs = reader.specs([oid, ...parents.map((parent) => `^${parent}`)])
    let isListed = false
    reader.pages({ ...question, lines: [], specs }, () => {
      isListed = true
    })
    if (paths.length === 0 || !isListed) return isListed
    if (parents.length === 0) return this.#differs(undefined, oid)
    const differs = (parent: string) => this.#differs(parent, oid)
    const isFull = this.options.simplify.has('fullHistory')
    return isFull ? parents.some(differs) : parents.every(differs)
  }

  /** Returns whether a commit has the paths otherwise than another. */
  #differs(old: string | undefined, oid: string): boolean {
    const { reader } = this.opened
    let isFound = false
    const paths = reader.specs(this.revisions.paths)
    reader.pages({ kind: 'diff', old, new: oid, paths }, () => {
      isFound = true
    })
    return isFound
  }

  /** A boundary that has the paths as a parent has them is shown with this parent only. */
  #simplified(oid: string, mark: string, parents: readonly string[]): readonly string[] {
    const isWhole = this.revisions.paths.length === 0 || this.options.simplify.has('fullHistory')
    if (mark !== '-' || isWhole || parents.length < 2) return parents
    const same = parents.find((parent) => !this.#differs(parent, oid))
    return same === undefined ? parents : [same]
  }

  /** Returns a commit for the printer that was named itself. */
  single(oid: string): ListedCommit {
    const content = readCommit(this.opened.reader, oid, this.pretty.encoding)
    return { ...this.#neighbours(content, '', null), content, mark: '', children: [] }
  }

  #neighbours(content: CommitContent, mark: string, listed: readonly string[] | null) {
    const real = () => realParents(this.opened, content)
    const parents = listed ?? this.#simplified(content.oid, mark, real())
    return { parents, compared: this.#isFullDiff && listed ? real() : parents }
  }

  /** Whether parents are replaced by the nearest listed ancestors. */
  #rewrites(): boolean {
    const { lines, simplify } = this.options
    if (lines.has('parents') || lines.has('children') || this.#hasGraph) return true
    return simplify.has('simplifyMerges') || simplify.has('simplifyByDecoration')
  }

  /** Returns what tells whether a commit is listed, apart from limits of their number. */
  #listed(): (oid: string) => boolean {
    const { flags, lines } = this.options
    const { firstParent, reverse, limit, skip, order, ...filters } = flags
    const question = this.#question(true)
    const isFiltered = Object.values(filters).some((value) => value !== undefined)
    const { patterns = [], ancestryPathOf = [] } = question
    const hasOthers = [patterns, ancestryPathOf].some(({ length }) => length > 0)
    const limits = lines.has('leftOnly') || lines.has('rightOnly')
    const isPlain = !isFiltered && !hasOthers && !limits && !this.revisions.excludes
    if (isPlain) return () => true
    const listed = new Set<string>()
    const asked = { ...question, limit: undefined, skip: undefined, lines: [] }
    walkSlowly(this.opened, asked, (page) => {
      for (const oid of Buffer.from(page).toString('latin1').split('\n')) listed.add(oid)
    })
    return (oid) => listed.has(oid)
  }

  #question(rewrites: boolean): RevListQuestion {
    const { reader } = this.opened
    const { paths, specs } = this.revisions
    const { lines } = this.options
    const own = this.options.question()
    const asked = new Set(lines)
    if (rewrites) asked.add('parents').add('spaced')
    if (this.pretty.showsMarks) asked.add('leftRight')
    if (this.#hasGraph && own.reverse) {
      throw fatal("options '--reverse' and '--graph' cannot be used together")
    }
    const isOrdered = own.order === 'date' || own.order === 'topo'
    return {
      ...own,
      ...(this.#hasGraph && !isOrdered ? { order: 'topo' } : {}),
      lines: [...asked],
      specs: reader.specs(specs),
      ...(paths.length > 0 ? { paths: reader.specs(paths) } : {}),
    }
  }
}
