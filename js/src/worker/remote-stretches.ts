/** The page's end of a long answer of which a worker makes some stretches. */

import type { PathOf, SharedPages, Stretches } from '../engine.js'
import type { LongQuestion } from '../protocol.js'
import type { AskOptions } from '../session.js'
import type { Connection } from './connection.js'
import { PageReader } from './frames.js'
import type { PageQuestion, WireStretch } from './messages.js'

type Bytes = Uint8Array<ArrayBuffer>

/**
 * How many pages the worker is asked for ahead, and of about how many bytes: it goes on
 * while this thread has something else to do.
 */
const MOST_AHEAD = 12
const BYTES_AHEAD = 16 << 20

/** A message takes time as well: it brings as much as so many pages of this thread. */
const PAGES_AT_ONCE = 4

/** A page, and how many stretches were done with it. */
interface Made {
  readonly bytes: Bytes
  readonly finished: number
}

export class RemoteStretches implements SharedPages {
  readonly #connected: (signal: AbortSignal | undefined) => Promise<Connection>
  readonly #number: number
  readonly #request: LongQuestion
  readonly #reader = new PageReader()
  readonly #paths = new Map<number, string>()
  readonly #asked: Promise<Made>[] = []
  /** Buffers of pages that nobody looks at any more. */
  readonly #spare: ArrayBuffer[] = []
  #connection: Connection | undefined
  /** What was claimed, and not yet told to the worker. */
  #claims: (number | null)[] = []
  /** About how long pages are. */
  #usual = 0
  /** Getting ready counts as one that was claimed. */
  #claimed = 1
  /** How many were done with the last page that came, and with the last that was taken. */
  #made = 0
  #finished = 0
  #ended = false

  constructor(
    connected: (signal: AbortSignal | undefined) => Promise<Connection>,
    number: number,
    request: LongQuestion,
  ) {
    this.#connected = connected
    this.#number = number
    this.#request = request
  }

  get unfinished(): number {
    return this.#claimed - this.#finished
  }

  get unmade(): number {
    return this.#claimed - this.#made
  }

  readonly pathOf: PathOf = (file) => this.#paths.get(file)

  async stretches({ signal }: AskOptions): Promise<Stretches> {
    const request = this.#connection ? undefined : this.#request
    this.#connection ??= await this.#connected(signal)
    const question: PageQuestion = { kind: 'stretches', number: this.#number, request }
    return this.#connection.ask(question, (answer: Stretches) => answer, signal)
  }

  claim(stretch: number | null): void {
    this.#claims.push(stretch)
    this.#claimed++
  }

  put(told: Bytes): void {
    this.#connection?.tell({ kind: 'put', number: this.#number, told })
  }

  async next(capacity: number, { signal }: AskOptions): Promise<Bytes> {
    const ahead = Math.min(MOST_AHEAD, Math.round(BYTES_AHEAD / this.#usual))
    while (this.#asked.length === 0 || (this.#asked.length < ahead && this.unmade > 0)) {
      const page = this.#ask(capacity, signal)
      // Whoever takes it hears of its error; it may be that nobody does.
      page.catch(() => {})
      this.#asked.push(page)
    }
    const { bytes, finished } = await (this.#asked.shift() as Promise<Made>)
    this.#finished = finished
    this.#usual = (this.#usual + bytes.byteLength) / 2
    return bytes
  }

  /** What came by message is nobody else's, and goes back to be filled again. */
  lend(capacity: number, options: AskOptions): Promise<Bytes> {
    return this.next(capacity, options)
  }

  giveBack(page: Bytes): void {
    if (this.#spare.length < MOST_AHEAD && page.buffer.byteLength > 0) this.#spare.push(page.buffer)
  }

  end(): void {
    if (!this.#ended) this.#connection?.tell({ kind: 'end', number: this.#number })
    this.#ended = true
  }

  async #ask(capacity: number, signal: AbortSignal | undefined): Promise<Made> {
    const connection = this.#connection ?? (await this.#connected(signal))
    const spare = this.#spare.pop()
    const claims = this.#claims
    this.#claims = []
    const question: PageQuestion = {
      kind: 'stretch',
      number: this.#number,
      claims,
      capacity: capacity * PAGES_AT_ONCE,
      spare,
    }
    const take = ({ frames, paths, finished }: WireStretch): Made => {
      this.#made = finished
      for (const [file, path] of paths) this.#paths.set(file, path)
      const { bytes, failure } = this.#reader.read(frames)
      if (failure !== null) throw connection.failure(failure)
      return { bytes, finished }
    }
    return connection.ask(question, take, signal, spare ? [spare] : [])
  }
}
