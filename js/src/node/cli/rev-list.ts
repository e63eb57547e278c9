/** `rev-list`: lists commits, the newest first. */
import * as fs from 'node:fs'
import * as path from 'node:path'
import type { MaybePromise } from '../../base/maybe.js'
import { whenReady } from '../../base/maybe.js'
import type { RevListQuestion } from '../../base/protocol.js'
import { bytesOfArgument } from './bytes.js'
import type { Command, Opened } from './command.js'
import { commitOf } from './commits.js'
import { compileQuickly } from './compiler.js'
import { Exit, fatal } from './exit.js'
import type { Diagnosis } from './names.js'
import { integerOf, secondsOf } from './numbers.js'
import { Help } from './options.js'
import { parsePathspecs } from './pathspec.js'
import { findRevisions, unknownArgument } from './revisions.js'
import { didYouMean, nearest } from './suggest.js'
import { safeBytes } from './terminal.js'
import { walk } from './walk.js'

const USAGE = `usage: packlens rev-list [<options>] <commit>... [--] [<path>...]

  limiting output:
    -n <n>, --max-count=<n>
    --skip=<n>
    --max-age=<epoch>, --since=<epoch>
    --min-age=<epoch>, --until=<epoch>
    --since-as-filter=<epoch>
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
    --branches
    --tags
    --remotes
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
    --reverse
  formatting output:
    --parents
    --children
    --boundary
    --left-right
    --count
    --objects
    --[no-]object-names
  special purpose:
    --use-bitmap-index
`

/** Options that the core gets among the revisions, because their order matters. */
const PSEUDO = new Set(['--not', '--all', '--branches', '--tags', '--remotes'])

type Flags = Omit<RevListQuestion, 'kind' | 'specs'>

type Words<K extends 'simplify' | 'lines' | 'matching'> = NonNullable<RevListQuestion[K]>[number]

/** The flags that each option sets. */
const FLAGS: Readonly<Record<string, Flags>> = {
  '--date-order': { order: 'date' },
  '--topo-order': { order: 'topo' },
  '--first-parent': { firstParent: true },
  '--count': { count: true },
  '--merges': { minParents: 2 },
  '--no-merges': { maxParents: 1 },
  '--objects': { objects: true },
  '--use-bitmap-index': { useBitmaps: true },
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
}

const LINES: Readonly<Record<string, Words<'lines'>>> = {
  '--parents': 'parents',
  '--children': 'children',
  '--boundary': 'boundary',
  '--left-right': 'leftRight',
  '--left-only': 'leftOnly',
  '--right-only': 'rightOnly',
}

const MATCHING: Readonly<Record<string, Words<'matching'>>> = {
  '--all-match': 'allMatch',
  '--invert-grep': 'invertGrep',
  '-i': 'ignoreCase',
  '--regexp-ignore-case': 'ignoreCase',
}

/** How patterns are written; the last of these options counts. */
const SYNTAX: Readonly<Record<string, Words<'matching'>[]>> = {
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
  '--min-age',
  '--until',
  '--since-as-filter',
  '--min-parents',
  '--max-parents',
] as const

const KNOWN = [
  ...Object.keys(FLAGS),
  ...Object.keys(SIMPLIFY),
  ...Object.keys(LINES),
  ...Object.keys(MATCHING),
  ...Object.keys(SYNTAX),
  ...Object.keys(PATTERNS),
  '--dense',
  ...PSEUDO,
  '--object-names',
  '--no-object-names',
  '--reverse',
  ...NUMBERS,
]

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

/** The options that git has and packlens lacks. */
const UNSUPPORTED = new RegExp(
  `^(-[gz]|--(${[
    'abbrev|abbrev-commit|no-abbrev|oneline|pretty|format|header|no-commit-header|commit-header',
    'date|encoding|graph|timestamp|quiet|progress',
    'after|before',
    'author-date-order|bisect(-\\w+)?|cherry(-mark|-pick)?',
    'maximal-only|remove-empty|in-commit-order|do-walk|no-walk|reflog|walk-reflogs|single-worktree|stdin|glob',
    'exclude|exclude-hidden|branches|tags|remotes|alternate-refs|indexed-objects|unpacked',
    'ignore-missing|missing|filter|filter-print-omitted|filter-provided-objects|disk-usage',
    'exclude-promisor-objects|objects-edge(-aggressive)?|test-bitmap|verify-objects',
  ].join('|')}))(=|$)`,
)

export function revList(command: Command, args: readonly string[]): MaybePromise<number> {
  if (args.includes('-h') || args.includes('--help')) throw new Help(USAGE)
  compileQuickly('walk')
  const parser = new Parser(command.open(), args.includes('--'))
  for (let at = 0; at < args.length; at++) at += parser.take(args.slice(at))
  return whenReady(parser.list(), () => 0)
}

