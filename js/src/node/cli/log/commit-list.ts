/** The commits that options and revisions select, as commands show them. */
import type { RevListQuestion } from '../../../base/protocol.js'
import { fatal } from '../base/exit.js'
import type { Lines } from '../base/output.js'
import type { Palette } from '../color/palette.js'
import { LOOK_AHEAD } from '../log-graph/graph-indent.js'
import { GraphLines } from '../log-graph/graph-lines.js'
import type { Opened } from '../opening/command.js'
import { type CommitContent, readCommit } from '../pretty/commit-content.js'
import { PrettyArgs } from '../pretty/pretty-args.js'
import { realParents } from '../repository/parents.js'
import { walkSlowly } from '../repository/walk.js'
import { integerOf } from '../text/numbers.js'
import { CommitsAhead } from './commits-ahead.js'
import { HistoryOptions } from './history-options.js'
import { HistoryRevisions } from './history-revisions.js'
import { type LogLines, PlainLines } from './log-lines.js'
import type { ListedCommit } from './log-printer.js'

/** What only a walk knows of a commit. */
export const NO_MARKS = { mark: '', sign: '', children: [], source: '' }

/** Returns the ids of a row of a walk: of a commit, and of its parents if they are asked for. */
const idsOf = (row: string): string[] =>
  (row.split(/\t| {2}/)[0] ?? '').match(/[0-9a-f]{40,}/g) ?? []

export class CommitList {
  readonly #opened: Opened
  readonly #isLog: boolean
  readonly options: HistoryOptions
  readonly revisions: HistoryRevisions
  readonly pretty: PrettyArgs
  /** Commits are compared with their own parents, whether these are listed or not. */
  isFullDiff = false
  hasGraph = false
  /** Whether a graph moves commits without parents to the right, if an option says so. */
  indentsRoots: boolean | undefined
  #indentsByDefault: boolean | undefined
  #decorated: readonly string[] | null = null
  /** Only commits that are shown count for the limit. */
  countsShown = false
  /** How many of the oldest commits are shown; `null` for all: `--max-count-oldest`. */
  oldest: number | null = null
  /** Histories are simplified by the refs that decorate commits, not by all: as `log` does. */
  choosesRefs = false
  /** Commits are shown with the revision that the walk came from: `--source`. */
  showsSource = false

  constructor(opened: Opened, args: readonly string[], { isLog }: { isLog: boolean }) {
    this.#opened = opened
    this.#isLog = isLog
    this.options = new HistoryOptions(opened)
    this.revisions = new HistoryRevisions(opened, args)
    this.pretty = new PrettyArgs(opened, isLog)
    // Only graphs need it, and most walks need no other setting: reading them opens the files again.
    if (isLog) this.#readIndent()
  }

