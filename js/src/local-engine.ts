/** An engine that answers by a session of this thread. */

import { memorySize } from './core.js'
import type { BatchAnswer, BatchRequest, Engine, InfoAnswer } from './engine.js'
import { CONTENT, STORAGE } from './engine.js'
import { numberOf } from './filter.js'
import { decodeFrame } from './frame.js'
import type { LocalPages } from './local-pages.js'
import { pagesOf, resolved } from './local-pages.js'
import { LocalStretches } from './local-stretches.js'
import type { MaybePromise } from './maybe.js'
import { isPromise, whenReady } from './maybe.js'
import type { LongQuestion } from './protocol.js'
import { asking } from './question.js'
import type { Ask, QuestionOptions, Session } from './session.js'
import type { Traffic } from './source/store.js'
import { encodeName } from './specs.js'
import { Task } from './task.js'
import type { ObjectType, Stats } from './types.js'

type Bytes = Uint8Array<ArrayBuffer>

export class LocalEngine implements Engine {
  readonly #session: Session

  constructor(session: Session) {
    this.#session = session
  }

  get oidLength(): number {
    return this.#session.oidLength
  }

  get inThread(): boolean {
    return true
  }

  read(
    spec: string,
    type: ObjectType | undefined,
    options: QuestionOptions,
  ): MaybePromise<ArrayBuffer> {
    return this.#session.ask(
      this.#row(spec, CONTENT, type),
      () => this.#session.takeOutput(),
      options,
    )
  }

  info(spec: string, options: QuestionOptions): MaybePromise<InfoAnswer> {
    const done = () => {
      const row = this.#session.takeOutput()
      const { pack } = decodeFrame(row)
      return { row, pack: pack === null ? null : (this.#session.pathOf(pack) ?? null) }
    }
    return this.#session.ask(this.#row(spec, STORAGE), done, options)
  }

  resolve(spec: string, options: QuestionOptions): MaybePromise<string> {
    return resolved(this.#session, spec, options)
  }

  reference(name: string, short: boolean, options: QuestionOptions): MaybePromise<ArrayBuffer> {
    const ask = asking(this.#session, { kind: 'reference', name, short })
    return this.#session.ask(ask, () => this.#session.takeOutput(), options)
  }

  batch(
    { specs, fields, packOrder, start, capacity }: BatchRequest,
    into: Bytes | undefined,
    options: QuestionOptions,
  ): MaybePromise<BatchAnswer> {
    const session = this.#session
    const ask = asking(session, {
      kind: 'batch',
      specs,
      ...fields,
      inPackOrder: packOrder,
      ...start,
    })
    const take = (bytes: Bytes): Bytes => {
      if (!into) return bytes.slice()
      into.set(bytes)
      return into.subarray(0, bytes.byteLength)
    }
    return whenReady(Task.start(session, ask, options), (task) => {
      const taken = (bytes: Bytes): BatchAnswer => {
        const next = task.done ? null : task.place
        return { bytes, next, pathOf: (file) => session.pathOf(file) }
      }
      return ending(task, () => whenReady(task.fill(capacity, take, options), taken))
    })
  }

  pages(request: LongQuestion): LocalPages {
    return pagesOf(this.#session, request)
  }

  shared(request: LongQuestion): LocalStretches {
    return new LocalStretches(this.#session, request)
  }

  putLinks(rows: Bytes): MaybePromise<boolean> {
    const session = this.#session
    const ask: Ask = (glue) => {
      session.input(glue, rows)
      return glue.put_links(session.number)
    }
    return session.ask(ask, () => session.viewOutput()[0] === 1)
  }

  stats(): Stats {
    return this.#session.stats()
  }

  refresh(): void {
    this.#session.refresh()
  }

  /** Returns the counters as the core writes them, and those that the core does not know. */
  counters(): [record: Bytes, instanceMemory: number, traffic: Traffic | undefined] {
    const traffic = this.#session.traffic
    const { requests = 0, receivedBytes = 0 } = traffic ?? {}
    return [this.#session.counters(), memorySize(), traffic && { requests, receivedBytes }]
  }

  close(): void {
    this.#session.close()
  }

  #row(spec: string, fields: number, type?: ObjectType): Ask {
    const input = encodeName(spec)
    const number = type === undefined ? 0 : numberOf(type)
    return (glue) => {
      this.#session.input(glue, input)
      return glue.read(this.#session.number, fields, number)
    }
  }
}

/** Returns the answer of a task, and ends the task once it answered or failed. */
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
