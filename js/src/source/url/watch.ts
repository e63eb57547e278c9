/** Ending one request: by a signal, by closing, or when nothing comes for a while. */
import { onAbort } from '../../on-abort.js'
import { aborted } from '../../waiting.js'

/** Nothing came for as long as is allowed. */
export class Stalled {}

export class Watch {
  readonly #controller = new AbortController()
  readonly #timeout: number
  readonly #ended: Promise<never>
  readonly #forget: () => void
  #fail: (reason: unknown) => void = () => {}
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(timeout: number, outer: AbortSignal | undefined) {
    this.#timeout = timeout
    this.#ended = new Promise((_, reject) => {
      this.#fail = reject
    })
    this.#ended.catch(() => {})
    this.#forget = onAbort(outer, () => this.end(aborted(outer)))
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
    this.#forget()
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
      for (const forget of forgets) forget()
      resolve()
    }
    const timer = setTimeout(done, milliseconds)
    const forgets = signals.map((signal) => onAbort(signal, done))
    if (signals.some((signal) => signal?.aborted)) done()
  })
}
