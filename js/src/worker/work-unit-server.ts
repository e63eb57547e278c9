/** The worker's end of a long answer of which it makes some work units. */

import { PacklensError } from '../base/errors.js'
import type { LongQuestion } from '../base/protocol.js'
import type { WorkUnits } from '../engine/engine.js'
import type { LocalEngine } from '../engine/local-engine.js'
import { LocalWorkUnits } from '../engine/local-work-units.js'
import { PageWriter } from './frames.js'
import type { PageQuestion, Paths, WireWorkUnitPage } from './messages.js'

type Bytes = Uint8Array<ArrayBuffer>

/** The functions of the server that writing a page needs. */
export interface PageCallbacks {
  encodeError(error: unknown): unknown
  /** Returns the paths of the files that rows name. */
  pathsIn(rows: Bytes, answer: LocalWorkUnits): Paths
}

interface Shared {
  readonly answer: LocalWorkUnits
  readonly writer: PageWriter
  readonly hasRows: boolean
  claimed: number
  /** Settles with the last question: each question waits for the ones before it. */
  last: Promise<unknown>
}

export class WorkUnitServer {
  readonly #callbacks: PageCallbacks
  readonly #shared = new Map<number, Shared>()

  constructor(callbacks: PageCallbacks) {
    this.#callbacks = callbacks
  }

  workUnits(
    engine: LocalEngine,
    { number, request }: PageQuestion & { readonly kind: 'workUnits' },
    signal: AbortSignal,
  ): Promise<WorkUnits> {
    if (request) this.#begin(engine, number, request)
    const shared = this.#find(number)
    return inTurn(shared, async () => shared.answer.workUnits({ signal }))
  }

  nextPage(
    { number, claims, capacity, spare }: PageQuestion & { readonly kind: 'workUnitPage' },
    signal: AbortSignal,
  ): Promise<WireWorkUnitPage> {
    const shared = this.#find(number)
    const { answer, writer, hasRows } = shared
    for (const claim of claims) answer.claim(claim)
    shared.claimed += claims.length
    let paths: Paths = []
    const write = (bytes: Bytes) => {
      writer.page(bytes, spare)
      if (hasRows) paths = this.#callbacks.pathsIn(bytes, answer)
    }
    return inTurn(shared, async () => {
      try {
        await answer.fill(capacity, write, { signal })
      } catch (error) {
        writer.fail(this.#callbacks.encodeError(error))
      }
      return { frames: writer.take(), paths, finished: shared.claimed - answer.unfinished }
    })
  }

  addRecords(number: number, records: Bytes): void {
    this.#shared.get(number)?.answer.addRecords(records)
  }

  end(number: number): void {
    this.#shared.get(number)?.answer.end()
    this.#shared.delete(number)
  }

  #begin(engine: LocalEngine, number: number, request: LongQuestion): void {
    const hasRows = request.kind === 'objects'
    const answer = new LocalWorkUnits(engine, request)
    const last = Promise.resolve()
    this.#shared.set(number, { answer, writer: new PageWriter(), hasRows, claimed: 1, last })
  }

  #find(number: number): Shared {
    const shared = this.#shared.get(number)
    if (shared) return shared
    throw new PacklensError('INTERNAL', 'the worker has no such answer')
  }
}

function inTurn<T>(shared: Shared, ask: () => Promise<T>): Promise<T> {
  const answer = shared.last.then(ask)
  shared.last = answer.catch(() => {})
  return answer
}
