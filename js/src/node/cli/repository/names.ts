/** Resolves the names of objects in arguments, and explains in git's words why one fails. */
import * as fs from 'node:fs'
import * as path from 'node:path'
import { isPacklensError } from '../../../base/errors.js'
import { Exit, fatal } from '../base/exit.js'
import { isLast } from '../base/git-messages.js'
import type { Io } from '../base/io.js'
import { ambiguityOf } from '../refs/refnames.js'
import { textOfBytes } from '../text/bytes.js'
import type { Place } from './place.js'
import { pathInTree } from './place.js'
import type { Reader } from './reader.js'

const TYPED = /^(.*)\^\{(commit|tree|blob|tag|\/.+)\}$/s
const PARENT = /^(.*?)(?:\^\d*|~\d*)+$/s

/** The messages of the core, and of git, about a damaged index file. */
const BAD_INDEX = 'index file corrupt'
const SHORT_INDEX = 'index file smaller than expected'

/** Why a name does not resolve: the lines that git prints, and its message about a path. */
export interface Diagnosis {
  readonly errors: string
  readonly path?: string
}

/** Resolves names as users type them: paths may be relative to the current folder. */
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
    return this.#reader.resolve(this.withWholePath(name), committish)
  }

  /** As {@link Names.resolve}, but `null` if the name does not stand for just one object. */
  find(name: string, committish = false): string | null {
    try {
      return this.resolve(name, committish)
    } catch (error) {
      this.diagnose(name, error)
      return null
    }
  }

  /** Returns whether a name has a relative path, which the core alone cannot resolve. */
  isRelative(name: string): boolean {
    return name.includes(':./') || name.includes(':../')
  }

  /** Returns the id that a name stands for. @throws Exit with git's message */
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

  /** Warns if a name may stand for more than one ref. */
  warn(name: string): void {
    const warning = ambiguityOf(this.#reader, name)
    if (warning !== '') this.#io.writeError(warning)
  }

  invalid(name: string, errors = ''): Exit {
    return new Exit(128, `${errors}fatal: Not a valid object name ${textOfBytes(name)}\n`)
  }

  /**
   * Returns why a name does not resolve: lines that git prints in any case, and its message
   * about a path. Errors of other kinds are rethrown. With `suggest`, the message also names
   * a path that exists below the current folder.
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
    // The user may have meant a pathspec, so the message is not about the index.
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

  /** Returns why the index does not have the entry of `:path` or `:2:path`. */
  #wrongStaged(name: string, at: number, suggest: boolean): string {
    const stage = at === 0 ? 0 : Number(name[1])
    const whole = this.withWholePath(name).slice(at + 1)
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

  /** Returns the first stage of a path in the index; `null` if the index does not have it. */
  #stageOf(whole: string): number | null {
    const stages = [0, 1, 2, 3]
    return stages.find((stage) => this.#reader.find(`:${stage}:${whole}`) !== null) ?? null
  }

  #wrongPath(name: string, at: number, suggest: boolean): string {
    const tree = name.slice(0, at)
    const treeText = textOfBytes(tree)
    if (this.#reader.find(tree) === null) return `invalid object name '${treeText}'.`
    const { top, prefix } = this.#place
    const whole = this.withWholePath(name).slice(at + 1)
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

  /** Returns git's error if a name requires another type than its object has; else nothing. */
  #wrongType(name: string): string {
    const [, typed, operator] = TYPED.exec(name) ?? []
    if (typed !== undefined) {
      const peeled = this.#reader.find(`${typed}^{}`)
      const info = peeled === null ? null : this.#reader.info(peeled)
      if (!info) return ''
      const type = info.type === 'commit' ? 'tree' : info.type
      const expected = operator?.startsWith('/') ? 'commit' : operator
      if (expected === info.type) return ''
      const what = `expected ${expected} type, but the object dereferences to ${type} type`
      return `error: ${textOfBytes(name)}: ${what}\n`
    }
    const [, base] = PARENT.exec(name) ?? []
    const peeled = base === undefined ? null : this.#reader.find(`${base}^{}`)
    const info = peeled === null ? null : this.#reader.info(peeled)
    if (!info || info.type === 'commit') return ''
    return `error: object ${peeled} is a ${info.type}, not a commit\n`
  }

  /** Returns a name like `HEAD:./file` with the path from the top of the work tree. */
  withWholePath(name: string): string {
    const at = colonOf(name)
    if (at < 0) return name
    const given = name.slice(at + 1)
    if (!given.startsWith('./') && !given.startsWith('../')) return name
    const { top, prefix } = this.#place
    if (top === null) throw fatal("relative path syntax can't be used outside working tree")
    return name.slice(0, at + 1) + pathInTree(this.#place, prefix, given, '')
  }
}

/** Returns whether a name searches for a commit by its message. */
export function isMessage(name: string): boolean {
  return name.startsWith(':/') && name.length > 2
}

/**
 * Returns the index of the colon before the path: the one after a stage, or the first that is
 * not between the braces of `@{` or `^{`; -1 if there is none.
 */
export function colonOf(name: string): number {
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
