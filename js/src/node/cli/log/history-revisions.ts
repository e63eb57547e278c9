/** The revisions and paths that limit the commits of `rev-list` and `log`. */
import type { RevListQuestion } from '../../../base/protocol.js'
import { readRequests } from '../args/requests.js'
import { Exit, fatal } from '../base/exit.js'
import type { Opened } from '../opening/command.js'
import { commitOf } from '../repository/commits.js'
import { colonOf, type Diagnosis, isMessage } from '../repository/names.js'
import { pathspecOf } from '../repository/pathspec.js'
import { checkPaths } from '../revisions/path-args.js'
import { type NamedObject, RevisionRefs } from '../revisions/revision-refs.js'
import { type Found, findRevisions } from '../revisions/revisions.js'
import { bytesOfArgument } from '../text/bytes.js'
import { bisectRefs } from './bisect-refs.js'
import { hasCommitGraph } from './commit-graph.js'

/** A revision with the name that it was given. */
export interface NamedTip extends NamedObject {
  readonly excluded: boolean
}

/** What is known of a list of commits before its revisions. */
type Listing = Partial<
  Pick<RevListQuestion, 'order' | 'lines' | 'simplify' | 'ancestryPathOf' | 'since'>
>

export class HistoryRevisions {
  readonly #opened: Opened
  readonly #hasDashes: boolean
  readonly #specs: string[] = []
  readonly #refs: RevisionRefs
  /** Whether the next revisions are excluded: `--not`. */
  #isNegated = false
  #ignoresMissing = false
  /** Whether what revisions reach is not listed, and in which order they are. */
  #noWalk: 'sorted' | 'unsorted' | null = null
  /** Whether objects that are named may be missing. */
  mayMiss = false
  /** Whether revisions were read from standard input. */
  readsInput = false
  /** Whether `--end-of-options` was given: after it even names with a dash are revisions. */
  endsOptions = false
  /** Whether any revision was given. */
  given = false
  /** What limits the commits, as the core takes it. */
  pathspec: Uint8Array | undefined
  /** The arguments that it was made of. */
  paths: readonly string[] = []
  /** Return the objects that were named each by itself, without ranges. */
  readonly #objects: (() => readonly NamedObject[])[] = []
  /** Return the same and the ends of ranges, by the names of `--source`. */
  readonly #tips: (() => readonly NamedTip[])[] = []
  /** Whether commits between others are meant. */
  isRange = false

  /** @param args all arguments; after `--` come paths */
  constructor(opened: Opened, args: readonly string[]) {
    this.#opened = opened
    this.#hasDashes = args.includes('--')
    this.#refs = new RevisionRefs(opened)
  }

  /** The objects that were named each by itself, without ranges. */
  get objects(): readonly NamedObject[] {
    return this.#objects.flatMap((list) => list())
  }

  /** The revisions in their order, with the ends of ranges. */
  get tips(): readonly NamedTip[] {
    return this.#tips.flatMap((list) => list())
  }

  /** Returns the names of the commits that a walk begins with: the first one of each. */
  tipNames(): ReadonlyMap<string, string> {
    const names = new Map<string, string>()
    for (const { name, oid } of this.tips) {
      const commit = this.#opened.reader.find(`${oid}^{commit}`)
      if (commit !== null && !names.has(commit)) names.set(commit, name)
    }
    return names
  }

