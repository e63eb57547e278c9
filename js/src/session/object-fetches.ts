/** Fetches missing objects: all that one turn of the event loop needs in one request. */
import { turn } from '../base/turn.js'
import type { Fetches } from '../base/waiting.js'

/** Ids as bytes, by their hex digits. */
export type Ids = ReadonlyMap<string, Uint8Array>

/** Requests objects, and reports to the core that they were requested. */
export type Send = (ids: Ids, signal: AbortSignal) => Promise<void>

interface Batch {
  readonly key: string
  readonly ids: Map<string, Uint8Array>
}

export class ObjectFetches {
  readonly #fetches: Fetches
  readonly #send: Send
  /** The batch that is requested after this turn. */
  #gathered: Batch | undefined
  /** The batch of each object whose request is not done, by id. */
  readonly #batches = new Map<string, Batch>()
  #count = 0

  constructor(fetches: Fetches, send: Send) {
    this.#fetches = fetches
    this.#send = send
  }

  /** Waits until all objects were requested. A pending request of an object is not repeated. */
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
