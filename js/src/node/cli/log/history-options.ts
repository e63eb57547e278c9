/** Options that select commits and their order: what `rev-list` and `log` share. */
import type { RevListQuestion } from '../../../base/protocol.js'
import { encodeName, joinSpecs } from '../../../base/specs.js'
import { configuredSyntax } from '../args/pattern-config.js'
import { Exit, fatal } from '../base/exit.js'
import { secondsOfDate } from '../dates/loose-date.js'
import type { Opened } from '../opening/command.js'
import type { Searched } from '../pretty/highlights.js'
import { commitOf } from '../repository/commits.js'
import { findRevisions } from '../revisions/revisions.js'
import { bytesOfArgument, toBytes } from '../text/bytes.js'
import { integerOf, secondsOf } from '../text/numbers.js'

export type Flags = Omit<RevListQuestion, 'kind' | 'specs'>

export type Words<K extends 'simplify' | 'lines' | 'matching'> = NonNullable<
  RevListQuestion[K]
>[number]

/** The flags that each option sets. */
const FLAGS: Readonly<Record<string, Flags>> = {
  '--date-order': { order: 'date' },
  '--topo-order': { order: 'topo' },
  '--author-date-order': { order: 'author-date' },
  '--first-parent': { firstParent: true },
  '--count': { count: true },
  '--merges': { minParents: 2 },
  '--no-merges': { maxParents: 1 },
  '--objects': { objects: true },
  '--use-bitmap-index': { useBitmaps: true },
  '--remove-empty': { filtered: joinSpecs([encodeName('remove-empty')]) },
}

/** The options that each add a word to a set. */
const SIMPLIFY: Readonly<Record<string, Words<'simplify'>>> = {
  '--full-history': 'fullHistory',
  '--sparse': 'sparse',
  '--simplify-merges': 'simplifyMerges',
  '--simplify-by-decoration': 'simplifyByDecoration',
  '--show-pulls': 'showPulls',
  '--ancestry-path': 'ancestryPath',
  '--exclude-first-parent-only': 'excludeFirstParentOnly',
  '--cherry-pick': 'cherryPick',
}

const LINES: Readonly<Record<string, Words<'lines'>>> = {
  '--parents': 'parents',
  '--children': 'children',
  '--boundary': 'boundary',
  '--left-right': 'leftRight',
  '--left-only': 'leftOnly',
  '--right-only': 'rightOnly',
  '--cherry-mark': 'cherryMark',
}

const MATCHING: Readonly<Record<string, Words<'matching'>>> = {
  '--all-match': 'allMatch',
  '--invert-grep': 'invertGrep',
  '-i': 'ignoreCase',
  '--regexp-ignore-case': 'ignoreCase',
}

/** How patterns are written; the last of these options counts. */
const SYNTAX: Readonly<Record<string, ('extended' | 'fixed')[]>> = {
  '-G': [],
  '--basic-regexp': [],
  '-E': ['extended'],
  '--extended-regexp': ['extended'],
  '-F': ['fixed'],
  '--fixed-strings': ['fixed'],
}

/** The options with a pattern, each with the letter that the core knows it by. */
const PATTERNS: Readonly<Record<string, string>> = {
  '--author': 'a',
  '--committer': 'c',
  '--grep': 'g',
}

const NUMBERS = [
  '--max-count',
  '--skip',
  '--max-age',
  '--since',
  '--after',
  '--min-age',
  '--until',
  '--before',
  '--since-as-filter',
  '--min-parents',
  '--max-parents',
] as const

/** The options with a date, and those that are the same with seconds. */
const AGES = {
  '--since': '--max-age',
  '--after': '--max-age',
  '--until': '--min-age',
  '--before': '--min-age',
} as const

const isDateName = (name: string): name is keyof typeof AGES => Object.hasOwn(AGES, name)

/** Returns the seconds of a date; those before 1970 are later than all others, as in git. */
function ageOf(date: string): number {
  const seconds = secondsOfDate(date)
  return seconds < 0 ? Number.MAX_SAFE_INTEGER : seconds
}

