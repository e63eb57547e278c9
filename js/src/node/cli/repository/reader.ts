/** Reads a repository for commands: synchronously, and with as few copies as possible. */

import { isPacklensError } from '../../../base/errors.js'
import { hex } from '../../../base/hex.js'
import type { MaybePromise } from '../../../base/maybe.js'
import type {
  LongQuestion,
  MatchSpansQuestion,
  MergeBaseQuestion,
  ShortQuestion,
} from '../../../base/protocol.js'
import { joinSpecs } from '../../../base/specs.js'
import type { ObjectType } from '../../../base/types.js'
import { pagesOf } from '../../../engine/local-pages.js'
import { Frame } from '../../../objects/frame.js'
import { decodeTexts } from '../../../objects/records.js'
import { NeedsFullModule } from '../../../session/core-session.js'
import { fullInstance, wholeInstance } from '../../../session/modules.js'
import { questionCall } from '../../../session/question.js'
import type { Core, SessionHost } from '../../../session/session.js'
import { Session } from '../../../session/session.js'
import { expectSync, Task } from '../../../session/task.js'
import type { FileStore } from '../../../source/store.js'
import type { Environment } from '../base/environment.js'
import { fatal } from '../base/exit.js'
import { isLast } from '../base/git-messages.js'
import type { Io } from '../base/io.js'
import { loadModule, type ModuleName } from '../base/module.js'
import { fromBytes, toBytes } from '../text/bytes.js'
import { sizeOf } from '../text/sizes.js'
import { withSeconds } from './reflog-dates.js'

type Verify = 'oid' | 'crc' | 'none'

/** The size of the chunks and pages that callers get, in bytes. */
const CHUNK = 64 << 10
const DEFAULT_MEMORY = 512 << 20

/** Opens the repository in a store of its files. */
export function openReader(
  store: FileStore,
  io: Io,
  { environment }: Pick<Environment, 'environment'>,
  module: ModuleName = 'full',
): Reader {
  loadModule(module)
  const memory = memoryOf(io.env.PACKLENS_MEMORY)
  const verify = verifyOf(io.env.PACKLENS_VERIFY)
  const session = new Session(store, {
    memory,
    baseCache: memory / 2,
    verify,
    objectFormat: undefined,
    environment,
    inOneTurn: true,
  })
  const reader = new Reader(session, verify)
  try {
    expectSync(reader.asked((session) => session.prepare({})))
  } catch (error) {
    reader.close()
    throw error
  }
  return reader
}

/** Returns what `PACKLENS_VERIFY` sets. Default: ids are verified, as by the package. */
function verifyOf(value: string | undefined): Verify {
  if (value === 'none' || value === 'crc') return value
  if (!value || value === 'oid') return 'oid'
  throw fatal(`PACKLENS_VERIFY must be 'oid', 'crc' or 'none', not '${value}'`)
}

/** Returns how many bytes of memory a command may use. @throws Exit if `value` is invalid */
export function memoryOf(value: string | undefined): number {
  if (!value) return DEFAULT_MEMORY
  const bytes = sizeOf(value)
  if (bytes >= 1 << 20 && bytes <= 3 * 2 ** 30) return bytes
  throw fatal(`PACKLENS_MEMORY must be from 1m to 3g, not '${value}'`)
}

/** The upstream and the push destination of a branch; what is not set is empty. */
export interface Tracking {
  /** The upstream ref, its remote, and the name of the ref in the remote. */
  readonly upstream: string
  readonly remote: string
  readonly there: string
  /** The remote-tracking ref of the push destination, and the remote. */
  readonly push: string
  readonly pushRemote: string
}

export class Reader implements SessionHost {
  #session: Session
  /** How much of each object is verified. */
  readonly verify: Verify

  constructor(session: Session, verify: Verify = 'oid') {
    this.#session = session
    this.verify = verify
  }

  close(): void {
    this.#session.close()
  }

  /** The session for questions that the module of the repository answers: all, if it is the full one. */
  get session(): Session {
    return this.#session
  }

  givesTurns(): boolean {
    return false
  }

