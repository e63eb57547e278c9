/** The engine that answers with a session of this thread. */

import { fullNotLoaded } from '../base/errors.js'
import type { MaybePromise } from '../base/maybe.js'
import { isPromise, whenReady } from '../base/maybe.js'
import { type LongQuestion, ReadField } from '../base/protocol.js'
import { encodeName } from '../base/specs.js'
import type { ObjectType, Stats } from '../base/types.js'
import { numberOf } from '../objects/filter.js'
import { decodeFrame } from '../objects/frame.js'
import { NeedsFullModule } from '../session/core-session.js'
import type { Instance } from '../session/instance.js'
import { beginWhole, fullInstance } from '../session/modules.js'
import { questionCall } from '../session/question.js'
import type { Ask, QuestionOptions, Session, SessionHost } from '../session/session.js'
import { closedError } from '../session/session.js'
import { addCounters, decodeStats } from '../session/stats.js'
import { Task } from '../session/task.js'
import type { Traffic } from '../source/store.js'
import type { BatchAnswer, BatchRequest, Engine, InfoAnswer } from './engine.js'
import type { LocalPages } from './local-pages.js'
import { pagesOf, resolved } from './local-pages.js'

type Bytes = Uint8Array<ArrayBuffer>

export class LocalEngine implements Engine, SessionHost {
  /** The session for new questions. */
  #session: Session
  /** The session in the reader, while it answers questions from before the full module loaded. */
  #retired: Session | undefined
  /** The counters of the session in the reader, once that has ended. */
  #counted: Bytes | undefined

  constructor(session: Session) {
    this.#session = session
  }

  get oidLength(): number {
    return this.#session.oidLength
  }

  get inThread(): boolean {
    return true
  }

  givesTurns(options: QuestionOptions): boolean {
    return this.#session.givesTurns(options)
  }

  asked<T>(ask: (session: Session) => MaybePromise<T>, options: QuestionOptions): MaybePromise<T> {
    const session = this.#session
    if (session.instance.isFull) return ask(session)
    const again = (error: unknown): MaybePromise<T> => {
      if (!(error instanceof NeedsFullModule)) throw error
      return whenReady(this.#upgraded(session, error.rest, options), ask)
    }
    try {
      const answer = ask(session)
      return isPromise(answer) ? answer.catch(again) : answer
    } catch (error) {
      return again(error)
    }
  }

  read(
    spec: string,
    type: ObjectType | undefined,
    options: QuestionOptions,
  ): MaybePromise<ArrayBuffer> {
    const ask = row(spec, ReadField.content, type)
    return this.asked((session) => session.ask(ask, () => session.takeOutput(), options), options)
  }

  info(spec: string, options: QuestionOptions): MaybePromise<InfoAnswer> {
    const ask = row(spec, ReadField.storage)
    const done = (session: Session) => () => {
      const row = session.takeOutput()
      const { pack } = decodeFrame(row)
      return { row, pack: pack === null ? null : (session.pathOf(pack) ?? null) }
    }
    return this.asked((session) => session.ask(ask, done(session), options), options)
  }

  resolve(spec: string, options: QuestionOptions): MaybePromise<string> {
    return resolved(this, spec, options)
  }

  reference(name: string, short: boolean, options: QuestionOptions): MaybePromise<ArrayBuffer> {
    const ask = questionCall({ kind: 'reference', name, short })
    return this.asked((session) => session.ask(ask, () => session.takeOutput(), options), options)
  }

  batch(
    { specs, fields, packOrder, start, capacity }: BatchRequest,
    into: Bytes | undefined,
    options: QuestionOptions,
  ): MaybePromise<BatchAnswer> {
    const ask = questionCall({ kind: 'batch', specs, ...fields, inPackOrder: packOrder, ...start })
    const take = (bytes: Bytes): Bytes => {
      if (!into) return bytes.slice()
      into.set(bytes)
      return into.subarray(0, bytes.byteLength)
    }
    return this.asked((session) => {
      return whenReady(Task.start(session, ask, options), (task) => {
        const taken = (bytes: Bytes): BatchAnswer => {
          const next = task.done ? null : task.place
          return { bytes, next, pathOf: (file) => session.pathOf(file) }
        }
        return ending(task, () => whenReady(task.fill(capacity, take, options), taken))
      })
    }, options)
  }

  pages(request: LongQuestion): LocalPages {
    return pagesOf(this, request)
  }

  stats(): Stats {
    return decodeStats(...this.counters())
  }

  refresh(): void {
    this.#session.refresh()
  }

  /** Returns the record of the core's counters, and the counters that the core lacks. */
  counters(): [record: Bytes, instanceMemory: number, traffic: Traffic | undefined] {
    const earlier = this.#retired?.counters() ?? this.#counted
    const own = this.#session.counters()
    const record = earlier ? addCounters(own, earlier) : own
    const { instance, traffic } = this.#session
    const memory = instance.memorySize + (this.#retired?.instance.memorySize ?? 0)
    const { requests = 0, receivedBytes = 0 } = traffic ?? {}
    return [record, memory, traffic && { requests, receivedBytes }]
  }

  close(): void {
    this.#retired?.leave()
    this.#session.close()
  }

  /** Replaces the session in the reader by one in the full module, and returns that. */
  #upgraded(
    from: Session,
    rest: boolean,
    { signal, inOneTurn }: QuestionOptions,
  ): MaybePromise<Session> {
    if (this.#session !== from) return this.#session
    if (rest) beginWhole()
    const instance = fullInstance()
    if (!isPromise(instance)) return this.#replace(from, instance)
    if (!inOneTurn) {
      return from.until(instance, signal).then((instance) => this.#replace(from, instance))
    }
    // The module continues to load, for later calls.
    instance.catch(() => {})
    throw fullNotLoaded()
  }

  #replace(from: Session, instance: Instance): Session {
    if (this.#session !== from) return this.#session
    if (from.closed) throw closedError()
    this.#session = from.in(instance)
    this.#retired = from
    from.retire(() => {
      this.#counted = from.counters()
      this.#retired = undefined
      from.leave()
    })
    return this.#session
  }
}

function row(spec: string, fields: number, type?: ObjectType): Ask {
  const input = encodeName(spec)
  const number = type === undefined ? 0 : numberOf(type)
  return (glue, session) => {
    session.input(glue, input)
    return glue.read(session.number, fields, number)
  }
}

/** Returns the answer of a task, and ends the task when it answers or fails. */
function ending<T>(task: Task, answer: () => MaybePromise<T>): MaybePromise<T> {
  let pending = false
  try {
    const answered = answer()
    pending = isPromise(answered)
    return isPromise(answered) ? answered.finally(() => task.end()) : answered
  } finally {
    if (!pending) task.end()
  }
}
