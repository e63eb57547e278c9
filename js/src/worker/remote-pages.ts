/** The page's end of a long answer that a worker makes. */

import { PacklensError } from '../base/errors.js'
import type { MaybePromise } from '../base/maybe.js'
import type { LongQuestion } from '../base/protocol.js'
import type { Pages, PathOf } from '../engine/engine.js'
import type { AskOptions } from '../session/session.js'
import type { Connection } from './connection.js'
import { PageReader } from './frames.js'
import type { PageQuestion, WirePage } from './messages.js'

type Bytes = Uint8Array<ArrayBuffer>

/** Requests one page with each question: the worker continues only when it is asked. */
export class RemotePages implements Pages {
  readonly #connected: (signal: AbortSignal | undefined) => MaybePromise<Connection>
  readonly #number: number
  readonly #request: LongQuestion
  readonly #reader = new PageReader()
  readonly #paths = new Map<number, string>()
  #connection: Connection | undefined
  #ended = false

  constructor(
    connected: (signal: AbortSignal | undefined) => MaybePromise<Connection>,
    number: number,
    request: LongQuestion,
  ) {
    this.#connected = connected
    this.#number = number
    this.#request = request
  }

  get done(): boolean {
    return this.#reader.ended
  }

  readonly pathOf: PathOf = (file) => this.#paths.get(file)

  async next(capacity: number, { signal }: AskOptions): Promise<Bytes> {
    const begun = this.#connection
    const connection = begun ?? (await this.#connected(signal))
    if (this.#ended) throw new PacklensError('ABORTED', 'the listing was ended before it began')
    this.#connection = connection
    const request = begun ? undefined : this.#request
    const question: PageQuestion = { kind: 'next', number: this.#number, request, capacity }
    const take = ({ frames, paths }: WirePage): Bytes => {
      for (const [file, path] of paths) this.#paths.set(file, path)
      const { bytes, failure } = this.#reader.read(frames)
      if (failure !== null) throw connection.failure(failure)
      return bytes
    }
    return connection.ask(question, take, signal)
  }

  /** As `next`: a page that came by message has its own memory, which nothing reuses. */
  lend(capacity: number, options: AskOptions): MaybePromise<Bytes> {
    return this.next(capacity, options)
  }

  end(): void {
    if (!this.#ended && !this.done) {
      this.#connection?.notify({ kind: 'end', number: this.#number })
    }
    this.#ended = true
  }
}
