/** What a command is asked about, and why that is nothing, in git's words. */
import * as fs from 'node:fs'
import * as path from 'node:path'
import { isPacklensError } from '../../errors.js'
import { textOfBytes } from './bytes.js'
import { Exit, fatal } from './exit.js'
import type { Io } from './io.js'
import type { Place } from './place.js'
import { pathInTree } from './place.js'
import type { Reader } from './reader.js'
import { ambiguityOf } from './refnames.js'
import { isLast } from './words.js'

const TYPED = /^(.*)\^\{(commit|tree|blob|tag|\/.+)\}$/s
const PARENT = /^(.*?)(?:\^\d*|~\d*)+$/s

/** What the core and git say of an index that is damaged. */
const BAD_INDEX = 'index file corrupt'
const SHORT_INDEX = 'index file smaller than expected'

/** Why a name stands for nothing: lines that git prints, and what it says of a path. */
export interface Diagnosis {
  readonly errors: string
  readonly path?: string
}

/** Names as they are typed: paths in them may be relative to the current folder. */
export class Names {
  readonly #io: Io
  readonly #reader: Reader
  readonly #place: Place

  constructor(io: Io, reader: Reader, place: Place) {
    this.#io = io
    this.#reader = reader
    this.#place = place
  }

  /** Returns the id that a name stands for. @throws as {@link Reader.resolve} */
  resolve(name: string, committish = false): string {
    return this.#reader.resolve(this.#withWholePath(name), committish)
  }

  /** As {@link Names.resolve}, `null` if the name stands for no one object. */
  find(name: string, committish = false): string | null {
    try {
      return this.resolve(name, committish)
    } catch (error) {
      this.diagnose(name, error)
      return null
    }
  }

  /** Tells whether {@link Names.resolve} knows of more than the core does. */
  isRelative(name: string): boolean {
    return name.includes(':./') || name.includes(':../')
  }

  /** Returns the id that a name stands for. @throws Exit with what git says */
  require(name: string): string {
    try {
      const oid = this.resolve(name)
      this.warn(name)
      return oid
    } catch (error) {
      const found = this.diagnose(name, error)
      if (found.path !== undefined) throw new Exit(128, `${found.errors}fatal: ${found.path}\n`)
      throw this.invalid(name, found.errors)
    }
  }

