/**
 * Sends questions and answers between two threads. Both ends work the same way: each may
 * ask, and each answers. Malformed messages are ignored.
 */
import type { MaybePromise } from '../base/maybe.js'
import { isPromise } from '../base/maybe.js'
import { onAbort } from '../base/on-abort.js'
import { aborted, checkAborted } from '../base/waiting.js'

/** The other thread, to which messages are posted. */
export interface Port {
  post(message: unknown, transfer: readonly Transferable[]): void
}

/** A value, and the parts of it that are transferred instead of copied. */
export interface Outgoing {
  readonly value?: unknown
  readonly transfer?: readonly Transferable[]
}

/** Handles the messages of the other end. */
export interface Handler {
  answer(question: unknown, signal: AbortSignal): MaybePromise<Outgoing>
  /** Handles a notice, which needs no answer. */
  notified(notice: object): void
  /** Serializes an error: structured clone would lose its class and most properties. */
  encodeError(error: unknown): unknown
  /** Deserializes an error of the other end. */
  decodeError(wire: unknown): unknown
  /** Returns a value to send with each answer and each error. */
  enclose?(): unknown
  /** Handles the value that the other end enclosed. */
  enclosed?(value: unknown): void
}

/** A message. Exactly one of the first five fields is set, and says of which kind it is. */
interface Message {
  readonly ask?: unknown
  readonly answer?: unknown
  readonly failed?: unknown
  readonly abort?: unknown
  readonly notify?: unknown
  readonly value?: unknown
  readonly enclosed?: unknown
}

interface Waiting {
  readonly resolve: (value: unknown) => void
  readonly reject: (error: unknown) => void
}

export class Link {
  readonly #port: Port
  readonly #handler: Handler
  readonly #waiting = new Map<number, Waiting>()
  readonly #answering = new Map<number, AbortController>()
  #last = 0
  #broken: { readonly error: unknown } | undefined

  constructor(port: Port, handler: Handler) {
    this.#port = port
    this.#handler = handler
  }

  /**
   * Asks the other end. If the signal is aborted, rejects at once, sends the abort to the
   * other end and ignores its answer.
   *
   * @throws the error of the other end, `ABORTED`, or the error that broke the link
   */
  async ask(
    question: unknown,
    signal: AbortSignal | undefined,
    transfer: readonly Transferable[] = [],
  ): Promise<unknown> {
    checkAborted(signal)
    if (this.#broken) throw this.#broken.error
    const number = ++this.#last
    let forget = () => {}
    try {
      return await new Promise((resolve, reject) => {
        this.#waiting.set(number, { resolve, reject })
        this.#port.post({ ask: number, value: question }, transfer)
        forget = onAbort(signal, () => {
          this.#port.post({ abort: number }, [])
          reject(aborted(signal))
        })
      })
    } finally {
      this.#waiting.delete(number)
      forget()
    }
  }

  /** Sends a notice, which needs no answer. */
  notify(notice: unknown): void {
    if (!this.#broken) this.#port.post({ notify: true, value: notice }, [])
  }

  /** Handles a message of the other end. */
  receive(message: unknown): void {
    if (!isRecord(message)) return
    const { ask, answer, failed, abort, notify, value, enclosed }: Message = message
    if (typeof ask === 'number') this.#answer(ask, value)
    else if (typeof abort === 'number') this.#answering.get(abort)?.abort()
    else if (notify === true && isRecord(value)) this.#handler.notified(value)
    else if (typeof answer === 'number' || typeof failed === 'number') {
      if (enclosed !== undefined) this.#handler.enclosed?.(enclosed)
      if (typeof answer === 'number') this.#waiting.get(answer)?.resolve(value)
      else this.#waiting.get(failed as number)?.reject(this.#handler.decodeError(value))
    }
  }

  /** Rejects pending questions with `error`, aborts pending answers, and sends nothing more. */
  break(error: unknown): void {
    this.#broken ??= { error }
    for (const { reject } of [...this.#waiting.values()]) reject(error)
    for (const controller of [...this.#answering.values()]) controller.abort()
  }

  /** Answers a question; makes no promise if the handler makes none. */
  #answer(number: number, question: unknown): void {
    const controller = new AbortController()
    const done = (outgoing: Outgoing) => {
      this.#answering.delete(number)
      this.#send({ answer: number, value: outgoing.value }, outgoing.transfer)
    }
    const failed = (error: unknown) => {
      this.#answering.delete(number)
      this.#send({ failed: number, value: this.#handler.encodeError(error) })
    }
    try {
      const outgoing = this.#handler.answer(question, controller.signal)
      if (isPromise(outgoing)) {
        this.#answering.set(number, controller)
        outgoing.then(done).catch(failed)
      } else {
        done(outgoing)
      }
    } catch (error) {
      failed(error)
    }
  }

  #send(message: Message, transfer: readonly Transferable[] = []): void {
    if (this.#broken) return
    const enclosed = this.#handler.enclose?.()
    this.#port.post(enclosed === undefined ? message : { ...message, enclosed }, transfer)
  }
}

function isRecord(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}
