/** A worker that was started, and the link to it, until either is over. */
import { PacklensError } from '../errors.js'
import { decodeStats } from '../stats.js'
import type { Stats } from '../types.js'
import { KeptFailures } from './failures.js'
import { Link } from './link.js'
import type {
  Counters,
  PageNotice,
  PageQuestion,
  StoreNotice,
  StoreQuestion,
  WorkerNotice,
} from './messages.js'
import type { StoreHost } from './store-host.js'

/** A worker, whatever the platform calls it. */
export interface Started {
  post(message: unknown, transfer: readonly Transferable[]): void
  /** Keeps the process running, until it is released. */
  hold(): void
  release(): void
  /** Ends it at once, whatever it does. */
  end(): void
}

export interface Events {
  message(message: unknown): void
  /** It is gone, or never was, without having been ended. */
  died(why: unknown): void
}

export type Spawn = (events: Events) => Started

export type Report = (done: number, total: number) => void

export class Connection {
  readonly #worker: Started
  readonly #link: Link
  readonly #failures = new KeptFailures()
  readonly #host: StoreHost | undefined
  #pending = 0
  #over = false
  #counters: Counters | undefined

  /** @throws `INTERNAL` if there can be no worker */
  constructor(spawn: Spawn, host: StoreHost | undefined, report: Report | undefined) {
    this.#host = host
    this.#worker = started(spawn, {
      message: (message) => this.#link.take(message),
      died: (cause) => {
        const isKnown = cause instanceof PacklensError
        this.end(isKnown ? cause : new PacklensError('INTERNAL', DIED, { cause }))
      },
    })
    const port = {
      post: (message: unknown, transfer: readonly Transferable[]) =>
        this.#worker.post(message, transfer),
    }
    this.#link = new Link(port, {
      answer: (question, signal) => {
        if (host) return host.answer(question as StoreQuestion, signal)
        throw new PacklensError('INTERNAL', 'the source is in the worker')
      },
      told: (notice) => {
        const { kind, done, total } = notice as WorkerNotice
        if (kind === 'progress') report?.(done, total)
        else host?.told(notice as never as StoreNotice)
      },
      encodeError: (error) => this.#failures.encode(error),
      decodeError: (wire) => this.#failures.decode(wire),
      enclosed: (counters) => {
        this.#counters = counters as Counters
      },
    })
  }

  get over(): boolean {
    return this.#over
  }

  /** The counters, as they were with the last answer. */
  get stats(): Stats | undefined {
    if (!this.#counters) return undefined
    const [record, memory, traffic] = this.#counters
    // The network is where the source is.
    return decodeStats(record, memory, this.#host ? this.#host.traffic : traffic)
  }

  /** Asks the worker; `take` makes the result, while errors of this thread are still known. */
  async ask<T>(
    question: PageQuestion,
    take: (answer: never) => T,
    signal: AbortSignal | undefined,
    transfer: readonly Transferable[] = [],
  ): Promise<T> {
    if (this.#pending++ === 0) this.#worker.hold()
    try {
      return take((await this.#link.ask(question, signal, transfer)) as never)
    } finally {
      if (--this.#pending === 0) {
        this.#worker.release()
        this.#failures.clear()
      }
    }
  }

  tell(notice: PageNotice): void {
    this.#link.tell(notice)
  }

  /** Reads an error that crossed in a frame. */
  failure(wire: unknown): unknown {
    return this.#failures.decode(wire)
  }

  /** Ends the worker; what is waited for, and what is asked later, fails with `error`. */
  end(error: unknown): void {
    if (this.#over) return
    this.#over = true
    this.#link.break(error)
    this.#worker.end()
    this.#host?.closeFiles()
  }
}

const DIED = 'the worker ended, or did not start; the next call starts another'

function started(spawn: Spawn, events: Events): Started {
  try {
    return spawn(events)
  } catch (cause) {
    throw new PacklensError('INTERNAL', 'no worker can be started here', { cause })
  }
}