  /** Warns of a name that may stand for another ref as well. */
  warn(name: string): void {
    const warning = ambiguityOf(this.#reader, name)
    if (warning !== '') this.#io.writeError(warning)
  }

  invalid(name: string, errors = ''): Exit {
    return new Exit(128, `${errors}fatal: Not a valid object name ${textOfBytes(name)}\n`)
  }

  /**
   * Tells why a name stands for nothing: lines that git prints in any case, and
   * what it says of a path. Errors of another kind are thrown again. With
   * `suggest` a path that there is from the current folder on is named, too.
   */
  diagnose(name: string, error: unknown, suggest = false): Diagnosis {
    if (isLast(error)) throw error
    if (isPacklensError(error, 'AMBIGUOUS')) {
      const short = error.subject ?? textOfBytes(name)
      return { errors: `error: short object ID ${short} is ambiguous\n` }
    }
    this.#throwBadIndex(error)
    if (!isPacklensError(error, 'NOT_FOUND', 'WRONG_TYPE')) throw error
    const errors = this.#wrongType(name)
    const at = colonOf(name)
    if (at < 0 || isMessage(name)) return { errors }
    if (!name.startsWith(':')) return { errors, path: this.#wrongPath(name, at, suggest) }
    // A pathspec may have been meant.
    const isUnknown = suggest ? /^:(?![0-9a-z])/i.test(name) : /^:(\/|$)/.test(name)
    return isUnknown ? { errors } : { errors, path: this.#wrongStaged(name, at, suggest) }
  }

  #throwBadIndex(error: unknown): void {
    if (!isPacklensError(error, 'CORRUPT')) return
    if (error.message.startsWith(BAD_INDEX)) {
      throw new Exit(128, `error: ${error.subject}\nfatal: ${BAD_INDEX}\n`)
    }
    if (error.message.startsWith(SHORT_INDEX)) {
      const { top, gitDir } = this.#place
      const folder = path.relative(top ?? gitDir, gitDir) || '.'
      throw fatal(`${folder}/index: ${SHORT_INDEX}`)
    }
  }

  /** Why the index has not what `:path` or `:2:path` asks for. */
  #wrongStaged(name: string, at: number, suggest: boolean): string {
    const stage = at === 0 ? 0 : Number(name[1])
    const whole = this.#withWholePath(name).slice(at + 1)
    const file = textOfBytes(whole)
    const other = this.#stageOf(whole)
    if (other !== null) {
      const hint = `hint: Did you mean ':${other}:${file}'?`
      return `path '${file}' is in the index, but not at stage ${stage}\n${hint}`
    }
    const { top, gitDir, prefix } = this.#place
    const below = suggest && prefix !== '' ? this.#stageOf(`${prefix}${whole}`) : null
    if (below !== null) {
      const there = `${textOfBytes(prefix)}${file}`
      const hint = `hint: Did you mean ':${below}:${there}' aka ':${below}:./${file}'?`
      return `path '${there}' is in the index, but not '${file}'\n${hint}`
    }
    if (file !== '' && fs.existsSync(path.join(top ?? gitDir, file))) {
      return `path '${file}' exists on disk, but not in the index`
    }
    return `path '${file}' does not exist (neither on disk nor in the index)`
  }

  /** Returns the first stage at which the index has a path; `null` if it has it at none. */
  #stageOf(whole: string): number | null {
    const stages = [0, 1, 2, 3]
    return stages.find((stage) => this.#reader.find(`:${stage}:${whole}`) !== null) ?? null
  }

  #wrongPath(name: string, at: number, suggest: boolean): string {
    const tree = name.slice(0, at)
    const treeText = textOfBytes(tree)
    if (this.#reader.find(tree) === null) return `invalid object name '${treeText}'.`
    const { top, prefix } = this.#place
    const whole = this.#withWholePath(name).slice(at + 1)
    const file = textOfBytes(whole)
    if (top !== null && fs.existsSync(path.join(top, file))) {
      return `path '${file}' exists on disk, but not in '${treeText}'`
    }
    const below = `${textOfBytes(prefix)}${file}`
    if (suggest && prefix !== '' && this.#reader.find(`${tree}:${prefix}${whole}`) !== null) {
      const hint = `hint: Did you mean '${treeText}:${below}' aka '${treeText}:./${file}'?`
      return `path '${below}' exists, but not '${file}'\n${hint}`
    }
    return `path '${file}' does not exist in '${treeText}'`
  }

  /** Says so if a name asks for another type than what it leads to has. */
  #wrongType(name: string): string {
    const [, typed, wanted] = TYPED.exec(name) ?? []
    if (typed !== undefined) {
      const peeled = this.#reader.find(`${typed}^{}`)
      const info = peeled === null ? null : this.#reader.info(peeled)
      if (!info) return ''
      const type = info.type === 'commit' ? 'tree' : info.type
      const asked = wanted?.startsWith('/') ? 'commit' : wanted
      if (asked === info.type) return ''
      const what = `expected ${asked} type, but the object dereferences to ${type} type`
      return `error: ${textOfBytes(name)}: ${what}\n`
    }
    const [, base] = PARENT.exec(name) ?? []
    const peeled = base === undefined ? null : this.#reader.find(`${base}^{}`)
    const info = peeled === null ? null : this.#reader.info(peeled)
    if (!info || info.type === 'commit') return ''
    return `error: object ${peeled} is a ${info.type}, not a commit\n`
  }

  /** Returns a name like `HEAD:./file` with the path from the top. */
  #withWholePath(name: string): string {
    const at = colonOf(name)
    if (at < 0) return name
    const given = name.slice(at + 1)
    if (!given.startsWith('./') && !given.startsWith('../')) return name
    const { top, prefix } = this.#place
    if (top === null) throw fatal("relative path syntax can't be used outside working tree")
    return name.slice(0, at + 1) + pathInTree(this.#place, prefix, given, '')
  }
}

/** Tells whether a commit is meant by its message. */
function isMessage(name: string): boolean {
  return name.startsWith(':/') && name.length > 2
}

/** Returns where the path begins: the first colon that is not between the braces of `@{`
 * or `^{`, or that of a stage. */
function colonOf(name: string): number {
  if (/^:[0-3]:/.test(name)) return 2
  let depth = 0
  for (let at = 0; at < name.length; at++) {
    const character = name[at]
    if (character === '{' && /[@^]/.test(name[at - 1] ?? '')) depth++
    else if (character === '}') depth = Math.max(0, depth - 1)
    else if (character === ':' && depth === 0) return at
  }
  return -1
}
