/** A repository as commands ask it: at once, and with as few copies as can be. */

import { readFileSync } from 'node:fs'
import { call, loadCoreSync } from '../../core.js'
import { isPacklensError } from '../../errors.js'
import { Frame } from '../../frame.js'
import { hex } from '../../hex.js'
import { pagesOf } from '../../local-pages.js'
import type { LongQuestion, MergeBaseQuestion, ShortQuestion } from '../../protocol.js'
import { asking } from '../../question.js'
import { decodeTexts } from '../../records.js'
import type { Core } from '../../session.js'
import { Session } from '../../session.js'
import { joinSpecs } from '../../specs.js'
import { expectSync, Task } from '../../task.js'
import type { ObjectType } from '../../types.js'
import { pathStore } from '../path-store.js'
import { fromBytes, toBytes } from './bytes.js'
import type { Environment } from './environment.js'
import { fatal } from './exit.js'
import type { Io } from './io.js'
import { sizeOf } from './sizes.js'
import { isLast } from './words.js'

type Verify = 'oid' | 'crc' | 'none'

/** How much content is handed over at once. */
const CHUNK = 64 << 10
const DEFAULT_MEMORY = 512 << 20

/** Opens the repository in a git directory. */
export function openReader(gitDir: string, io: Io, { places, environment }: Environment): Reader {
  loadCoreSync(() => readFileSync(new URL('../../wasm/packlens_bg.wasm', import.meta.url)))
  const memory = memoryOf(io.env.PACKLENS_MEMORY)
  const verify = verifyOf(io.env.PACKLENS_VERIFY)
  const session = new Session(pathStore(gitDir, places), {
    memory,
    baseCache: memory / 2,
    verify,
    objectFormat: undefined,
    environment,
    inOneTurn: true,
  })
  try {
    expectSync(session.prepare({}))
  } catch (error) {
    session.close()
    throw error
  }
  return new Reader(session, verify)
}

/** Ids are hashes of content: commands check them, as the package does. */
function verifyOf(value: string | undefined): Verify {
  if (value === 'none' || value === 'crc') return value
  if (!value || value === 'oid') return 'oid'
  throw fatal(`PACKLENS_VERIFY must be 'oid', 'crc' or 'none', not '${value}'`)
}

/** Returns how much memory a command may use. */
export function memoryOf(value: string | undefined): number {
  if (!value) return DEFAULT_MEMORY
  const bytes = sizeOf(value)
  if (bytes >= 1 << 20 && bytes <= 3 * 2 ** 30) return bytes
  throw fatal(`PACKLENS_MEMORY must be from 1m to 3g, not '${value}'`)
}

/** What a branch follows; what there is not is empty. */
export interface Tracking {
  /** The ref that it builds on, the remote of that, and what it is called there. */
  readonly upstream: string
  readonly remote: string
  readonly there: string
  /** The ref that follows what it is pushed to, and the remote of that. */
  readonly push: string
  readonly pushRemote: string
}

export class Reader {
  readonly session: Session
  /** What is checked of what it reads. */
  readonly verify: Verify

  constructor(session: Session, verify: Verify = 'oid') {
    this.session = session
    this.verify = verify
  }

  close(): void {
    this.session.close()
  }

  get hexLength(): number {
    return this.session.oidLength * 2
  }

  /** Whether names that may stand for several refs are warned of: `core.warnAmbiguousRefs`. */
  get warnsAmbiguous(): boolean {
    return call((glue) => glue.warns_ambiguous_refs(this.session.number))
  }

  /**
   * Returns the id that a name stands for. If it should be `committish`, a shortened id
   * may also stand for objects that lead to no commit.
   *
   * @throws as the package's `resolve`
   */
  resolve(name: string, committish = false): string {
    const question = { kind: 'resolve', spec: toBytes(name), committish } as const
    return this.#ask(question, () => hex(this.session.viewOutput()))
  }

  /** As {@link Reader.resolve}, `null` if the name stands for no one object. */
  find(name: string, committish = false): string | null {
    try {
      return this.resolve(name, committish)
    } catch (error) {
      if (isPacklensError(error, 'NOT_FOUND', 'AMBIGUOUS', 'WRONG_TYPE') && !isLast(error)) {
        return null
      }
      throw error
    }
  }

