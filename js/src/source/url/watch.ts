/** Ends a request: by a signal, by closing, or when too few bytes arrive. */
import { onAbort } from '../../base/on-abort.js'
import { aborted } from '../../base/waiting.js'
import type { HttpSettings } from './options.js'

/** Too few bytes arrived in the time that is allowed. */
export class Stalled {
  /** The bytes of the body that arrived in `milliseconds`. */
  readonly bytes: number
  readonly milliseconds: number
  /** True if no bytes arrived during the whole of `timeout`. */
  readonly silent: boolean

  constructor(bytes: number, milliseconds: number, silent: boolean) {
    this.bytes = bytes
    this.milliseconds = milliseconds
    this.silent = silent
  }
}

/**
 * Limits the time of a request. The time left is `timeout` at first, and again when the answer
 * begins. Each byte adds the time it may take at `minRate`, but never beyond `timeout`: after a
 * fast beginning, a server that has stopped is still detected within `timeout`.
 */
export class Watch {
  readonly #controller = new AbortController()
  readonly #timeout: number
  /** Milliseconds that a byte may take; infinite if `minRate` is 0. */
  readonly #perByte: number
  readonly #ended: Promise<never>
  readonly #forget: () => void
  readonly #start = performance.now()
  #fail: (reason: unknown) => void = () => {}
  #timer: ReturnType<typeof setTimeout> | undefined
  /** The time at which the request is given up, as `performance.now()` counts. */
  #deadline = 0
  #bytes = 0
  #last = this.#start

  constructor(
    { timeout, minRate }: Pick<HttpSettings, 'timeout' | 'minRate'>,
    outer: AbortSignal | undefined,
  ) {
    this.#timeout = timeout
    this.#perByte = minRate === 0 ? Number.POSITIVE_INFINITY : 1000 / minRate
    this.#ended = new Promise((_, reject) => {
      this.#fail = reject
    })
    this.#ended.catch(() => {})
    this.#forget = onAbort(outer, () => this.end(aborted(outer)))
    this.answered()
  }

  /** The signal to send the request with; aborted when the request has to end. */
  get signal(): AbortSignal {
    return this.#controller.signal
  }

  /** Restores the whole `timeout`, because the answer begins. */
  answered(): void {
    this.#came(Number.POSITIVE_INFINITY)
  }

  /** Extends the deadline for bytes of the body that arrived. */
  received(bytes: number): void {
    if (bytes === 0) return
    this.#bytes += bytes
    this.#came(bytes * this.#perByte)
  }

  /** Waits for a promise; rejects when the request ends. */
  until<T>(promise: Promise<T>): Promise<T> {
    return Promise.race([promise, this.#ended])
  }

  end(reason: unknown): void {
    this.#fail(reason)
    this.#controller.abort()
    this.over()
  }

  /** Stops the timer and the listener of the outer signal, because the request is over. */
  over(): void {
    clearTimeout(this.#timer)
    this.#forget()
  }

  #came(milliseconds: number): void {
    const now = performance.now()
    this.#last = now
    this.#deadline = Math.min(now + this.#timeout, this.#deadline + milliseconds)
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => this.#giveUp(), this.#deadline - now)
  }

  #giveUp(): void {
    const silent = this.#deadline >= this.#last + this.#timeout
    const milliseconds = Math.round(performance.now() - this.#start)
    this.end(new Stalled(this.#bytes, milliseconds, silent))
  }
}

/** Waits for a time, or until one of the signals is aborted. */
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
