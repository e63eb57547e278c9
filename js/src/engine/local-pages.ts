/** Returns long answers of a session in this thread, a page at a time. */

import { PacklensError } from '../base/errors.js'
import { hex } from '../base/hex.js'
import type { MaybePromise } from '../base/maybe.js'
import { isPromise, whenReady } from '../base/maybe.js'
import type { ContentQuestion, LongQuestion } from '../base/protocol.js'
import { turn } from '../base/turn.js'
import { NeedsFullModule } from '../session/core-session.js'
import { questionCall } from '../session/question.js'
import type { Ask, QuestionOptions, Session, SessionHost } from '../session/session.js'
import { Task } from '../session/task.js'
import type { Pages, PathOf } from './engine.js'

type Bytes = Uint8Array<ArrayBuffer>

/** Returns a long answer; the core is not asked before the first page is requested. */
export function pagesOf(host: SessionHost, request: LongQuestion): LocalPages {
  if (request.kind === 'content') return new ContentPages(host, request)
  return new LocalPages(host, questionCall(request))
}

/** Returns the id of the object that a revision stands for. */
export function resolved(
  host: SessionHost,
  spec: string | Uint8Array,
  options: QuestionOptions,
): MaybePromise<string> {
  const ask = questionCall({ kind: 'resolve', spec })
  return host.asked(
    (session) => session.ask(ask, () => hex(session.viewOutput()), options),
    options,
  )
}

export class LocalPages implements Pages {
  readonly #host: SessionHost
  #ask: Ask
  #task: Task | undefined
  /** Whether any bytes were returned. */
  #begun = false
  #ended = false
  /** Whether a page was requested: the event loop has a turn before each further one. */
  #worked = false

  constructor(host: SessionHost, ask: Ask) {
    this.#host = host
    this.#ask = ask
  }

  /** True if the instance in which the task ran was replaced. */
  protected get lost(): boolean {
    return this.#task?.lost ?? false
  }

  /** Starts again, with another question. */
  protected restart(ask: Ask): void {
    this.#task = undefined
    this.#ask = ask
  }

  get done(): boolean {
    return this.#task?.done ?? false
  }

  readonly pathOf: PathOf = (file) => this.#task?.session.pathOf(file)

  next(capacity: number, options: QuestionOptions): MaybePromise<Bytes> {
    return this.fill(capacity, copyOf, options)
  }

  lend(capacity: number, options: QuestionOptions): MaybePromise<Bytes> {
    return this.fill(capacity, (bytes) => bytes, options)
  }

  /** As `next`, but passes a view of the instance's memory to `take`, and returns its result. */
  fill<T>(capacity: number, take: (bytes: Bytes) => T, options: QuestionOptions): MaybePromise<T> {
    if (!this.#host.givesTurns(options)) return this.make(capacity, take, options)
    // A loop over pages awaits settled promises only, so no event would be handled meanwhile.
    if (this.#worked) return turn().then(() => this.make(capacity, take, options))
    this.#worked = true
    return this.make(capacity, take, options)
  }

  /** Makes a page. */
  protected make<T>(
    capacity: number,
    take: (bytes: Bytes) => T,
    options: QuestionOptions,
  ): MaybePromise<T> {
    return this.#attempt(capacity, take, options)
  }

  /** Prepares to start again although bytes were returned; false if that is impossible. */
  protected resumes(): boolean {
    return false
  }

  /**
   * Makes a page. Starts again if the instance was replaced before any bytes were returned, or
   * if the repository has changed so that the reader cannot continue.
   */
  #attempt<T>(
    capacity: number,
    take: (bytes: Bytes) => T,
    options: QuestionOptions,
  ): MaybePromise<T> {
    const again = (error: unknown): MaybePromise<T> => {
      const isForFullModule = error instanceof NeedsFullModule
      if (!isForFullModule && (!this.lost || this.#begun)) throw error
      this.#task?.end()
      this.#task = undefined
      if (!this.#begun || this.resumes()) return this.#attempt(capacity, take, options)
      const what = 'the repository changed during the listing: start it again'
      throw new PacklensError('CHANGED', what)
    }
    try {
      const filled = this.#fill(capacity, take, options)
      return isPromise(filled) ? filled.catch(again) : filled
    } catch (error) {
      return again(error)
    }
  }

  #fill<T>(capacity: number, take: (bytes: Bytes) => T, options: QuestionOptions): MaybePromise<T> {
    const taken = (bytes: Bytes): T => {
      this.#begun ||= bytes.byteLength > 0
      return take(bytes)
    }
    const task = this.#task
    if (!task)
      return this.#host.asked((session) => this.#begin(session, capacity, taken, options), options)
    return task.fill(capacity, taken, options)
  }

  #begin<T>(
    session: Session,
    capacity: number,
    take: (bytes: Bytes) => T,
    options: QuestionOptions,
  ): MaybePromise<T> {
    // Ends the task of the reader, whose session needed the full module.
    this.#task?.end()
    return whenReady(Task.start(session, this.#ask, options), (task) => {
      this.#task = task
      if (!this.#ended) return task.fill(capacity, take, options)
      task.end()
      throw new PacklensError('ABORTED', 'the listing was ended while it began')
    })
  }

  end(): void {
    if (!this.#ended) this.#task?.end()
    this.#ended = true
  }
}

/**
 * The content of one object. The id and an offset are enough to resume it, even if a repack
 * moved the object or the instance was replaced.
 */
class ContentPages extends LocalPages {
  readonly #host: SessionHost
  readonly #request: ContentQuestion
  /** The id of the object, once the revision was resolved. */
  #id: string | undefined
  #delivered = 0

  constructor(host: SessionHost, request: ContentQuestion) {
    super(host, questionCall(request))
    this.#host = host
    this.#request = request
  }

  protected override make<T>(
    capacity: number,
    take: (bytes: Bytes) => T,
    options: QuestionOptions,
  ): MaybePromise<T> {
    const counted = (bytes: Bytes): T => {
      this.#delivered += bytes.byteLength
      return take(bytes)
    }
    return whenReady(this.#settle(options), () => super.make(capacity, counted, options))
  }

  protected override resumes(): boolean {
    if (this.#id === undefined) return false
    this.#continue(this.#id)
    return true
  }

  /**
   * Resolves the revision once, because a name may stand for another object later. After a
   * trap, asks for the rest of the object by its id.
   */
  #settle(options: QuestionOptions): MaybePromise<void> {
    if (this.#id !== undefined) return this.lost ? this.#continue(this.#id) : undefined
    return whenReady(resolved(this.#host, this.#request.spec, options), (id) => this.#continue(id))
  }

  #continue(id: string): void {
    const { start = 0, end } = this.#request
    this.#id = id
    const rest = { kind: 'content', spec: id, start: start + this.#delivered, end } as const
    this.restart(questionCall(rest))
  }
}

function copyOf(bytes: Bytes): Bytes {
  return bytes.slice()
}
