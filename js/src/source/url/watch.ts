/** Ending one request: by a signal, by closing, or when too little comes. */
import { onAbort } from '../../on-abort.js'
import { aborted } from '../../waiting.js'
import type { HttpSettings } from './options.js'

/** Too little came for as long as is allowed. */
export class Stalled {
  /** How many bytes of the body came, in how many milliseconds. */
  readonly bytes: number
  readonly milliseconds: number
  /** True if nothing came for the whole of `timeout`. */
  readonly silent: boolean

  constructor(bytes: number, milliseconds: number, silent: boolean) {
    this.bytes = bytes
    this.milliseconds = milliseconds
    this.silent = silent
  }
}

/**
 * The time that a request has left is `timeout` at first, and again when its answer
 * begins. Each byte adds what it may take at `minRate`, but nothing is saved beyond
 * `timeout`: bytes that came fast do not pay for a server that has stopped.
 */
export class Watch {
  readonly #controller = new AbortController()
  readonly #timeout: number
  /** Milliseconds that a byte may take; 0: it gives all the time back. */
  readonly #perByte: number
  readonly #ended: Promise<never>
  readonly #forget: () => void
  readonly #start = performance.now()
  #fail: (reason: unknown) => void = () => {}
  #timer: ReturnType<typeof setTimeout> | undefined
  /** When the request is given up. */
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

  /** Aborted when the request is to end. */
  get signal(): AbortSignal {
    return this.#controller.signal
  }

  /** The answer begins: the time does, too. */
  answered(): void {
    this.#came(Number.POSITIVE_INFINITY)
  }

  /** So many bytes of the body came. */
  received(bytes: number): void {
    if (bytes === 0) return
    this.#bytes += bytes
    this.#came(bytes * this.#perByte)
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
