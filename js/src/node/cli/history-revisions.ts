/** The revisions and paths that limit the commits of `rev-list` and `log`. */
import { bytesOfArgument } from './bytes.js'
import type { Opened } from './command.js'
import { commitOf } from './commits.js'
import { fatal } from './exit.js'
import type { Diagnosis } from './names.js'
import { checkPaths } from './path-args.js'
import { pathspecOf } from './pathspec.js'
import { findRevisions } from './revisions.js'

/** Options that the core gets among the revisions, because their order matters. */
const PSEUDO = new Set(['--not', '--all', '--branches', '--tags', '--remotes'])

export class HistoryRevisions {
  readonly #opened: Opened
  readonly #hasDashes: boolean
  readonly #specs: string[] = []
  /** Whether any revision was given. */
  given = false
  /** What limits the commits, as the core takes it. */
  pathspec: Uint8Array | undefined
  /** The arguments that it was made of. */
  paths: readonly string[] = []
  /** The objects that were named each by itself, without ranges. */
  readonly objects: { readonly name: string; readonly oid: string }[] = []
  /** Whether commits between others are meant. */
  isRange = false

  /** @param args all arguments; after `--` come paths */
  constructor(opened: Opened, args: readonly string[]) {
    this.#opened = opened
    this.#hasDashes = args.includes('--')
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
    this.given = true
  }

  /** Takes an argument that is no option; returns how many of those after it belong to it. */
  take([arg = '', ...rest]: readonly string[]): number | null {
    if (arg === '--') {
      if (rest.length > 0) this.#limit(rest)
      return rest.length
    }
    if (PSEUDO.has(arg)) {
      this.#specs.push(arg)
      this.given ||= arg !== '--not'
      this.isRange = true
      return 0
    }
    if (arg.startsWith('-')) return null
    const none = this.#revision(arg)
    if (none === null) return 0
    const paths = [arg, ...rest]
    checkPaths(this.#opened, paths, none, this.#hasDashes)
    this.#limit(paths)
    return rest.length
  }

  #limit(paths: readonly string[]): void {
    this.paths = paths
    this.pathspec = pathspecOf(this.#opened, paths)
  }

  /** Takes a revision; returns why the argument is none. */
  #revision(arg: string): Diagnosis | null {
    const { reader, names } = this.#opened
    const found = findRevisions(this.#opened, bytesOfArgument(arg))
    if (found.kind === 'none') return found.why
    this.given = true
    if (found.kind === 'range') {
      this.isRange = true
      this.#range(arg, found.from, found.to, found.range.symmetric)
      names.warn(found.range.from)
      names.warn(found.range.to)
    } else if (found.kind === 'several') {
      this.isRange ||= found.revisions.some(({ excluded }) => excluded)
      this.objects.push(...found.revisions.map(({ oid }) => ({ name: oid, oid })))
      for (const excluded of [true, false]) {
        const part = found.revisions.filter((revision) => revision.excluded === excluded)
        this.#specs.push(...part.map(({ oid }) => `${excluded ? '^' : ''}${oid}`))
      }
    } else {
      const { oid, name, excluded } = found.revision
      names.warn(name)
      if (reader.info(oid) === null) throw fatal(`bad object ${excluded ? arg.slice(1) : arg}`)
      this.isRange ||= excluded
      this.objects.push({ name, oid })
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
}