  /** Adds objects that were named each by itself. */
  #name(list: () => readonly NamedObject[], excluded = this.#isNegated): void {
    this.#objects.push(list)
    this.#tips.push(() => list().map((object) => ({ ...object, excluded })))
  }

  /** Whether what the revisions reach is listed. */
  get walks(): boolean {
    return this.#noWalk === null
  }

  /**
   * Returns a question with its order, and what limits its commits. git compares named commits
   * with their parents only while it lists them one by one: for an order, for children and for an
   * ancestry path it collects all commits first, and then lists named ones without a look at paths
   * and at the date that a walk ends at.
   */
  limited<T extends Listing>(listing: T): T & { readonly paths: Uint8Array | undefined } {
    const { order, lines = [], simplify = [] } = listing
    const paths = this.pathspec
    if (this.walks) return { ...listing, paths }
    const isOnPath = simplify.includes('ancestryPath')
    const isOrdered = order !== undefined && order !== 'default'
    const isAsked = paths !== undefined || listing.since !== undefined
    const isCollected =
      isOnPath ||
      lines.includes('children') ||
      // With a commit-graph git walks in an order without collecting commits.
      (isOrdered && isAsked && !hasCommitGraph(this.#opened))
    return {
      ...listing,
      order: this.#noWalk === 'unsorted' ? 'given' : 'tips',
      simplify: simplify.filter((one) => one !== 'ancestryPath'),
      ancestryPathOf: undefined,
      ...(isCollected ? { paths: undefined, since: undefined } : { paths }),
    }
  }

  /** Whether any commits are excluded. */
  get excludes(): boolean {
    return this.#specs.some((spec) => spec.startsWith('^') || spec === '--not' || /\.\./.test(spec))
  }

  get specs(): readonly string[] {
    return this.#specs
  }

  /** Adds a revision by its name. */
  add(spec: string): void {
    this.#specs.push(spec)
    this.#name(() => [{ name: spec, oid: this.#opened.reader.resolve(spec) }])
    this.given = true
  }

  /** Takes an argument that is no option; returns how many of those after it belong to it. */
  take([arg = '', ...rest]: readonly string[]): number | null {
    if (arg === '--') {
      if (rest.length > 0) this.#limit(rest)
      return rest.length
    }
    if (arg === '--end-of-options' && !this.endsOptions) {
      this.endsOptions = true
      return 0
    }
    if (arg.startsWith('-') && !this.endsOptions) return this.#option(arg, rest)
    const none = this.#revision(arg)
    if (none === null) return 0
    const paths = [arg, ...rest]
    checkPaths(this.#opened, paths, none, this.#hasDashes)
    this.#limit(paths)
    return rest.length
  }

  #option(arg: string, rest: readonly string[]): number | null {
    if (arg === '--ignore-missing') this.#ignoresMissing = true
    else if (arg === '--do-walk') this.walk()
    else if (/^--no-walk(=|$)/.test(arg)) this.#noWalk = orderNamed(arg)
    else if (arg === '--stdin') this.#readInput()
    else return this.#pseudo(arg, rest)
    return 0
  }

  /** Takes an option that stands for revisions, or says what the next ones mean. */
  #pseudo(arg: string, rest: readonly string[]): number | null {
    if (arg === '--not') {
      this.#isNegated = !this.#isNegated
      this.#specs.push(arg)
      return 0
    }
    if (arg === '--bisect') {
      this.#bisect()
      return 0
    }
    const taken = this.#refs.take([arg, ...rest])
    if (taken === null || typeof taken === 'number') return taken
    this.given = true
    this.#exclude(this.#isNegated)
    this.#specs.push(...(taken.pseudo ? [taken.pseudo] : taken.refs().map(({ oid }) => oid)))
    this.#name(taken.refs)
    return taken.more
  }

  /** Adds the commits that `git bisect` was told of: the bad one, and without what good ones reach. */
  #bisect(): void {
    this.given = true
    const { bad, good } = bisectRefs(this.#opened)
    for (const { oid } of bad) this.#specs.push(oid)
    for (const { oid } of good) this.#specs.push(`^${oid}`)
    this.#name(() => bad)
    this.#name(() => good, !this.#isNegated)
    this.#exclude(true)
  }

  /** Lists what the revisions reach: an option says so, or limits the number of commits. */
  walk(): void {
    this.isRange = true
    this.#noWalk = null
  }

  /** Notes that a revision is excluded: then those before are walked, as in git. */
  #exclude(excludes: boolean): void {
    if (excludes) this.walk()
  }

  /** Reads revisions from standard input, a line each; after `--` come paths. */
  #readInput(): void {
    if (this.readsInput) throw fatal('--stdin given twice?')
    this.readsInput = true
    const wasNegated = this.#isNegated
    if (wasNegated) this.#pseudo('--not', [])
    const paths: string[] = []
    let isPath = false
    let ended = false
    for (const line of readRequests(this.#opened.io, false)) {
      const text = line.toString()
      if (isPath) paths.push(text)
      else if (text === '--') isPath = true
      else if (text === '') break
      else if (text === '--end-of-options' && !ended) ended = true
      else if (text.startsWith('-') && !ended) {
        const isKnown = this.#pseudo(text, []) !== null
        if (!isKnown) throw fatal(`invalid option '${text}' in --stdin mode`)
      } else if (this.#revision(text) !== null) throw fatal(`bad revision '${text}'`)
    }
    if (this.#isNegated !== wasNegated) this.#pseudo('--not', [])
    if (paths.length > 0) this.#limit(paths)
  }

  #limit(paths: readonly string[]): void {
    this.paths = [...this.paths, ...paths]
    this.pathspec = pathspecOf(this.#opened, this.paths)
  }

  /** Takes a revision; returns why the argument is none. */
  #revision(arg: string): Diagnosis | null {
    const { reader, names } = this.#opened
    const found = findRevisions(this.#opened, bytesOfArgument(arg))
    if (found.kind === 'none') {
      this.given ||= this.#ignoresMissing
      return this.#ignoresMissing ? null : found.why
    }
    this.given = true
    if (found.kind === 'range') {
      this.#exclude(true)
      this.#range(arg, found)
      names.warn(found.range.from)
      names.warn(found.range.to)
    } else if (found.kind === 'several') {
      this.#exclude(found.revisions.some(({ excluded }) => excluded !== this.#isNegated))
      const named = found.revisions.map(({ oid, excluded }) => {
        return { name: oid, oid, excluded: excluded !== this.#isNegated }
      })
      this.#objects.push(() => named)
      this.#tips.push(() => named)
      for (const excluded of [true, false]) {
        const part = found.revisions.filter((revision) => revision.excluded === excluded)
        this.#specs.push(...part.map(({ oid }) => `${excluded ? '^' : ''}${oid}`))
      }
    } else {
      const { oid, name, excluded } = found.revision
      names.warn(name)
      if (!this.mayMiss && reader.info(oid) === null) {
        if (this.#ignoresMissing) return null
        throw fatal(`bad object ${excluded ? arg.slice(1) : arg}`)
      }
      this.#exclude(excluded !== this.#isNegated)
      this.#name(() => [{ name, oid }], excluded !== this.#isNegated)
      // The names of objects begin with the path of `<rev>:<path>`, which an id would lose.
      const spec = colonOf(name) < 0 || isMessage(name) ? oid : names.withWholePath(name)
      this.#specs.push(`${excluded ? '^' : ''}${spec}`)
    }
    return null
  }

  #range(arg: string, { from, to, range }: Found & { kind: 'range' }): void {
    const { reader } = this.#opened
    const { symmetric } = range
    const commits = [from, to].map((oid) => (symmetric ? commitOf(this.#opened, oid) : oid))
    if (commits.some((oid) => oid === null || reader.info(oid) === null)) {
      if (this.#ignoresMissing) return
      const what = symmetric ? 'symmetric difference expression' : 'revision range'
      throw fatal(`Invalid ${what} ${arg}`)
    }
    this.#specs.push(`${from}${symmetric ? '...' : '..'}${to}`)
    const isOut = this.#isNegated
    const ends = [
      { name: range.from, oid: from, excluded: symmetric ? isOut : !isOut },
      { name: range.to, oid: to, excluded: isOut },
    ]
    const bases = symmetric ? reader.mergeBases([from, to], 'common').split('\n').slice(0, -1) : []
    const others = bases.map((oid) => ({ name: oid, oid, excluded: !isOut }))
    this.#tips.push(() => [...ends, ...others])
  }
}

function orderNamed(arg: string): 'sorted' | 'unsorted' {
  const [, order = 'sorted'] = arg.split('=')
  if (order === 'sorted' || order === 'unsorted') return order
  throw new Exit(129, 'error: invalid argument to --no-walk\n')
}