  /** Takes an option; returns how many arguments after it belong to it, `null` if none of these. */
  take([arg = '', next]: readonly string[]): number | null {
    if (arg === '--graph' || arg === '--no-graph') {
      this.hasGraph = arg === '--graph'
      return 0
    }
    if (arg === '--graph-indent' || arg === '--no-graph-indent') {
      this.indentsRoots = arg === '--graph-indent'
      return 0
    }
    const [, oldest] = (this.#isLog && /^--max-count-oldest=(.*)$/s.exec(arg)) || []
    if (oldest !== undefined) {
      const number = integerOf(oldest)
      if (number === null) throw fatal(`'${oldest}': not an integer`)
      if (number < 0) throw fatal('packlens does not support a negative --max-count-oldest')
      this.oldest = number
      return 0
    }
    // git's `log` takes these options of `rev-list`, and ignores them.
    if (this.#isLog && (arg === '--count' || arg === '--objects')) return 0
    if (this.#isLog && arg === '--use-bitmap-index') return null
    // As in git, a limit of their number means that commits are walked.
    if (/^(-n|-\d|--max-count)/.test(arg)) this.revisions.walk()
    return this.options.take(arg, next) ?? this.pretty.take(arg, next)
  }

  /** Returns where commits are printed: beside a graph, if there is one. */
  output(lines: Lines, palette: Palette | null, isListed?: (oid: string) => boolean): LogLines {
    if (!this.hasGraph) return new PlainLines(lines)
    const { flags, lines: shown } = this.options
    let included: ((oid: string) => boolean) | undefined
    return new GraphLines(lines, {
      firstParent: flags.firstParent === true,
      colors: palette?.graph ?? [],
      hasBoundaries: shown.has('boundary'),
      indentsRoots: this.#indents,
      isListed: isListed ?? this.listed(),
      // Few graphs ask.
      isIncluded: (oid) => {
        included ??= this.listed({ firstParent: undefined })
        return included(oid)
      },
    })
  }

  get #indents(): boolean {
    return this.indentsRoots ?? this.#readIndent()
  }

  #readIndent(): boolean {
    this.#indentsByDefault ??= this.#opened.settings.flag('log.graphIndent') ?? true
    return this.#indentsByDefault
  }

  /** Refuses options of a graph where none is drawn. */
  checkGraph(): void {
    if (this.indentsRoots === undefined || this.hasGraph) return
    throw fatal("the option '--[no-]graph-indent' requires '--graph'")
  }

  /** Returns what passes commits to `use` with those after them that a graph looks at. */
  ahead(use: (commit: ListedCommit) => unknown, left?: number): CommitsAhead {
    return new CommitsAhead(use, this.hasGraph && this.#indents ? LOOK_AHEAD : 0, left)
  }

  /**
   * Passes the commits of a walk to `use`; calls `endPage` before more are looked for. If only shown
   * commits count, `use` returns whether it has shown one.
   */
  each(use: (commit: ListedCommit) => unknown, endPage: () => void): void {
    const { limit, reverse, skip } = this.options.flags
    if (this.oldest !== null && (limit !== undefined || skip !== undefined)) {
      const other = limit !== undefined ? '--max-count' : '--skip'
      throw fatal(`options '${other}' and '--max-count-oldest' cannot be used together`)
    }
    const counts = this.countsShown && limit !== undefined && !reverse
    if (counts && limit === 0) return
    const ahead = this.ahead(use, counts ? limit : undefined)
    const { encoding } = this.pretty
    const rewrites = this.rewrites()
    const children = this.options.lines.has('children')
    const hasSource = this.showsSource || this.pretty.showsSource
    const question = { ...this.#question(rewrites), source: hasSource }
    const names = hasSource ? this.revisions.tipNames() : new Map<string, string>()
    const asked = counts ? { ...question, limit: undefined } : question
    this.#walk(asked, (rows) => {
      for (const line of rows) {
        const mark = /^[-<>=+]?/.exec(line)?.[0] ?? ''
        const [ids = '', tip = ''] = line.slice(mark.length).split('\t')
        const [own = '', below = ''] = ids.split('  ')
        const [oid = '', ...parents] = own.split(' ')
        const content = readCommit(this.#opened.reader, oid, encoding)
        const wantsMore = ahead.add({
          ...this.#neighbours(content, mark, rewrites ? parents : null),
          ...{ content, mark, sign: this.#signOf(mark) },
          children: children && below !== '' ? below.split(' ') : [],
          source: names.get(tip) ?? '',
        })
        if (!wantsMore) {
          endPage()
          return false
        }
      }
      endPage()
      return true
    })
    ahead.end()
    endPage()
  }

  /** Passes the rows of a walk, page by page; only the oldest commits and boundaries, if asked for. */
  #walk(question: RevListQuestion, use: (rows: readonly string[]) => boolean): void {
    const most = this.oldest
    let kept: string[] = []
    const isBoundary = (row: string) => row.startsWith('-')
    walkSlowly(this.#opened, question, (page) => {
      const rows = Buffer.from(page).toString('latin1').split('\n').slice(0, -1)
      if (most === null) return use(rows)
      kept.push(...rows)
      let surplus = kept.filter((row) => !isBoundary(row)).length - most
      // In reverse the oldest commits come first.
      if (question.reverse) return surplus < 0
      kept = kept.filter((row) => isBoundary(row) || surplus-- <= 0)
      return true
    })
    if (most === null) return
    let left = most
    const rows = question.reverse ? kept.filter((row) => isBoundary(row) || left-- > 0) : kept
    // Boundaries of commits that are not shown are none.
    const parents = new Set(rows.flatMap((row) => (isBoundary(row) ? [] : this.#parentsOf(row))))
    use(rows.filter((row) => !isBoundary(row) || parents.has(idsOf(row)[0] ?? '')))
  }

  /** Returns the parents of a row, as it has them and as they are. */
  #parentsOf(row: string): string[] {
    const [oid = '', ...parents] = idsOf(row)
    const content = readCommit(this.#opened.reader, oid, this.pretty.encoding)
    return [...parents, ...realParents(this.#opened, content)]
  }

  /**
   * Returns whether options and paths select a commit that was named itself; with `ofMany`, options
   * that limit the number of commits do not count.
   */
  selects(oid: string, ofMany = false): boolean {
    const { reader } = this.#opened
    const { pathspec } = this.revisions
    const content = readCommit(reader, oid, this.pretty.encoding)
    const parents = realParents(this.#opened, content)
    const question = this.#selection()
    const specs = reader.specs([oid, ...parents.map((parent) => `^${parent}`)])
    let isListed = false
    const limits = ofMany ? { limit: undefined, skip: undefined } : {}
    reader.pages({ ...question, ...limits, lines: [], specs }, () => {
      isListed = true
    })
    if (!pathspec || !isListed) return isListed
    if (parents.length === 0) return this.#differs(undefined, oid)
    const differs = (parent: string) => this.#differs(parent, oid)
    const isFull = this.options.simplify.has('fullHistory')
    return isFull ? parents.some(differs) : parents.every(differs)
  }

  /** Returns whether a commit has the paths otherwise than another. */
  #differs(old: string | undefined, oid: string): boolean {
    const { reader } = this.#opened
    let isFound = false
    const { pathspec } = this.revisions
    reader.pages({ kind: 'diff', old, new: oid, recursive: true, pathspec }, () => {
      isFound = true
    })
    return isFound
  }

  /** A boundary that has the paths as a parent has them is shown with this parent only. */
  #simplified(oid: string, mark: string, parents: readonly string[]): readonly string[] {
    const isWhole = !this.revisions.pathspec || this.options.simplify.has('fullHistory')
    if (mark !== '-' || isWhole || parents.length < 2) return parents
    const same = parents.find((parent) => !this.#differs(parent, oid))
    return same === undefined ? parents : [same]
  }

  /** Returns a commit for the printer that was named itself. */
  single(oid: string): ListedCommit {
    const content = readCommit(this.#opened.reader, oid, this.pretty.encoding)
    return { ...this.#neighbours(content, '', null), content, ...NO_MARKS }
  }

  #signOf(mark: string): string {
    const isSide = mark === '<' || mark === '>'
    if (!isSide || this.options.lines.has('leftRight')) return mark
    return this.options.lines.has('cherryMark') ? '+' : ''
  }

  #neighbours(content: CommitContent, mark: string, listed: readonly string[] | null) {
    const real = () => realParents(this.#opened, content)
    const parents = listed ?? this.#simplified(content.oid, mark, real())
    return { parents, compared: this.isFullDiff && listed ? real() : parents }
  }

  /** Whether parents are replaced by the nearest listed ancestors. */
  rewrites(): boolean {
    const { lines, simplify } = this.options
    if (lines.has('parents') || lines.has('children') || this.hasGraph) return true
    return simplify.has('simplifyMerges') || simplify.has('simplifyByDecoration')
  }

  /** Returns what tells whether a commit is listed, apart from limits of their number. */
  listed(others: Partial<RevListQuestion> = {}): (oid: string) => boolean {
    const { flags, lines } = this.options
    const { firstParent, reverse, limit, skip, order, ...filters } = flags
    const question = this.#question(true)
    const isFiltered = Object.values(filters).some((value) => value !== undefined)
    const { patterns = [], ancestryPathOf = [] } = question
    const hasOthers = [patterns, ancestryPathOf].some(({ length }) => length > 0)
    const limits = lines.has('leftOnly') || lines.has('rightOnly')
    const hides = this.options.simplify.has('cherryPick')
    const isPlain = ![isFiltered, hasOthers, limits, hides, this.revisions.excludes].some(Boolean)
    if (isPlain) return () => true
    const listed = new Set<string>()
    // Where parents are asked for, merges of a full history of paths are listed, too.
    const parents: RevListQuestion['lines'] = this.revisions.pathspec ? ['parents'] : []
    const asked = { ...question, limit: undefined, skip: undefined, lines: parents, ...others }
    walkSlowly(this.#opened, asked, (page) => {
      const rows = Buffer.from(page).toString('latin1').split('\n')
      for (const row of rows) listed.add(idsOf(row)[0] ?? '')
    })
    return (oid) => listed.has(oid)
  }

  #selection(): Omit<RevListQuestion, 'specs'> {
    const { options, pretty } = this
    const question = options.question(options.searchesPeople ? pretty.people() : [])
    if (!this.choosesRefs || !options.simplify.has('simplifyByDecoration')) return question
    this.#decorated ??= ['', ...pretty.decorated(this.#opened)]
    const decorated = this.#decorated.map((oid) => `decorated=${oid}`)
    const { filtered = new Uint8Array(0) } = question
    const all = Buffer.concat([filtered, this.#opened.reader.specs(decorated)])
    return { ...question, filtered: new Uint8Array(all) }
  }

  #question(rewrites: boolean): RevListQuestion {
    const { reader } = this.#opened
    const { specs } = this.revisions
    const { lines } = this.options
    const own = this.#selection()
    const asked = new Set(lines)
    if (rewrites) asked.add('parents').add('spaced')
    if (this.pretty.showsMarks) asked.add('leftRight')
    if (this.hasGraph && !this.revisions.walks) {
      throw fatal("options '--no-walk' and '--graph' cannot be used together")
    }
    if (this.hasGraph && own.reverse) {
      throw fatal("options '--reverse' and '--graph' cannot be used together")
    }
    const isOrdered = own.order !== undefined && own.order !== 'default'
    return {
      ...this.revisions.limited({
        ...own,
        order: this.hasGraph && !isOrdered ? 'topo' : own.order,
      }),
      lines: [...asked],
      specs: reader.specs(specs),
    }
  }
}