class Parser {
  readonly #opened: Opened
  readonly #hasDashes: boolean
  readonly #specs: string[] = []
  readonly #simplify = new Set<Words<'simplify'>>()
  readonly #lines = new Set<Words<'lines'>>()
  readonly #ancestryPathOf: string[] = []
  readonly #matching = new Set<Words<'matching'>>()
  #syntax: Words<'matching'>[] = []
  readonly #patterns: string[] = []
  #flags: Flags = {}
  #given = false
  #names = true
  #paths: readonly string[] = []

  constructor(opened: Opened, hasDashes: boolean) {
    this.#opened = opened
    this.#hasDashes = hasDashes
  }

  /** Takes an argument; returns how many of the arguments after it belong to it. */
  take([arg = '', ...rest]: readonly string[]): number {
    if (arg === '--') {
      this.#paths = this.#pathsIn(rest)
      return rest.length
    }
    if (PSEUDO.has(arg)) {
      this.#specs.push(arg)
      this.#given ||= arg !== '--not'
    } else if (arg.startsWith('-')) return this.#option(arg, rest[0])
    else {
      const none = this.#revision(arg)
      if (none === null) return 0
      const paths = [arg, ...rest]
      this.#checkNoRevision(paths, none)
      this.#paths = this.#pathsIn(paths)
      return rest.length
    }
    return 0
  }

