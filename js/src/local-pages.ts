/** Long answers of a session in this thread, a page at a time. */

import type { Pages, PathOf } from './engine.js'
import { PacklensError } from './errors.js'
import { hex } from './hex.js'
import type { MaybePromise } from './maybe.js'
import { isPromise, whenReady } from './maybe.js'
import type { ContentQuestion, LongQuestion } from './protocol.js'
import { asking } from './question.js'
import type { Ask, QuestionOptions, Session } from './session.js'
import { Task } from './task.js'
import { turn } from './turn.js'

type Bytes = Uint8Array<ArrayBuffer>

/** Begins a long answer; nothing is asked before its first page is wanted. */
export function pagesOf(session: Session, request: LongQuestion): LocalPages {
  if (request.kind === 'content') return new ContentPages(session, request)
  return new LocalPages(session, asking(session, request))
}

/** Returns the id of the object that a revision stands for. */
export function resolved(
  session: Session,
  spec: string | Uint8Array,
  options: QuestionOptions,
): MaybePromise<string> {
  const ask = asking(session, { kind: 'resolve', spec })
  return session.ask(ask, () => hex(session.viewOutput()), options)
}

export class LocalPages implements Pages {
  readonly #session: Session
  #ask: Ask
  #task: Task | undefined
  /** Whether any of it was handed over. */
  #begun = false
  #ended = false
  /** A page was made since the event loop had its turn. */
  #worked = false

  constructor(session: Session, ask: Ask) {
    this.#session = session
    this.#ask = ask
  }

  /** True if it went on in an instance that is gone. */
  protected get lost(): boolean {
    return this.#task?.lost ?? false
  }

  /** Begins anew, with another question. */
  protected restart(ask: Ask): void {
    this.#task = undefined
    this.#ask = ask
  }

  get done(): boolean {
    return this.#task?.done ?? false
  }

  readonly pathOf: PathOf = (file) => this.#session.pathOf(file)

  next(capacity: number, options: QuestionOptions): MaybePromise<Bytes> {
    return this.fill(capacity, copyOf, options)
  }

  lend(capacity: number, options: QuestionOptions): MaybePromise<Bytes> {
    return this.fill(capacity, (bytes) => bytes, options)
  }

  /** As `next`; `take` gets a view of the page in the instance's memory. */
  fill<T>(capacity: number, take: (bytes: Bytes) => T, options: QuestionOptions): MaybePromise<T> {
    if (!this.#session.givesTurns(options)) return this.make(capacity, take, options)
    // Who goes over pages waits for promises that are settled: nothing else has a turn.
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
    const again = (error: unknown): MaybePromise<T> => {
      if (!this.lost || this.#begun) throw error
      // Nobody has seen anything of it yet.
      this.#task = undefined
      return this.make(capacity, take, options)
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
    if (this.#task) return this.#task.fill(capacity, taken, options)
    return whenReady(Task.start(this.#session, this.#ask, options), (task) => {
      this.#task = task
      if (!this.#ended) return task.fill(capacity, taken, options)
      task.end()
      throw new PacklensError('ABORTED', 'the listing was left while it began')
    })
  }

  end(): void {
    if (!this.#ended) this.#task?.end()
    this.#ended = true
  }
}

/** The content of one object, wherever that is by now, and in whichever instance. */
class ContentPages extends LocalPages {
  readonly #session: Session
  readonly #request: ContentQuestion
  /** The id of the object, once it is known. */
  #id: string | undefined
  #delivered = 0

  constructor(session: Session, request: ContentQuestion) {
    super(session, asking(session, request))
    this.#session = session
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

  /** A name may stand for another object later, and a trap may come between. */
  #settle(options: QuestionOptions): MaybePromise<void> {
    const { spec, start = 0, end } = this.#request
    const from = (id: string) => {
      this.#id = id
      const rest = { kind: 'content', spec: id, start: start + this.#delivered, end } as const
      this.restart(asking(this.#session, rest))
    }
    if (this.#id !== undefined) return this.lost ? from(this.#id) : undefined
    return whenReady(resolved(this.#session, spec, options), from)
  }
}

function copyOf(bytes: Bytes): Bytes {
  return bytes.slice()
}
