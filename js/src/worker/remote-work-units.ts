/** The page's end of a long answer of which a worker makes some work units. */

import type { LongQuestion } from '../base/protocol.js'
import type { PathOf, SharedPages, WorkUnits } from '../engine/engine.js'
import type { AskOptions } from '../session/session.js'
import type { Connection } from './connection.js'
import { PageReader } from './frames.js'
import type { PageQuestion, WireWorkUnitPage } from './messages.js'

type Bytes = Uint8Array<ArrayBuffer>

/**
 * How many pages are requested ahead, and about how many bytes they have together: the
 * worker must not wait while this thread does something else.
 */
const MOST_AHEAD = 12
const BYTES_AHEAD = 16 << 20

/** How many pages of this thread make one of the worker, because each message takes time. */
const PAGES_AT_ONCE = 4

/** A page, and how many work units are finished with it. */
interface Made {
  readonly bytes: Bytes
  readonly finished: number
}

export class RemoteWorkUnits implements SharedPages {
  readonly #connected: (signal: AbortSignal | undefined) => Promise<Connection>
  readonly #number: number
  readonly #request: LongQuestion
  readonly #reader = new PageReader()
  readonly #paths = new Map<number, string>()
  readonly #asked: Promise<Made>[] = []
  /** Buffers of pages that were given back. */
  readonly #spare: ArrayBuffer[] = []
  #connection: Connection | undefined
  /** The claims that were not sent to the worker yet. */
  #claims: (number | null)[] = []
  /** The moving average of the length of pages, in bytes. */
  #usual = 0
  /** The number of claims; the preparation counts as the first. */
  #claimed = 1
  /** How many claims the last page that arrived finished, and the last that was taken. */
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

  async workUnits({ signal }: AskOptions): Promise<WorkUnits> {
    const request = this.#connection ? undefined : this.#request
    this.#connection ??= await this.#connected(signal)
    const question: PageQuestion = { kind: 'workUnits', number: this.#number, request }
    return this.#connection.ask(question, (answer: WorkUnits) => answer, signal)
  }

  claim(workUnit: number | null): void {
    this.#claims.push(workUnit)
    this.#claimed++
  }

  addRecords(records: Bytes): void {
    this.#connection?.notify({ kind: 'addRecords', number: this.#number, bytes: records })
  }

  async next(capacity: number, { signal }: AskOptions): Promise<Bytes> {
    const ahead = Math.min(MOST_AHEAD, Math.round(BYTES_AHEAD / this.#usual))
    while (this.#asked.length === 0 || (this.#asked.length < ahead && this.unmade > 0)) {
      const page = this.#ask(capacity, signal)
      // Taking the page throws its error. If no caller takes it, its rejection counts as handled.
      page.catch(() => {})
      this.#asked.push(page)
    }
    const { bytes, finished } = await (this.#asked.shift() as Promise<Made>)
    this.#finished = finished
    this.#usual = (this.#usual + bytes.byteLength) / 2
    return bytes
  }

  /** As `next`; `giveBack` lets the worker fill the buffer of the page again. */
  lend(capacity: number, options: AskOptions): Promise<Bytes> {
    return this.next(capacity, options)
  }

  giveBack(page: Bytes): void {
    if (this.#spare.length < MOST_AHEAD && page.buffer.byteLength > 0) this.#spare.push(page.buffer)
  }

  end(): void {
    if (!this.#ended) this.#connection?.notify({ kind: 'end', number: this.#number })
    this.#ended = true
  }

  async #ask(capacity: number, signal: AbortSignal | undefined): Promise<Made> {
    const connection = this.#connection ?? (await this.#connected(signal))
    const spare = this.#spare.pop()
    const claims = this.#claims
    this.#claims = []
    const question: PageQuestion = {
      kind: 'workUnitPage',
      number: this.#number,
      claims,
      capacity: capacity * PAGES_AT_ONCE,
      spare,
    }
    const take = ({ frames, paths, finished }: WireWorkUnitPage): Made => {
      this.#made = finished
      for (const [file, path] of paths) this.#paths.set(file, path)
      const { bytes, failure } = this.#reader.read(frames)
      if (failure !== null) throw connection.failure(failure)
      return { bytes, finished }
    }
    return connection.ask(question, take, signal, spare ? [spare] : [])
  }
}
