/**
 * Asks the core a question, provides the data that it lacks, and repeats the question until it is
 * answered.
 */

import { fullNotLoaded, PacklensError } from '../base/errors.js'
import type { MaybePromise } from '../base/maybe.js'
import { isPromise, whenReady } from '../base/maybe.js'
import type { AbortSignal } from '../base/platform-types.js'
import { Status } from '../base/protocol.js'
import { turn } from '../base/turn.js'
import { Turns } from '../base/turns.js'
import { checkAborted, Waiting } from '../base/waiting.js'
import { decodeNeeds } from '../objects/records.js'
import type { FileStore, Traffic } from '../source/store.js'
import type { Core, SessionOptions } from './core-session.js'
import { CoreSession, NeedsFullModule } from './core-session.js'
import type { Instance } from './instance.js'
import { currentInstance } from './modules.js'
import { Needs } from './needs.js'
import { Provider } from './provider.js'
import { NO_COUNTERS } from './stats.js'

export type { Core }

export interface AskOptions {
  readonly signal?: AbortSignal | undefined
}

/** The options of a question. */
export interface QuestionOptions extends AskOptions {
  /** Answers before the call returns: the event loop has no turn meanwhile. */
  readonly inOneTurn?: true | undefined
}

/** Returns the options of a question whose method returns no promise. */
export function inOneTurn({ signal }: AskOptions): QuestionOptions {
  return { signal, inOneTurn: true }
}

/** A question: writes its input, calls the core, and returns the status. */
export type Ask = (core: Core, session: Session) => number

interface Asked<T> {
  readonly ask: Ask
  readonly done: (status: number) => T
  readonly options: QuestionOptions
  /** True for questions that prepare the repository for others. */
  readonly preparing: boolean
}

/** A question that is being answered. */
interface Question<T> extends Asked<T> {
  number: number
  epoch: number
  /** The needs so far; `undefined` if there were none. */
  needs: Needs | undefined
}

/** The most times that the same bytes may be needed before the question continues alone. */
const FAIR_REPEATS = 3

/** Answers questions: a session, or an engine that may replace its session. */
export interface SessionHost {
  /**
   * Calls `ask` with the session. If the question needs the full module, loads that and calls
   * `ask` once more, with a session there.
   */
  asked<T>(ask: (session: Session) => MaybePromise<T>, options: QuestionOptions): MaybePromise<T>
  /** Returns whether the event loop has a turn after each step of such a question. */
  givesTurns(options: QuestionOptions): boolean
}

export class Session implements SessionHost {
  readonly #core: CoreSession
  readonly #store: FileStore
  readonly #options: SessionOptions
  readonly #waiting = new Waiting()
  readonly #provider: Provider
  readonly #turns = new Turns()
  /** The questions that wait for a promise, in the order of their numbers. */
  readonly #begun = new Set<Question<unknown>>()
  #onProgress: ((done: number, total: number) => void) | undefined
  #preparedIn = -1
  /** The number of tasks that began and have not ended. */
  #tasks = 0
  /** Called once all questions are answered, if no more will be asked. */
  #onIdle: (() => void) | undefined
  #closed = false

  constructor(store: FileStore, options: SessionOptions, instance: Instance = currentInstance()) {
    this.#core = new CoreSession(instance)
    this.#store = store
    this.#options = options
    this.#provider = new Provider(this.#core, store, options.memory, this.#waiting)
  }

  /** The instance that answers. */
  get instance(): Instance {
    return this.#core.instance
  }

