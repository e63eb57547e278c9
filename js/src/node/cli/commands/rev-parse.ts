/** `rev-parse`: prints the ids that revisions stand for, and passes on other arguments. */
import * as fs from 'node:fs'
import * as path from 'node:path'
import { compileQuickly } from '../base/compiler.js'
import { Exit, fatal, Help } from '../base/exit.js'
import { isLast, isShortLog } from '../base/git-messages.js'
import { moduleFor } from '../base/module.js'
import { Lines } from '../base/output.js'
import type { Command, Opened } from '../opening/command.js'
import { HiddenRefs, type IsHidden } from '../refs/hidden-refs.js'
import { eachSelected, type RefSelection, refSelection } from '../refs/ref-selection.js'
import { refsCalled, shortenRefname } from '../refs/refnames.js'
import type { Diagnosis } from '../repository/names.js'
import type { Found, Revision } from '../revisions/revisions.js'
import { commitsOfRange, findRevisions, unknownArgument } from '../revisions/revisions.js'
import { bytesOfArgument, textOfBytes } from '../text/bytes.js'
import { Glob } from '../text/glob.js'

/** The options that git has and packlens lacks; unknown options are passed on. */
const UNSUPPORTED =
  /^--(absolute-git-dir|after|before|bisect|disambiguate|flags|git-common-dir|git-path|is-inside-(git-dir|work-tree)|is-shallow-repository|local-env-vars|no-flags|no-revs|parseopt|path-format|prefix|resolve-git-dir|revs-only|shared-index-path|show-(cdup|prefix|ref-format|superproject-working-tree|toplevel)|since|sq|sq-quote|until)(=|$)/

const LEAST_DIGITS = 4
/** The most digits of `--short`, in git those of SHA-1, whatever the repository uses. */
const MOST_DIGITS = 40

export function revParse(command: Command, args: readonly string[]): number {
  if (args[0] === '-h') throw new Help()
  compileQuickly()
  const parser = new Parser(command.open(moduleFor(args)), args.includes('--'))
  try {
    for (let at = 0; at < args.length; at++) at += parser.take(args[at] ?? '', args[at + 1])
    parser.end()
  } finally {
    parser.flush()
  }
  return 0
}

class Parser {
  readonly #opened: Opened
  readonly #lines: Lines
  readonly #hasDashes: boolean
  #verify = false
  #quiet = false
  /** The digits of shown ids: `null` for all, 0 to choose by the size of the repository. */
  #digits: number | null = null
  #names: 'strict' | 'loose' | 'full' | undefined
  /** Whether revisions are shown as they were given. */
  #symbolic = false
  /** The revision to show if there is no other. */
  #default: string | undefined
  #not = false
  /** The patterns of `--exclude` for the next option that selects refs. */
  #excluded: Glob[] = []
  readonly #hidden: HiddenRefs
  #optionsEnded = false
  /** Whether arguments are paths: all are, from the first one that is no revision. */
  #paths: 'none' | 'checked' | 'as-is' = 'none'
  /** The revisions of `--verify`, which prints its single revision at the end. */
  #verified: Revision[] = []

  constructor(opened: Opened, hasDashes: boolean) {
    this.#opened = opened
    this.#lines = new Lines(opened.io)
    this.#hidden = new HiddenRefs(opened)
    this.#hasDashes = hasDashes
  }