  list(): MaybePromise<void> {
    if (!this.#given) throw new Exit(129, USAGE)
    this.#refuseTogether()
    const { io, reader } = this.#opened
    const { count = false, objects = false } = this.#flags
    const paths = this.#paths.length > 0 ? { paths: reader.specs(this.#paths) } : {}
    const specs = reader.specs(this.#specs)
    const request = {
      kind: 'revList',
      specs,
      ...paths,
      ...this.#flags,
      simplify: [...this.#simplify],
      lines: [...this.#lines],
      ancestryPathOf: reader.specs(this.#ancestryPathOf),
      patterns: reader.specs(this.#patterns),
      matching: [...this.#matching, ...this.#syntax],
    } as const
    const named = this.#names || !objects || count
    return walk(this.#opened, request, (page) =>
      io.write(named ? safeBytes(io, page) : withoutNames(page)),
    )
  }

  #option(arg: string, next: string | undefined): number {
    const flag = FLAGS[arg]
    const name = NUMBERS.find((name) => arg === name || arg.startsWith(`${name}=`))
    const [simplify, line] = [SIMPLIFY[arg], LINES[arg]]
    if (flag) this.#flags = { ...this.#flags, ...flag }
    else if (simplify) this.#simplify.add(simplify)
    else if (line) this.#lines.add(line)
    else if (MATCHING[arg]) this.#matching.add(MATCHING[arg])
    else if (SYNTAX[arg]) this.#syntax = SYNTAX[arg]
    else if (PATTERNS[arg.replace(/=.*/s, '')]) return this.#pattern(arg, next)
    else if (arg === '--dense') this.#simplify.delete('sparse')
    else if (arg.startsWith('--ancestry-path=')) {
      this.#simplify.add('ancestryPath')
      this.#ancestryPathOf.push(this.#ancestor(arg.slice('--ancestry-path='.length)))
    } else if (arg === '--no-min-parents') this.#flags = { ...this.#flags, minParents: 0 }
    else if (arg === '--no-max-parents') this.#flags = { ...this.#flags, maxParents: undefined }
    else if (arg === '--object-names' || arg === '--no-object-names') {
      this.#names = arg === '--object-names'
    } else if (arg === '--reverse') {
      this.#flags = { ...this.#flags, reverse: !this.#flags.reverse }
    } else if (name !== undefined && arg !== name) this.#number(name, arg.slice(name.length + 1))
    else if (name !== undefined || arg === '-n') {
      const what = arg === '-n' ? '-n requires an argument' : `Option '${arg}' requires a value`
      if (next === undefined) throw arg === '-n' ? new Exit(129, `error: ${what}\n`) : fatal(what)
      this.#number(name ?? '--max-count', next)
      return 1
    } else if (/^-(n|\d)/.test(arg)) this.#number('--max-count', arg.replace(/^-n?/, ''))
    else if (UNSUPPORTED.test(arg)) throw fatal(`packlens rev-list does not support ${arg}`)
    else throw new Exit(129, `${didYouMean(nearest(arg.replace(/=.*/s, ''), KNOWN))}${USAGE}`)
    return 0
  }

  /** Takes an option with a pattern; returns how many of the arguments after it belong to it. */
  #pattern(arg: string, next: string | undefined): number {
    const [name = '', text = next] = arg.split(/=(.*)/s)
    if (text === undefined) throw fatal(`Option '${name}' requires a value`)
    this.#patterns.push(`${PATTERNS[name]}${bytesOfArgument(text)}`)
    return arg === name ? 1 : 0
  }

  #number(name: (typeof NUMBERS)[number], text: string): void {
    const isDate = name === '--since' || name === '--until' || name === '--since-as-filter'
    if (isDate && !/^@?\d{9,}$/.test(text)) {
      throw fatal(`packlens rev-list takes seconds only, not ${name}=${text}`)
    }
    const own = name === '--since' ? '--max-age' : name === '--until' ? '--min-age' : name
    const isAge = own === '--max-age' || own === '--min-age' || own === '--since-as-filter'
    const number = isAge ? secondsOf(text.replace('@', '')) : integerOf(text)
    const what = isAge ? 'a number of seconds since epoch' : 'an integer'
    if (number === null) throw fatal(`'${text}': not ${what}`)
    // A negative number means that the option is not set.
    this.#flags = { ...this.#flags, [FIELDS[own]]: number < 0 ? undefined : number }
  }

  #refuseTogether(): void {
    const lists = this.#lines
    const rewrites =
      this.#simplify.has('simplifyMerges') || this.#simplify.has('simplifyByDecoration')
    if (lists.has('children') && (lists.has('parents') || rewrites)) {
      throw fatal("options '--parents' and '--children' cannot be used together")
    }
    if (lists.has('boundary') && this.#flags.objects) {
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

  /** Takes a revision; returns why the argument is none. */
  #revision(arg: string): Diagnosis | null {
    const { reader, names } = this.#opened
    const found = findRevisions(this.#opened, bytesOfArgument(arg))
    if (found.kind === 'none') return found.why
    this.#given = true
    if (found.kind === 'range') {
      this.#range(arg, found.from, found.to, found.range.symmetric)
      names.warn(found.range.from)
      names.warn(found.range.to)
    } else if (found.kind === 'several') {
      for (const excluded of [true, false]) {
        const part = found.revisions.filter((revision) => revision.excluded === excluded)
        this.#specs.push(...part.map(({ oid }) => `${excluded ? '^' : ''}${oid}`))
      }
    } else {
      const { oid, name, excluded } = found.revision
      names.warn(name)
      if (reader.info(oid) === null) throw fatal(`bad object ${excluded ? arg.slice(1) : arg}`)
      // The names of objects begin with the path of `<rev>:<path>`, which an id would lose.
      const spec = /^[^:]+:[^.]/.test(name) ? name : oid
      this.#specs.push(`${excluded ? '^' : ''}${spec}`)
    }
    return null
  }

  #range(arg: string, from: string, to: string, symmetric: boolean): void {
    const { reader } = this.#opened
    const commits = [from, to].map((oid) => (symmetric ? commitOf(this.#opened, oid) : oid))
    if (commits.some((oid) => oid === null || reader.info(oid) === null)) {
      const what = symmetric ? 'symmetric difference expression' : 'revision range'
      throw fatal(`Invalid ${what} ${arg}`)
    }
    this.#specs.push(`${from}${symmetric ? '...' : '..'}${to}`)
  }

  /** @throws unless all arguments are paths that exist, and so cannot be revisions */
  #checkNoRevision(args: readonly string[], { errors, path: why }: Diagnosis): void {
    const [first = ''] = args
    if (errors !== '') this.#opened.io.writeError(errors)
    if (this.#hasDashes || first.startsWith('^')) throw fatal(`bad revision '${first}'`)
    for (const arg of args) {
      if (arg.startsWith('-')) throw fatal(`option '${arg}' must come before non-option arguments`)
      const found = path.resolve(this.#opened.io.cwd, arg)
      if (fs.existsSync(found)) continue
      throw unknownArgument(arg, arg === first ? why : undefined)
    }
  }

  #pathsIn(args: readonly string[]): readonly string[] {
    if (args.length === 0) return []
    for (const arg of args) {
      if (!/[*?[\\]/.test(arg) || /^:\([^)]*\bliteral\b/.test(arg)) continue
      throw fatal(`packlens rev-list does not support wildcards in paths: ':(literal)${arg}'`)
    }
    const { place } = this.#opened
    return parsePathspecs(place, place.prefix, args)
  }
}

/** Removes the names after the ids of a page. */
function withoutNames(page: Uint8Array): Uint8Array {
  const ids = Buffer.from(page).toString('latin1').replace(/ .*$/gm, '')
  return Buffer.from(ids, 'latin1')
}
