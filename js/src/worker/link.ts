/**
 * Questions and answers between two threads. Both ends are the same: each may
 * ask, and each answers. What arrives and makes no sense is not looked at.
 */
import type { MaybePromise } from '../maybe.js'
import { isPromise } from '../maybe.js'
import { onAbort } from '../on-abort.js'
import { aborted, checkAborted } from '../waiting.js'

/** Where messages go, and come from. */
export interface Port {
  post(message: unknown, transfer: readonly Transferable[]): void
}

/** A value, and what of it moves to the other thread instead of being copied. */
export interface Outgoing {
  readonly value?: unknown
  readonly transfer?: readonly Transferable[]
}

/** What one end does about what the other sends. */
export interface Handler {
  answer(question: unknown, signal: AbortSignal): MaybePromise<Outgoing>
  /** Takes what needs no answer. */
  told(notice: object): void
  /** Errors do not cross as they are: these write them, and read them. */
  encodeError(error: unknown): unknown
  decodeError(wire: unknown): unknown
  /** Goes with each answer, and with each error. */
  enclose?(): unknown
  /** Takes what the other end enclosed. */
  enclosed?(value: unknown): void
}

/** A message; exactly one of the numbers says what it is. */
interface Message {
  readonly ask?: unknown
  readonly answer?: unknown
  readonly failed?: unknown
  readonly abort?: unknown
  readonly tell?: unknown
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
   * Asks the other end. A signal ends the call here at once; the other end is
   * told, and its answer no longer matters.
   *
   * @throws what it failed with there, or `ABORTED`
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

  /** Says something that needs no answer. */
  tell(notice: unknown): void {
    if (!this.#broken) this.#port.post({ tell: true, value: notice }, [])
  }

  /** Takes a message of the other end. */
  take(message: unknown): void {
    if (!isRecord(message)) return
    const { ask, answer, failed, abort, tell, value, enclosed }: Message = message
    if (typeof ask === 'number') this.#answer(ask, value)
    else if (typeof abort === 'number') this.#answering.get(abort)?.abort()
    else if (tell === true && isRecord(value)) this.#handler.told(value)
    else if (typeof answer === 'number' || typeof failed === 'number') {
      if (enclosed !== undefined) this.#handler.enclosed?.(enclosed)
      if (typeof answer === 'number') this.#waiting.get(answer)?.resolve(value)
      else this.#waiting.get(failed as number)?.reject(this.#handler.decodeError(value))
    }
  }

  /** Ends whatever is waited for, here and there. Nothing is sent any more. */
  break(error: unknown): void {
    this.#broken ??= { error }
    for (const { reject } of [...this.#waiting.values()]) reject(error)
    for (const controller of [...this.#answering.values()]) controller.abort()
  }

  /** Without a promise where the answer needs none. */
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