  /** Returns a session with the same store and options, in another instance. */
  in(instance: Instance): Session {
    return new Session(this.#store, this.#options, instance)
  }

  get number(): number {
    return this.#core.number
  }

  get closed(): boolean {
    return this.#closed
  }

  /** Returns whether the event loop has a turn after each step of such a question. */
  givesTurns(options: QuestionOptions): boolean {
    return !(options.inOneTurn || this.#options.inOneTurn)
  }

  /**
   * Repeats a question until it is answered. `done` makes the result while the output is
   * valid. Returns no promise if the source needs none.
   */
  ask<T>(ask: Ask, done: (status: number) => T, options: QuestionOptions = {}): MaybePromise<T> {
    return this.#begin({ ask, done, options, preparing: false })
  }

  /** Reads the repository format, and makes missing pack indexes. */
  prepare(
    options: QuestionOptions,
    onProgress?: (done: number, total: number) => void,
  ): MaybePromise<void> {
    this.#onProgress = onProgress
    return whenReady(this.#prepare(options), () => {
      this.#onProgress = undefined
    })
  }

  #prepare(options: QuestionOptions): MaybePromise<void> {
    this.#ready()
    return whenReady(this.#provider.hasReplaceRefs(), (hasReplaceRefs) => {
      if (!hasReplaceRefs) this.instance.call((glue) => glue.ignore_replace_refs(this.number))
      return this.#prepareSteps(options)
    })
  }

  #prepareSteps(options: QuestionOptions): MaybePromise<void> {
    for (;;) {
      const ask: Ask = (glue) => glue.prepare(this.number)
      const step = this.#begin({ ask, done: this.#prepared, options, preparing: true })
      if (step === true) return
      if (isPromise(step))
        return step.then((done) => (done ? undefined : this.#prepareSteps(options)))
      if (this.givesTurns(options)) {
        return this.#waiting.until(turn(), options.signal).then(() => this.#prepareSteps(options))
      }
    }
  }

  readonly #prepared = (status: number): boolean => {
    if (status === Status.done) {
      this.#preparedIn = this.#core.epoch
      return true
    }
    const view = new DataView(this.takeOutput())
    const at = (offset: number) => Number(view.getBigUint64(offset, true))
    this.#onProgress?.(at(0), at(8))
    return false
  }

  #begin<T>(asked: Asked<T>): MaybePromise<T> {
    const { ask, done, options, preparing } = asked
    // Field by field: a spread takes 3 microseconds, longer than many answers.
    const question: Question<T> = {
      ask,
      done,
      options,
      preparing,
      number: 0,
      epoch: -1,
      needs: undefined,
    }
    try {
      const answer = this.#round(question)
      return isPromise(answer) ? this.#finish(question, answer) : answer
    } catch (error) {
      this.#leave(question)
      throw error
    }
  }

  async #finish<T>(question: Question<T>, answer: Promise<T>): Promise<T> {
    this.#begun.add(question as Question<unknown>)
    try {
      return await answer
    } catch (error) {
      this.#leave(question)
      throw error
    } finally {
      this.#turns.over(question)
      this.#begun.delete(question as Question<unknown>)
      this.#checkIdle()
    }
  }

  /** Returns the number of the first pending question; 0 if none is pending. */
  #oldest(): number {
    for (const { epoch, number } of this.#begun) {
      // Questions to an instance that was replaced start again, under new numbers.
      if (epoch === this.#core.epoch) return number
    }
    return 0
  }

  /** Has the core drop the state of a question that is not repeated. */
  #leave({ epoch, number }: Question<unknown>): void {
    if (this.#closed || epoch !== this.instance.epoch) return
    this.instance.call((glue) => glue.leave(this.number, number))
  }

  #round<T>(question: Question<T>): MaybePromise<T> {
    for (;;) {
      checkAborted(question.options.signal)
      this.#ready()
      if (!question.preparing && this.#preparedIn !== this.#core.epoch) {
        // The instance was replaced, and with it the state that preparing made.
        const prepared = this.#prepare(question.options)
        if (isPromise(prepared)) return prepared.then(() => this.#round(question))
      }
      const status = this.#askOnce(question)
      // The next call overwrites the output, and `closeFiles` makes one.
      const answer = status & ~Status.closed
      if (answer === Status.done || answer === Status.more) {
        const result = question.done(answer)
        if (status !== answer) this.#provider.closeFiles()
        return result
      }
      const record = this.#core.output()
      if (answer === Status.failed) {
        throw this.#provider.errorIn(record)
      }
      const needs = decodeNeeds(record)
      if (status !== answer) this.#provider.closeFiles()
      const { signal } = question.options
      const [need] = needs
      if (need.kind === 'module' && !this.instance.isFull) throw new NeedsFullModule(need.rest)
      if (need.kind === 'turn') {
        if (this.givesTurns(question.options)) {
          return this.#waiting
            .until(turn(), signal)
            .then(() => this.#turns.wait(question, false, this.#waiting, signal))
            .then(() => this.#round(question))
        }
        continue
      }
      // What was completed is not done again, so the same bytes may be needed as often as before.
      if (answer === Status.advanced || !question.needs) {
        question.needs = new Needs((file) => this.pathOf(file))
      }
      const repeats = question.needs.count(need)
      const provided = this.#provider.provide(needs, question.number, signal)
      if (isPromise(provided)) {
        if (need.kind === 'module' && !this.givesTurns(question.options)) {
          // The rest continues to load, for later calls.
          provided.catch(() => {})
          throw fullNotLoaded()
        }
        return provided
          .then(() => this.#turns.wait(question, repeats > FAIR_REPEATS, this.#waiting, signal))
          .then(() => this.#round(question))
      }
    }
  }

  #askOnce<T>(question: Question<T>): number {
    return this.instance.call((glue) => {
      if (question.epoch !== this.#core.epoch) {
        question.number = glue.begin(this.number, this.#oldest())
        question.epoch = this.#core.epoch
        question.needs = undefined
        const begun = question as Question<unknown>
        if (this.#begun.delete(begun)) this.#begun.add(begun)
      }
      glue.resume(this.number, question.number)
      return question.ask(glue, this)
    })
  }

  /** Writes pieces, one after the other, where the core reads its input. */
  input(glue: Core, ...pieces: readonly Uint8Array[]): void {
    this.#core.input(glue, ...pieces)
  }

  /** Returns a copy of the output in an `ArrayBuffer` of its own. */
  takeOutput(): ArrayBuffer {
    return this.#core.takeOutput()
  }

  /** Returns a view of the output, valid until the next call. */
  viewOutput(): Uint8Array<ArrayBuffer> {
    return this.#core.viewOutput()
  }

  pathOf(file: number): string | undefined {
    return this.#provider.pathOf(file)
  }

  get oidLength(): number {
    this.#ready()
    return this.#core.oidLength
  }

  /** The network traffic, if the source counts it. */
  get traffic(): Traffic | undefined {
    return this.#provider.traffic
  }

  /** Returns the counters as the core writes them. */
  counters(): Uint8Array<ArrayBuffer> {
    if (this.#closed) throw closedError()
    // A session that is not in its instance has counted nothing.
    if (!this.#core.isCurrent) return NO_COUNTERS.slice()
    this.instance.call((glue) => glue.stats(this.number))
    return this.#core.output()
  }

  /**
   * Reads refs of a remote source again from the next call on, and replace refs of any source.
   */
  refresh(): void {
    this.#ready()
    this.#provider.refresh()
    this.instance.call((glue) => glue.refresh(this.number))
    this.#preparedIn = -1
  }

  asked<T>(ask: (session: Session) => MaybePromise<T>): MaybePromise<T> {
    return ask(this)
  }

  /** Counts a task that began. */
  taskBegan(): void {
    this.#tasks++
  }

  /** Counts a task that ended. */
  taskEnded(): void {
    this.#tasks--
    this.#checkIdle()
  }

  /** Waits for a promise, unless the signal or closing the session ends the wait. */
  until<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
    return this.#waiting.until(promise, signal)
  }

  /** Calls `onIdle` once all questions are answered. No more questions may follow. */
  retire(onIdle: () => void): void {
    this.#onIdle = onIdle
    this.#checkIdle()
  }

  #checkIdle(): void {
    if (this.#closed || this.#tasks > 0 || this.#begun.size > 0) return
    this.#onIdle?.()
  }

  /** Closes the session, but not its store. */
  leave(): void {
    if (this.#closed) return
    this.#closed = true
    this.#provider.leave()
    this.#core.close()
    this.#waiting.endAll(closedError())
  }

  /** Closes the session and its store, and ends all waits. Can be called at any time, and twice. */
  close(): void {
    if (this.#closed) return
    this.leave()
    this.#store.close?.()
  }

  /** Opens the session in the instance if needed: at first, and after a trap. */
  #ready(): void {
    if (this.#closed) throw closedError()
    if (this.#core.isCurrent) return
    this.#provider.forgetAll()
    this.#core.open(this.#options)
  }
}

export function closedError(): PacklensError {
  return new PacklensError('CLOSED', 'the repository was closed')
}
