/** A worker and the link to it, until one of them ends. */
import { isPacklensError, PacklensError } from '../base/errors.js'
import type { Stats } from '../base/types.js'
import { decodeStats } from '../session/stats.js'
import { compiledModules, forgetCompiled } from '../session/wasm-module.js'
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

/** A running worker of any platform. */
export interface WorkerHandle {
  post(message: unknown, transfer: readonly Transferable[]): void
  /** Keeps the process running until `release` is called. */
  hold(): void
  release(): void
  /** Terminates the worker at once, even while it answers. */
  end(): void
}

export interface Events {
  message(message: unknown): void
  /** Called if the worker stopped or failed to start, unless `end` was called before. */
  died(why: unknown): void
}

export type Spawn = (events: Events) => WorkerHandle

export type Report = (done: number, total: number) => void

export class Connection {
  readonly #worker: WorkerHandle
  readonly #link: Link
  readonly #failures = new KeptFailures()
  readonly #host: StoreHost | undefined
  #pending = 0
  #ended = false
  #counters: Counters | undefined

  /** @throws `INTERNAL` if no worker can be started */
  constructor(spawn: Spawn, host: StoreHost | undefined, report: Report | undefined) {
    this.#host = host
    this.#worker = startWorker(spawn, {
      message: (message) => this.#link.receive(message),
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
      notified: (notice) => {
        const told = notice as WorkerNotice | StoreNotice
        if (told.kind === 'progress') report?.(told.done, told.total)
        else if (told.kind === 'close') host?.notified(told)
        else if (told.module) compiledModules.set(told.url, told.module)
        else forgetCompiled()
      },
      encodeError: (error) => this.#failures.encode(error),
      decodeError: (wire) => this.#failures.decode(wire),
      enclosed: (counters) => {
        this.#counters = counters as Counters
      },
    })
  }

  get ended(): boolean {
    return this.#ended
  }

  /** The counters that came with the last answer. */
  get stats(): Stats | undefined {
    if (!this.#counters) return undefined
    const [record, memory, traffic] = this.#counters
    // Traffic is counted in the thread that has the source.
    return decodeStats(record, memory, this.#host ? this.#host.traffic : traffic)
  }

  /**
   * Asks the worker and returns what `take` makes of the answer. `take` runs before the kept
   * errors are cleared, because it may decode errors of this thread from frames.
   */
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

  notify(notice: PageNotice): void {
    this.#link.notify(notice)
  }

  /** Deserializes an error that crossed in a frame. */
  failure(wire: unknown): unknown {
    return this.#failures.decode(wire)
  }

  /** Ends the worker; pending and later questions fail with `error`. */
  end(error: unknown): void {
    if (this.#ended) return
    this.#ended = true
    this.#link.break(error)
    this.#worker.end()
    this.#host?.closeFiles()
  }
}

const DIED = 'the worker ended, or did not start; the next call starts another'

function startWorker(spawn: Spawn, events: Events): WorkerHandle {
  try {
    return spawn(events)
  } catch (cause) {
    // `packlens/slim` says what its caller has to give.
    if (isPacklensError(cause)) throw cause
    throw new PacklensError('INTERNAL', 'a worker cannot be started here', { cause })
  }
}
