/** The worker's end of a long answer of which it makes some work units. */

import type { Stretches } from '../engine.js'
import { PacklensError } from '../errors.js'
import type { LocalEngine } from '../local-engine.js'
import type { LocalStretches } from '../local-stretches.js'
import type { LongQuestion } from '../protocol.js'
import { PageWriter } from './frames.js'
import type { PageQuestion, Paths, WireStretch } from './messages.js'

type Bytes = Uint8Array<ArrayBuffer>

/** The functions of the server that writing a page needs. */
export interface PageWishes {
  encodeError(error: unknown): unknown
  /** Returns the paths of the files that rows name. */
  pathsIn(rows: Bytes, answer: LocalStretches): Paths
}

interface Shared {
  readonly answer: LocalStretches
  readonly writer: PageWriter
  readonly hasRows: boolean
  claimed: number
  /** Settles with the last question: each question waits for the ones before it. */
  last: Promise<unknown>
}

export class StretchServer {
  readonly #flags: PageWishes
  readonly #shared = new Map<number, Shared>()

  constructor(flags: PageWishes) {
    this.#flags = flags
  }

  stretches(
    engine: LocalEngine,
    { number, request }: PageQuestion & { readonly kind: 'stretches' },
    signal: AbortSignal,
  ): Promise<Stretches> {
    if (request) this.#begin(engine, number, request)
    const shared = this.#find(number)
    return inTurn(shared, async () => shared.answer.stretches({ signal }))
  }

  stretch(
    { number, claims, capacity, spare }: PageQuestion & { readonly kind: 'stretch' },
    signal: AbortSignal,
  ): Promise<WireStretch> {
    const shared = this.#find(number)
    const { answer, writer, hasRows } = shared
    for (const claim of claims) answer.claim(claim)
    shared.claimed += claims.length
    let paths: Paths = []
    const write = (bytes: Bytes) => {
      writer.page(bytes, spare)
      if (hasRows) paths = this.#flags.pathsIn(bytes, answer)
    }
    return inTurn(shared, async () => {
      try {
        await answer.fill(capacity, write, { signal })
      } catch (error) {
        writer.fail(this.#flags.encodeError(error))
      }
      return { frames: writer.take(), paths, finished: shared.claimed - answer.unfinished }
    })
  }

  put(number: number, told: Bytes): void {
    this.#shared.get(number)?.answer.put(told)
  }

  end(number: number): void {
    this.#shared.get(number)?.answer.end()
    this.#shared.delete(number)
  }

  #begin(engine: LocalEngine, number: number, request: LongQuestion): void {
    const hasRows = request.kind === 'objects'
    const answer = engine.shared(request)
    const last = Promise.resolve()
    this.#shared.set(number, { answer, writer: new PageWriter(), hasRows, claimed: 1, last })
  }

  #find(number: number): Shared {
    const shared = this.#shared.get(number)
    if (shared) return shared
    throw new PacklensError('INTERNAL', 'the worker knows of no such answer')
  }
}

function inTurn<T>(shared: Shared, ask: () => Promise<T>): Promise<T> {
  const answer = shared.last.then(ask)
  shared.last = answer.catch(() => {})
  return answer
}