/** The core's names for options with a number. */
const FIELDS = {
  '--max-count': 'limit',
  '--skip': 'skip',
  '--max-age': 'since',
  '--min-age': 'until',
  '--since-as-filter': 'listedSince',
  '--min-parents': 'minParents',
  '--max-parents': 'maxParents',
} as const

/** The selection of commits that options describe. */
export class HistoryOptions {
  readonly #opened: Opened
  readonly simplify = new Set<Words<'simplify'>>()
  readonly lines = new Set<Words<'lines'>>()
  readonly #ancestryPathOf: string[] = []
  readonly matching = new Set<Words<'matching'>>()
  /** How patterns are written; `null` if no option says it. */
  #syntax: ('extended' | 'fixed')[] | null = null
  readonly #patterns: string[] = []
  /** The patterns that messages of reflogs must match: `--grep-reflog`. */
  readonly #loggedPatterns: string[] = []
  flags: Flags = {}

  constructor(opened: Opened) {
    this.#opened = opened
  }

  /** The patterns that commits must match. */
  get searched(): Searched {
    const of = (letter: string) =>
      this.#patterns.filter((one) => one.startsWith(letter)).map((one) => one.slice(1))
    return {
      ...{ author: of('a'), committer: of('c'), message: of('g') },
      syntax: this.#syntaxes()[0] ?? 'basic',
      ignoreCase: this.matching.has('ignoreCase'),
    }
  }