  asked<T>(ask: (session: Session) => MaybePromise<T>): MaybePromise<T> {
    try {
      return ask(this.#session)
    } catch (error) {
      if (!(error instanceof NeedsFullModule)) throw error
      const earlier = this.#session
      this.#session = earlier.in(expectSync(error.rest ? wholeInstance() : fullInstance()))
      earlier.leave()
      return ask(this.#session)
    }
  }

  get hexLength(): number {
    return this.#session.oidLength * 2
  }

  /** Whether to warn of names that may stand for several refs: `core.warnAmbiguousRefs`. */
  get warnsAmbiguous(): boolean {
    const { instance, number } = this.#session
    return instance.call((glue) => glue.warns_ambiguous_refs(number))
  }

  /**
   * Returns the id that a name stands for. If it should be `committish`, a shortened id is
   * not ambiguous if just one of its objects leads to a commit.
   *
   * @throws as the package's `resolve`
   */
  resolve(name: string, committish = false): string {
    const question = { kind: 'resolve', spec: toBytes(withSeconds(name)), committish } as const
    return this.#ask(question, (session) => hex(session.viewOutput()))
  }

  /** As {@link Reader.resolve}, but `null` if the name does not stand for just one object. */
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

  /** Returns the name of the ref that a name such as `@{-1}` or `main@{u}` stands for. */
  interpret(name: string): string {
    const question = { kind: 'interpret', name: toBytes(name) } as const
    return this.#ask(question, (session) => fromBytes(session.viewOutput()))
  }

  /** Returns what a branch tracks; `name` is its full name. */
  tracking(name: string): Tracking {
    const question = { kind: 'tracking', branch: toBytes(name) } as const
    const record = this.#ask(question, (session) => new Uint8Array(session.takeOutput()))
    const [upstream = '', remote = '', there = '', push = '', pushRemote = ''] = decodeTexts(record)
    return { upstream, remote, there, push, pushRemote }
  }

  /** Returns whether the ref of this full name has a reflog. */
  hasReflog(name: string): boolean {
    const question = { kind: 'hasReflog', name: toBytes(name) } as const
    return this.#ask(question, (session) => session.viewOutput()[0] === 1)
  }

  /** Returns the type and the size of an object; `null` if it is missing. */
  info(oid: string): { type: ObjectType; size: number } | null {
    return this.#frame(oid, 0, ({ type, size }) => ({ type, size }))
  }

  /** Returns whether an object is in a pack; it may be loose as well. */
  isPacked(oid: string): boolean {
    return this.#frame(oid, 2, ({ pack }) => pack !== null) ?? false
  }

  /** Returns the disk size and the delta base of an object; `null` if it is missing. */
  storage(oid: string): { diskSize: number; deltaBase: string | null } | null {
    return this.#frame(oid, 2, ({ diskSize = 0, deltaBase = null }) => ({ diskSize, deltaBase }))
  }

  /** Reads an object, whose data are valid only while `use` runs; `null` if it is missing. */
  read<T>(oid: string, use: (object: Frame) => T): T | null {
    return this.#frame(oid, 1, use)
  }

  /** Passes the content of an object to `use`, chunk by chunk; `false` if it is missing. */
  stream(oid: string, use: (chunk: Uint8Array) => void): boolean {
    const passed = (session: Session) => {
      const task = startStream(session, oid)
      if (!task) return false
      try {
        while (!task.done) expectSync(task.fill(CHUNK, use, {}))
      } finally {
        task.end()
      }
      return true
    }
    return expectSync(this.asked(passed))
  }

  /** Returns where patterns match in the lines of a text: the start and the end of each match. */
  matchSpans(question: Omit<MatchSpansQuestion, 'kind'>): (readonly [number, number])[] {
    return this.#ask({ kind: 'matchSpans', ...question }, (session) => {
      const { buffer, byteOffset, byteLength } = session.viewOutput()
      const view = new DataView(buffer, byteOffset, byteLength)
      return Array.from({ length: byteLength / 8 }, (_, at) => {
        return [view.getUint32(at * 8, true), view.getUint32(at * 8 + 4, true)] as const
      })
    })
  }

  /** Passes a long answer to `use`, page by page. */
  pages(request: LongQuestion, use: (page: Uint8Array) => void): void {
    const pages = pagesOf(this, request)
    try {
      while (!pages.done) {
        expectSync(pages.fill(CHUNK, (page) => page.byteLength > 0 && use(page), {}))
      }
    } finally {
      pages.end()
    }
  }

  /** Encodes revisions as the core reads them. */
  specs(names: readonly string[]): Uint8Array<ArrayBuffer> {
    return joinSpecs(names.map(toBytes))
  }

  /** Answers a question about merge bases: ids, one per line; for `ancestor`, `1` or `0`. */
  mergeBases(oids: readonly string[], of: MergeBaseQuestion['of']): string {
    let text = ''
    this.pages({ kind: 'mergeBase', specs: this.specs(oids), of }, (page) => {
      text += fromBytes(page)
    })
    return text
  }

  /**
   * Returns an id shortened to the digits that no other object shares: at least `least`, or
   * if that is 0, as many as git shows in a repository of this size.
   */
  abbreviate(oid: string, least: number): string {
    const digits = (session: Session) => new DataView(session.takeOutput()).getUint32(0, true)
    return oid.slice(0, this.#ask({ kind: 'abbreviate', oid, least }, digits))
  }

  #frame<T>(oid: string, fields: number, use: (object: Frame) => T): T | null {
    const input = toBytes(oid)
    const asked = (session: Session) => {
      const ask = (glue: Core) => {
        session.input(glue, input)
        return glue.read(session.number, fields, 0)
      }
      const done = () => {
        const { buffer, byteOffset, byteLength } = session.viewOutput()
        return use(new Frame(new DataView(buffer, byteOffset, byteLength), 0))
      }
      return session.ask(ask, done)
    }
    try {
      return expectSync(this.asked(asked))
    } catch (error) {
      if (!isPacklensError(error, 'NOT_FOUND')) throw error
      return null
    }
  }

  #ask<T>(question: ShortQuestion, done: (session: Session) => T): T {
    const ask = questionCall(question)
    return expectSync(this.asked((session) => session.ask(ask, () => done(session))))
  }
}

/** Begins to read the content of an object; `null` if it is missing. */
function startStream(session: Session, oid: string): Task | null {
  try {
    return expectSync(Task.start(session, questionCall({ kind: 'content', spec: oid }), {}))
  } catch (error) {
    if (isPacklensError(error, 'NOT_FOUND')) return null
    throw error
  }
}
