/** `rev-parse`: prints the ids that revisions stand for, and passes on what is none. */
import * as fs from 'node:fs'
import * as path from 'node:path'
import { bytesOfArgument, textOfBytes } from './bytes.js'
import type { Command, Opened } from './command.js'
import { compileQuickly } from './compiler.js'
import { Exit, fatal } from './exit.js'
import type { Diagnosis } from './names.js'
import { Help } from './options.js'
import { Lines } from './output.js'
import { listRefs, refsCalled, shortenRefname } from './refnames.js'
import type { Found, Revision } from './revisions.js'
import { commitsOfRange, findRevisions, unknownArgument } from './revisions.js'
import { isLast, isShortLog } from './words.js'

const USAGE = `usage: packlens rev-parse [--verify] [-q | --quiet] [--short[=<n>]] <revision>...
   or: packlens rev-parse (--abbrev-ref | --symbolic-full-name) <revision>...
   or: packlens rev-parse (--all | --branches | --tags | --remotes)
   or: packlens rev-parse (--git-dir | --is-bare-repository | --show-object-format)
`

/** What git knows and packlens does not; all else is passed on. */
const UNSUPPORTED =
  /^--(absolute-git-dir|after|before|bisect|default|disambiguate|exclude(-hidden)?|flags|git-common-dir|git-path|glob|is-inside-(git-dir|work-tree)|is-shallow-repository|local-env-vars|no-flags|no-revs|not|parseopt|path-format|prefix|resolve-git-dir|revs-only|shared-index-path|show-(cdup|prefix|ref-format|superproject-working-tree|toplevel)|since|sq|sq-quote|symbolic|until)(=|$)/

const REFS: Readonly<Record<string, string>> = {
  '--all': 'refs/',
  '--branches': 'refs/heads/',
  '--tags': 'refs/tags/',
  '--remotes': 'refs/remotes/',
}

const LEAST_DIGITS = 4
/** git counts in the digits of SHA-1 here, whatever the repository uses. */
const MOST_DIGITS = 40

export function revParse(command: Command, args: readonly string[]): number {
  if (args[0] === '-h') throw new Help(USAGE)
  compileQuickly()
  const parser = new Parser(command.open(), args.includes('--'))
  try {
    for (const arg of args) parser.take(arg)
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
  /** `null` for whole ids; 0 leaves the number of digits to the repository. */
  #digits: number | null = null
  #names: 'abbreviated' | 'full' | undefined
  #optionsEnded = false
  /** From the first argument on that is no revision all are paths. */
  #paths: 'none' | 'checked' | 'as-is' = 'none'
  /** With `--verify` the one revision is printed at the end. */
  #verified: Revision[] = []

  constructor(opened: Opened, hasDashes: boolean) {
    this.#opened = opened
    this.#lines = new Lines(opened.io)
    this.#hasDashes = hasDashes
  }

  take(arg: string): void {
    if (this.#paths !== 'none') {
      this.#passOn(arg)
      if (this.#paths === 'checked' && !this.#verify) this.#checkPath(arg, false)
    } else if (this.#optionsEnded || !arg.startsWith('-')) this.#revision(arg)
    else this.#option(arg)
  }

  end(): void {
    if (!this.#verify) return
    const [one, another] = this.#verified
    if (!one || another) throw this.#notSingle()
    this.#show(one)
  }

  flush(): void {
    this.#lines.flush()
  }

  #option(arg: string): void {
    if (arg === '--' || arg === '--end-of-options') {
      this.#optionsEnded = true
      if (arg === '--') this.#paths = 'as-is'
      this.#passOn(arg)
    } else if (arg === '--verify') this.#verify = true
    else if (arg === '-q' || arg === '--quiet') this.#quiet = true
    else if (arg === '--short' || arg.startsWith('--short=')) {
      this.#verify = true
      const number = Number.parseInt(arg.slice('--short='.length), 10) || 0
      const digits = Math.min(Math.max(number, LEAST_DIGITS), MOST_DIGITS)
      this.#digits = arg === '--short' ? 0 : digits
    } else if (arg === '--abbrev-ref') this.#names = 'abbreviated'
    else if (arg === '--symbolic-full-name') this.#names = 'full'
    else if (Object.hasOwn(REFS, arg)) this.#showRefs(REFS[arg] ?? '')
    else if (arg === '--git-dir') this.#lines.add(`${bytesOfArgument(gitDirOf(this.#opened))}\n`)
    else if (arg === '--is-bare-repository') this.#lines.add(`${isBare(this.#opened)}\n`)
    else if (arg === '--show-object-format') {
      this.#lines.add(this.#opened.reader.hexLength === 64 ? 'sha256\n' : 'sha1\n')
    } else if (UNSUPPORTED.test(arg)) throw fatal(`packlens rev-parse cannot do ${arg}`)
    else this.#passOn(arg)
  }

  #showRefs(prefix: string): void {
    for (const { nameBytes, oid } of listRefs(this.#opened.reader, prefix)) {
      const name = Buffer.from(nameBytes).toString('latin1')
      if (oid) this.#show({ oid, name, excluded: false })
    }
  }

  #revision(arg: string): void {
    const { reader, names } = this.#opened
    const found = this.#found(bytesOfArgument(arg))
    if (found.kind === 'none') this.#noRevision(arg, found.why)
    else if (found.kind !== 'one') {
      const several = found.kind === 'range' ? commitsOfRange(reader, found) : found.revisions
      if (several === null) this.#noRevision(arg, { errors: '' })
      else for (const revision of several) this.#show(revision)
    } else {
      if (!this.#quiet) names.warn(found.revision.name)
      if (this.#verify) this.#verified.push(found.revision)
      else this.#show(found.revision)
    }
  }

  #found(name: string): Found {
    try {
      return findRevisions(this.#opened, name)
    } catch (error) {
      if (!this.#quiet || !isLast(error)) throw error
      // git does not keep quiet about the sides of ranges.
      if (isShortLog(error)) throw name.includes('..') ? error : new Exit(128)
      return { kind: 'none', why: { errors: '' } }
    }
  }

  #noRevision(arg: string, { errors, path }: Diagnosis): void {
    // Being quiet is about names, not about what they lead to.
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
    const shown = this.#shown(revision)
    if (shown !== null) this.#lines.add(`${revision.excluded ? '^' : ''}${shown}\n`)
  }

  #shown({ oid, name }: Revision): string | null {
    const { reader, io } = this.#opened
    if (this.#names === undefined || name === undefined) {
      return this.#digits === null ? oid : reader.abbreviate(oid, this.#digits).slice(0, oid.length)
    }
    const [full, another] = refsCalled(reader, name)
    if (another !== undefined) {
      io.writeError(`error: refname '${textOfBytes(name)}' is ambiguous\n`)
      return null
    }
    if (full === undefined) return null
    return this.#names === 'full' ? full : shortenRefname(reader, full)
  }
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
