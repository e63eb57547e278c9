/** An index of a pack that several engines make together. */

import type { MaybePromise } from '../base/maybe.js'
import type { IndexPackQuestion } from '../base/protocol.js'
import type { AskOptions } from '../session/session.js'
import type { Pages, PathOf, SharedPages } from './engine.js'
import { JointPages } from './joint-pages.js'
import type { Dispatch } from './pool.js'

type Bytes = Uint8Array<ArrayBuffer>

/** The engines that make an index. */
export interface IndexMakers {
  readonly leader: SharedPages
  /** Whether the leader makes its pages in this thread. */
  readonly inThread: boolean
  /** Returns the answer of one engine, for when there are no workers or too little work. */
  readonly singleEngine: () => Pages
  /** Starts a request in all workers. */
  readonly shared: (request: IndexPackQuestion) => readonly Promise<SharedPages | null>[]
  readonly dispatch: Dispatch
}

/** Returns the request for the leader. */
export function leading(request: IndexPackQuestion): IndexPackQuestion {
  return { ...request, role: 'leader' }
}

/**
 * Makes an index in two rounds. First the engines read the entries of the pack, a section at
 * a time, and workers send theirs to the leader. Then the leader sends all entries to the
 * workers, the engines resolve the deltas of a work unit at a time, and workers return the ids.
 */
export class JointIndex implements Pages {
  readonly #makers: IndexMakers
  readonly #request: IndexPackQuestion
  readonly #scan: JointPages
  /** The workers of the second round, each once it can receive entries. */
  #helpers: readonly Promise<SharedPages | null>[] = []
  #rest: JointPages | undefined

  constructor(makers: IndexMakers, request: IndexPackQuestion) {
    this.#makers = makers
    this.#request = request
    const { leader, inThread, singleEngine, shared } = makers
    this.#scan = new JointPages({
      leader,
      inThread,
      singleEngine,
      helpers: () => {
        const scanning = shared(this.#requestFor('scanner'))
        this.#helpers = shared(this.#requestFor('helper')).map(begun)
        return scanning
      },
      take: (page, own) => {
        const rows = (bytes: Bytes) => {
          const records = bytes.slice()
          this.#eachHelper((pages) => pages.addRecords(records))
        }
        makers.dispatch(page, own ? { rows } : { section: (bytes) => leader.addRecords(bytes) })
        return own
      },
      hasFinalPages: true,
    })
  }

  get done(): boolean {
    return this.#rest?.done ?? (this.#scan.done && this.#scan.usesSingleEngine)
  }

  get pathOf(): PathOf {
    return (this.#rest ?? this.#scan).pathOf
  }

  next(capacity: number, options: AskOptions): Promise<Bytes> {
    return this.#take((pages) => pages.next(capacity, options))
  }

  lend(capacity: number, options: AskOptions): Promise<Bytes> {
    return this.#take((pages) => pages.lend(capacity, options))
  }

  end(): void {
    this.#scan.end()
    this.#rest?.end()
    this.#eachHelper((pages) => pages.end())
  }

  async #take(ask: (pages: Pages) => MaybePromise<Bytes>): Promise<Bytes> {
    if (!this.#rest) {
      const page = await ask(this.#scan)
      if (!this.#scan.done || this.#scan.usesSingleEngine) return page
      this.#rest = this.#resolving()
    }
    return ask(this.#rest)
  }

  #resolving(): JointPages {
    const { leader, inThread, dispatch } = this.#makers
    return new JointPages({
      leader,
      inThread,
      helpers: () => this.#helpers,
      take: (page, own) => {
        if (!own) dispatch(page, { ids: (ids) => leader.addRecords(ids) })
        return own
      },
      hasFinalPages: true,
    })
  }

  #eachHelper(use: (pages: SharedPages) => void): void {
    for (const helper of this.#helpers) helper.then((pages) => pages && use(pages))
  }

  #requestFor(role: IndexPackQuestion['role']): IndexPackQuestion {
    const { kind, pack, idx, collisions } = this.#request
    return { kind, pack, idx, collisions, role }
  }
}

/** Begins the answer of a worker, because only then can it receive entries; `null` on failure. */
async function begun(member: Promise<SharedPages | null>): Promise<SharedPages | null> {
  try {
    const pages = await member
    await pages?.workUnits({})
    return pages
  } catch {
    return null
  }
}