  /** Returns whether the message of a reflog matches `--grep-reflog`, if there is such an option. */
  matchesLogged(message: string): boolean {
    if (this.#loggedPatterns.length === 0) return true
    const { syntax, ignoreCase } = this.searched
    const { reader } = this.#opened
    const expression = reader.specs(this.#loggedPatterns.map((pattern) => `p${pattern}`))
    const asked = { expression, syntax, ignoreCase, text: toBytes(message) }
    return this.#loggedPatterns.includes('') || reader.matchSpans(asked).length > 0
  }

  /** Whether there is `--grep-reflog`. */
  get searchesReflogs(): boolean {
    return this.#loggedPatterns.length > 0
  }

  /** @throws Exit if reflogs should be searched and none is walked */
  refuseLogged(): void {
    if (!this.searchesReflogs) return
    throw fatal("the option '--grep-reflog' requires '--walk-reflogs'")
  }

  /** Whether authors or committers must match. */
  get searchesPeople(): boolean {
    return this.#patterns.some((one) => /^[ac]/.test(one))
  }

  /**
   * Returns the question about the selected commits, without revisions and paths.
   *
   * @param people what is replaced in authors and committers
   */
  question(people: readonly string[] = []): Omit<RevListQuestion, 'specs'> {
    this.#refuseTogether()
    const { reader } = this.#opened
    return {
      kind: 'revList',
      ...this.flags,
      simplify: [...this.simplify],
      lines: [...this.lines],
      ancestryPathOf: reader.specs(this.#ancestryPathOf),
      patterns: reader.specs([...this.#patterns, ...people.map((row) => `m${row}`)]),
      matching: [...this.matching, ...this.#syntaxes()],
    }
  }

  /** Returns how patterns are written, unless they are basic expressions. */
  #syntaxes(): ('extended' | 'fixed')[] {
    if (this.#syntax) return this.#syntax
    if (this.#patterns.length === 0 && this.#loggedPatterns.length === 0) return []
    const syntax = configuredSyntax(this.#opened.settings)
    return syntax === 'basic' ? [] : [syntax]
  }

  /**
   * Takes an option; returns how many of the arguments after it belong to it, or `null` if it
   * is none of these options.
   */
  take(arg: string, next: string | undefined): number | null {
    const flag = FLAGS[arg]
    const [simplify, line, matching] = [SIMPLIFY[arg], LINES[arg], MATCHING[arg]]
    if (flag) this.flags = { ...this.flags, ...flag }
    else if (simplify) this.simplify.add(simplify)
    else if (line) this.lines.add(line)
    else if (matching) this.matching.add(matching)
    else if (SYNTAX[arg]) this.#syntax = SYNTAX[arg]
    else if (arg === '--cherry') this.#cherry()
    else if (/^--grep-reflog(=|$)/.test(arg) || PATTERNS[arg.replace(/=.*/s, '')]) {
      return this.#pattern(arg, next)
    } else if (arg === '--dense') this.simplify.delete('sparse')
    else if (arg.startsWith('--ancestry-path=')) {
      this.simplify.add('ancestryPath')
      this.#ancestryPathOf.push(this.#ancestor(arg.slice('--ancestry-path='.length)))
    } else if (arg === '--no-min-parents') this.flags = { ...this.flags, minParents: 0 }
    else if (arg === '--no-max-parents') this.flags = { ...this.flags, maxParents: undefined }
    else if (arg === '--reverse') this.flags = { ...this.flags, reverse: !this.flags.reverse }
    else return this.#numbered(arg, next)
    return 0
  }

  #numbered(arg: string, next: string | undefined): number | null {
    const name = NUMBERS.find((name) => arg === name || arg.startsWith(`${name}=`))
    if (name !== undefined && arg !== name) this.#number(name, arg.slice(name.length + 1))
    else if (name !== undefined || arg === '-n') {
      const what = arg === '-n' ? '-n requires an argument' : `Option '${arg}' requires a value`
      if (next === undefined) throw arg === '-n' ? new Exit(129, `error: ${what}\n`) : fatal(what)
      this.#number(name ?? '--max-count', next)
      return 1
    } else if (/^-(n|\d)/.test(arg)) this.#number('--max-count', arg.replace(/^-n?/, ''))
    else return null
    return 0
  }

  /** Takes an option with a pattern; returns how many of the arguments after it belong to it. */
  #pattern(arg: string, next: string | undefined): number {
    const [name = '', text = next] = arg.split(/=(.*)/s)
    if (text === undefined) throw fatal(`Option '${name}' requires a value`)
    const pattern = bytesOfArgument(text)
    if (name === '--grep-reflog') this.#loggedPatterns.push(pattern)
    else this.#patterns.push(`${PATTERNS[name]}${pattern}`)
    return arg === name ? 1 : 0
  }

  #number(name: (typeof NUMBERS)[number], text: string): void {
    const isDate = isDateName(name) || name === '--since-as-filter'
    const own: keyof typeof FIELDS = isDateName(name) ? AGES[name] : name
    const isAge = own === '--max-age' || own === '--min-age' || own === '--since-as-filter'
    const number = isDate ? ageOf(text) : isAge ? secondsOf(text) : integerOf(text)
    const what = isAge ? 'a number of seconds since epoch' : 'an integer'
    if (number === null) throw fatal(`'${text}': not ${what}`)
    // A negative number means that the option is not set.
    this.flags = { ...this.flags, [FIELDS[own]]: number < 0 ? undefined : number }
  }

  #cherry(): void {
    this.lines.add('cherryMark').add('rightOnly')
    this.flags = { ...this.flags, maxParents: 1 }
  }

  #refuseTogether(): void {
    const lists = this.lines
    const rewrites =
      this.simplify.has('simplifyMerges') || this.simplify.has('simplifyByDecoration')
    if (lists.has('children') && (lists.has('parents') || rewrites)) {
      throw fatal("options '--parents' and '--children' cannot be used together")
    }
    if (lists.has('cherryMark') && this.simplify.has('cherryPick')) {
      throw fatal("options '--cherry-mark' and '--cherry-pick' cannot be used together")
    }
    if (lists.has('boundary') && this.flags.objects) {
      throw fatal('packlens rev-list does not support --boundary with --objects')
    }
    if (lists.has('leftOnly') && lists.has('rightOnly')) {
      throw fatal("options '--right-only' and '--left-only' cannot be used together")
    }
  }

  /** Returns the commit that `--ancestry-path` names. */
  #ancestor(name: string): string {
    const found = findRevisions(this.#opened, bytesOfArgument(name))
    const oid = found.kind === 'one' ? commitOf(this.#opened, found.revision.oid) : null
    if (oid === null) {
      const what = `could not get commit for --ancestry-path argument ${name}`
      throw new Exit(128, `error: ${what}\n`)
    }
    return oid
  }
}