  /** Returns the name that a name stands for, as `@{-1}` or `main@{u}` do. */
  interpret(name: string): string {
    const question = { kind: 'interpret', name: toBytes(name) } as const
    return this.#ask(question, () => fromBytes(this.session.viewOutput()))
  }

  /** Tells what a branch, named in full, follows. */
  tracking(name: string): Tracking {
    const question = { kind: 'tracking', branch: toBytes(name) } as const
    const record = this.#ask(question, () => new Uint8Array(this.session.takeOutput()))
    const [upstream = '', remote = '', there = '', push = '', pushRemote = ''] = decodeTexts(record)
    return { upstream, remote, there, push, pushRemote }
  }

  /** Tells whether the ref of this full name has a reflog. */
  hasReflog(name: string): boolean {
    const question = { kind: 'hasReflog', name: toBytes(name) } as const
    return this.#ask(question, () => this.session.viewOutput()[0] === 1)
  }

  /** Returns the type and the size of an object; `null` if there is none. */
  info(oid: string): { type: ObjectType; size: number } | null {
    return this.#frame(oid, 0, ({ type, size }) => ({ type, size }))
  }

  /** Returns how an object is stored; `null` if there is none. */
  storage(oid: string): { diskSize: number; deltaBase: string | null } | null {
    return this.#frame(oid, 2, ({ diskSize = 0, deltaBase = null }) => ({ diskSize, deltaBase }))
  }

  /** Reads an object, whose data are there only while `use` runs; `null` if there is none. */
  read<T>(oid: string, use: (object: Frame) => T): T | null {
    return this.#frame(oid, 1, use)
  }

  /** Hands the content of an object to `use`, a chunk at a time; `false` if there is none. */
  stream(oid: string, use: (chunk: Uint8Array) => void): boolean {
    const task = this.#startStream(oid)
    if (!task) return false
    try {
      while (!task.done) expectSync(task.fill(CHUNK, use, {}))
    } finally {
      task.end()
    }
    return true
  }

  /** Hands a long answer to `use`, a page at a time. */
  pages(request: LongQuestion, use: (page: Uint8Array) => void): void {
    const pages = pagesOf(this.session, request)
    try {
      while (!pages.done) {
        expectSync(pages.fill(CHUNK, (page) => page.byteLength > 0 && use(page), {}))
      }
    } finally {
      pages.end()
    }
  }

  /** Writes revisions as the core takes them. */
  specs(names: readonly string[]): Uint8Array<ArrayBuffer> {
    return joinSpecs(names.map(toBytes))
  }

  /** Answers a question about merge bases: ids, each on a line, or a digit. */
  mergeBases(oids: readonly string[], of: MergeBaseQuestion['of']): string {
    let text = ''
    this.pages({ kind: 'mergeBase', specs: this.specs(oids), of }, (page) => {
      text += fromBytes(page)
    })
    return text
  }

  #startStream(oid: string): Task | null {
    const ask = asking(this.session, { kind: 'content', spec: oid })
    try {
      return expectSync(Task.start(this.session, ask, {}))
    } catch (error) {
      if (isPacklensError(error, 'NOT_FOUND')) return null
      throw error
    }
  }

  /** Returns so many digits of an id that they stand for no other object. */
  abbreviate(oid: string, least: number): string {
    const digits = () => new DataView(this.session.takeOutput()).getUint32(0, true)
    return oid.slice(0, this.#ask({ kind: 'abbreviate', oid, least }, digits))
  }

  #frame<T>(oid: string, fields: number, use: (object: Frame) => T): T | null {
    const input = toBytes(oid)
    let result: T | null = null
    try {
      const ask = (glue: Core) => {
        this.session.input(glue, input)
        return glue.read(this.session.number, fields, 0)
      }
      const done = () => {
        const { buffer, byteOffset, byteLength } = this.session.viewOutput()
        result = use(new Frame(new DataView(buffer, byteOffset, byteLength), 0))
      }
      expectSync(this.session.ask(ask, done))
    } catch (error) {
      if (!isPacklensError(error, 'NOT_FOUND')) throw error
    }
    return result
  }

  #ask<T>(question: ShortQuestion, done: () => T): T {
    return expectSync(this.session.ask(asking(this.session, question), done))
  }
}