  /** Takes an argument; returns how many of the arguments after it belong to it. */
  take(arg: string, next: string | undefined): number {
    if (this.#paths !== 'none') {
      this.#passOn(arg)
      if (this.#paths === 'checked' && !this.#verify) this.#checkPath(arg, false)
    } else if (this.#optionsEnded || !arg.startsWith('-')) this.#revision(arg)
    else if (arg === '--default') {
      if (next === undefined) throw fatal('--default requires an argument')
      this.#default = next
      return 1
    } else this.#option(arg)
    return 0
  }

  end(): void {
    this.#showDefault()
    if (!this.#verify) return
    const [one, another] = this.#verified
    if (!one || another) throw this.#notSingle()
    this.#show(one)
  }

  flush(): void {
    this.#lines.flush()
  }

  #option(arg: string): void {
    const refs = refSelection(bytesOfArgument(arg))
    if (arg === '--' || arg === '--end-of-options') {
      this.#optionsEnded = true
      if (arg === '--') {
        this.#showDefault()
        this.#paths = 'as-is'
      }
      this.#passOn(arg)
    } else if (arg === '--verify') this.#verify = true
    else if (arg === '-q' || arg === '--quiet') this.#quiet = true
    else if (arg === '--short' || arg.startsWith('--short=')) {
      this.#verify = true
      const number = Number.parseInt(arg.slice('--short='.length), 10) || 0
      const digits = Math.min(Math.max(number, LEAST_DIGITS), MOST_DIGITS)
      this.#digits = arg === '--short' ? 0 : digits
    } else if (arg === '--abbrev-ref') {
      this.#names = this.#opened.reader.warnsAmbiguous ? 'strict' : 'loose'
    } else if (arg.startsWith('--abbrev-ref=')) this.#names = abbreviation(arg)
    else if (arg === '--symbolic-full-name') this.#names = 'full'
    else if (arg === '--symbolic') this.#symbolic = true
    else if (arg === '--not') this.#not = !this.#not
    else if (arg.startsWith('--exclude-hidden=')) {
      this.#hidden.choose(arg.slice('--exclude-hidden='.length))
    } else if (arg.startsWith('--exclude=')) {
      this.#excluded.push(new Glob(bytesOfArgument(arg.slice('--exclude='.length))))
    } else if (refs) this.#showRefs(refs, this.#hidden.taken(arg))
    else if (arg === '--git-dir') this.#lines.add(`${bytesOfArgument(gitDirOf(this.#opened))}\n`)
    else if (arg === '--is-bare-repository') this.#lines.add(`${isBare(this.#opened)}\n`)
    else if (arg === '--show-object-format') {
      this.#lines.add(this.#opened.reader.hexLength === 64 ? 'sha256\n' : 'sha1\n')
    } else if (UNSUPPORTED.test(arg)) throw fatal(`packlens rev-parse does not support ${arg}`)
    else this.#passOn(arg)
  }

  #showRefs(selection: RefSelection, isHidden: IsHidden | null): void {
    if (isHidden === null) throw new Exit(255)
    const { reader } = this.#opened
    const none = '0'.repeat(reader.hexLength)
    eachSelected(
      reader,
      selection,
      { globs: this.#excluded, isHidden },
      ({ name, shortName, oid }) => {
        this.#show({ oid: oid ?? none, name, excluded: false, symbol: shortName })
      },
    )
    this.#excluded = []
  }

  #showDefault(): void {
    const name = this.#default === undefined ? undefined : bytesOfArgument(this.#default)
    this.#default = undefined
    const oid = name === undefined ? null : this.#opened.names.find(name)
    if (name === undefined || oid === null) return
    const revision = { oid, name, excluded: false }
    if (this.#verify) this.#verified.push(revision)
    else this.#show(revision)
  }

  #revision(arg: string): void {
    const { reader, names } = this.#opened
    const found = this.#found(bytesOfArgument(arg))
    if (found.kind === 'none') this.#noRevision(arg, found.why)
    else if (found.kind !== 'one') {
      const { revisions, complete } =
        found.kind === 'range'
          ? commitsOfRange(reader, found)
          : { revisions: found.revisions, complete: true }
      for (const revision of revisions) this.#show(revision)
      if (!complete) this.#noRevision(arg, { errors: '' })
    } else {
      if (!this.#quiet) names.warn(found.revision.name)
      this.#default = undefined
      if (this.#verify) this.#verified.push(found.revision)
      else this.#show(found.revision)
    }
  }

  #found(name: string): Found {
    try {
      return findRevisions(this.#opened, name)
    } catch (error) {
      if (!this.#quiet || !isLast(error)) throw error
      // git reports this error about a side of a range in spite of `--quiet`.
      if (isShortLog(error)) throw name.includes('..') ? error : new Exit(128)
      return { kind: 'none', why: { errors: '' } }
    }
  }

  #noRevision(arg: string, { errors, path }: Diagnosis): void {
    if (!this.#verify) this.#showDefault()
    // `--quiet` hides errors about names, but not about the types of their objects.
    const hidden = this.#quiet && errors.startsWith('error: short')
    if (errors !== '' && !hidden) this.#opened.io.writeError(errors)
    if (this.#verify) throw this.#notSingle()
    if (this.#hasDashes) throw fatal(`bad revision '${arg}'`)
    this.#paths = 'checked'
    this.#passOn(arg)
    this.#checkPath(arg, true, path)
  }

  #notSingle(): Exit {
    return this.#quiet ? new Exit(1) : fatal('Needed a single revision')
  }

  #passOn(arg: string): void {
    if (!this.#verify) this.#lines.add(`${bytesOfArgument(arg)}\n`)
  }

  #checkPath(arg: string, mayBeRevision: boolean, why?: string): void {
    if (arg.startsWith('-')) {
      throw fatal(`option '${arg}' must come before non-option arguments`)
    }
    const isPattern = /[*?[]/.test(arg.replace(/\\./g, '')) || arg.startsWith(':(')
    const isTop = arg === ':/'
    if (isPattern || isTop || (arg !== '' && fs.existsSync(path.resolve(this.#opened.io.cwd, arg))))
      return
    if (!mayBeRevision) {
      const hint = "Use 'git <command> -- <path>...' to specify paths that do not exist locally."
      throw fatal(`${arg}: no such path in the working tree.\n${hint}`)
    }
    throw unknownArgument(arg, why)
  }

  #show(revision: Revision): void {
    this.#default = undefined
    const shown = this.#shown(revision)
    if (shown !== null) this.#lines.add(`${revision.excluded === this.#not ? '' : '^'}${shown}\n`)
  }

  #shown({ oid, name, symbol = name }: Revision): string | null {
    const { reader, io } = this.#opened
    if (this.#symbolic && this.#names === undefined && symbol !== undefined) return symbol
    if (this.#names === undefined || name === undefined) {
      return this.#digits === null ? oid : reader.abbreviate(oid, this.#digits).slice(0, oid.length)
    }
    const [full, another] = refsCalled(reader, name)
    if (another !== undefined && reader.warnsAmbiguous) {
      io.writeError(`error: refname '${textOfBytes(name)}' is ambiguous\n`)
      return null
    }
    if (full === undefined) return null
    return this.#names === 'full' ? full : shortenRefname(reader, full, this.#names === 'strict')
  }
}

function abbreviation(arg: string): 'strict' | 'loose' {
  const mode = arg.slice('--abbrev-ref='.length)
  if (mode === 'strict' || mode === 'loose') return mode
  throw fatal(`unknown mode for --abbrev-ref: ${mode}`)
}

function gitDirOf({ io, place }: Opened): string {
  if (io.env.GIT_DIR) return io.env.GIT_DIR
  if (place.gitDir === io.cwd) return '.'
  const atTop = place.top === io.cwd && place.gitDir === path.join(io.cwd, '.git')
  return atTop ? '.git' : place.gitDir
}

function isBare({ place }: Opened): boolean {
  return place.top === null && path.basename(place.gitDir) !== '.git'
}
