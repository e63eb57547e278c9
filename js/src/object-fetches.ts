/** Asking for objects that are nowhere: those of one turn of the event loop at once. */
import { turn } from './turn.js'
import type { Fetches } from './waiting.js'

/** The bytes of ids by their digits. */
export type Ids = ReadonlyMap<string, Uint8Array>

/** Asks for objects, and tells the core that they were asked for. */
export type Send = (ids: Ids, signal: AbortSignal) => Promise<void>

interface Batch {
  readonly key: string
  readonly ids: Map<string, Uint8Array>
}

export class ObjectFetches {
  readonly #fetches: Fetches
  readonly #send: Send
  /** What is asked for when this turn is over. */
  #gathered: Batch | undefined
  /** In which batch an object is that was asked for and is not there yet. */
  readonly #batches = new Map<string, Batch>()
  #count = 0

  constructor(fetches: Fetches, send: Send) {
    this.#fetches = fetches
    this.#send = send
  }

  /** Waits until all were asked for; what is under way is not asked for again. */
  async fetch(ids: Ids, signal: AbortSignal | undefined): Promise<void> {
    const batches = new Set<Batch>()
    for (const [oid, bytes] of ids) {
      const batch = this.#batches.get(oid) ?? this.#gather()
      batch.ids.set(oid, bytes)
      this.#batches.set(oid, batch)
      batches.add(batch)
    }
    const wait = (batch: Batch) =>
      this.#fetches.share(batch.key, (ending) => this.#ask(batch, ending.signal), signal)
    await Promise.all([...batches].map(wait))
  }

  #gather(): Batch {
    this.#gathered ??= { key: `objects ${this.#count++}`, ids: new Map() }
    return this.#gathered
  }

  async #ask(batch: Batch, signal: AbortSignal): Promise<void> {
    await turn()
    if (this.#gathered === batch) this.#gathered = undefined
    try {
      if (!signal.aborted) await this.#send(batch.ids, signal)
    } finally {
      for (const oid of batch.ids.keys()) {
        if (this.#batches.get(oid) === batch) this.#batches.delete(oid)
      }
    }
  }
}
