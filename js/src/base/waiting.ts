/** Waits for promises; each wait can be ended early by its signal, and all at once. */
import { PacklensError } from './errors.js'
import type { MaybePromise } from './maybe.js'
import { isPromise } from './maybe.js'
import { onAbort } from './on-abort.js'

export class Waiting {
  readonly #ends = new Set<(error: unknown) => void>()

  /**
   * Waits for a promise; rejects when the signal is aborted, even if the promise never
   * settles.
   */
  until<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(aborted(signal))
      const end = (error: unknown) => {
        forget()
        this.#ends.delete(end)
        reject(error)
      }
      const forget = onAbort(signal, () => end(aborted(signal)))
      this.#ends.add(end)
      promise.then((value) => {
        forget()
        this.#ends.delete(end)
        resolve(value)
      }, end)
    })
  }

  /** Rejects all pending waits. */
  endAll(error: unknown): void {
    for (const end of [...this.#ends]) end(error)
  }
}

export function checkAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw aborted(signal)
}

export function aborted(signal: AbortSignal | undefined): PacklensError {
  return new PacklensError('ABORTED', 'the signal was aborted', { cause: signal?.reason })
}

/** Aborts a read. The signal is made on access, because most reads end without using it. */
export class Ending {
  #controller: AbortController | undefined
  #aborted = false

  get aborted(): boolean {
    return this.#aborted
  }

  get signal(): AbortSignal {
    this.#controller ??= new AbortController()
    if (this.#aborted) this.#controller.abort()
    return this.#controller.signal
  }

  abort(): void {
    this.#aborted = true
    this.#controller?.abort()
  }
}

interface Fetch {
  readonly done: Promise<unknown>
  readonly ending: Ending
  waiting: number
  settled: boolean
}

/**
 * The reads that are pending. All calls that need the same bytes wait for one read, which is
 * aborted only when no call waits for it any more.
 */
export class Fetches {
  readonly #running = new Map<string, Fetch>()
  readonly #waiting: Waiting

  constructor(waiting: Waiting) {
    this.#waiting = waiting
  }

  /**
   * Waits for the pending read of `key`, or starts one. Returns no promise if `read` returns
   * none.
   */
  share<T>(
    key: string,
    read: (ending: Ending) => MaybePromise<T>,
    signal: AbortSignal | undefined,
  ): MaybePromise<T> {
    const running = this.#running.get(key)
    if (running) return this.#wait<T>(key, running, signal)
    const ending = new Ending()
    const done = read(ending)
    if (!isPromise(done)) return done
    const fetch: Fetch = { done, ending, waiting: 0, settled: false }
    this.#running.set(key, fetch)
    const settle = () => this.#settle(key, fetch)
    done.then(settle, settle)
    return this.#wait<T>(key, fetch, signal)
  }

  async #wait<T>(key: string, fetch: Fetch, signal: AbortSignal | undefined): Promise<T> {
    fetch.waiting++
    try {
      return (await this.#waiting.until(fetch.done, signal)) as T
    } finally {
      fetch.waiting--
      if (fetch.waiting === 0 && !fetch.settled) {
        this.#settle(key, fetch)
        fetch.ending.abort()
      }
    }
  }

  #settle(key: string, fetch: Fetch): void {
    fetch.settled = true
    if (this.#running.get(key) === fetch) this.#running.delete(key)
  }

  clear(): void {
    this.#running.clear()
  }
}
