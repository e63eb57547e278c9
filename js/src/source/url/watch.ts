/** Ending one request: by a signal, by closing, or when nothing comes for a while. */
import { checkAborted } from '../../waiting.js'

/** Nothing came for as long as is allowed. */
export class Stalled {}

export class Watch {
  readonly #controller = new AbortController()
  readonly #outer: AbortSignal | undefined
  readonly #timeout: number
  readonly #ended: Promise<never>
  #fail: (reason: unknown) => void = () => {}
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(timeout: number, outer: AbortSignal | undefined) {
    this.#timeout = timeout
    this.#outer = outer
    this.#ended = new Promise((_, reject) => {
      this.#fail = reject
    })
    this.#ended.catch(() => {})
    outer?.addEventListener('abort', this.#abort)
    this.alive()
  }

  /** Aborted when the request is to end. */
  get signal(): AbortSignal {
    return this.#controller.signal
  }

  /** Something came: the time begins anew. */
  alive(): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.end(new Stalled()), this.#timeout)
  }

  /** Waits for a promise, but no longer than the request lasts. */
  until<T>(promise: Promise<T>): Promise<T> {
    return Promise.race([promise, this.#ended])
  }

  end(reason: unknown): void {
    this.#fail(reason)
    this.#controller.abort()
    this.over()
  }

  /** The request is over: nothing is left that could end it. */
  over(): void {
    clearTimeout(this.#timer)
    this.#outer?.removeEventListener('abort', this.#abort)
  }

  readonly #abort = () => {
    try {
      checkAborted(this.#outer)
    } catch (error) {
      this.end(error)
    }
  }
}

/** Waits, but no longer than until one of the signals is aborted. */
export function sleep(
  milliseconds: number,
  ...signals: readonly (AbortSignal | undefined)[]
): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer)
      for (const signal of signals) signal?.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, milliseconds)
    for (const signal of signals) signal?.addEventListener('abort', done)
    if (signals.some((signal) => signal?.aborted)) done()
  })
}
