/** A pool of workers that share jobs over whole packs and walks over long histories. */

import type { FsckQuestion, IndexPackQuestion, LongQuestion } from '../base/protocol.js'
import type { Stats } from '../base/types.js'
import type { Engine, Pages, SharedPages, Sharing } from './engine.js'
import { JointIndex, leading } from './joint-index.js'
import { JointPages } from './joint-pages.js'
import { sharingOf } from './local-sharing.js'
import type { Dispatch, Pool } from './pool.js'
import { SharedWalk } from './shared-walk.js'

/** Opens the same repository once more, in a worker. */
export type OpenWorker = () => Promise<Engine & Sharing>

/** Starts its workers with the first job that is worth sharing. */
export class WorkerPool implements Pool {
  readonly #openWorker: OpenWorker
  readonly #size: number
  readonly #engines = new Set<Engine>()
  #workers: readonly Promise<Sharing | null>[] = []
  #closed = false

  constructor(openWorker: OpenWorker, size: number) {
    this.#openWorker = openWorker
    this.#size = size
  }

  objects(engine: Engine, request: LongQuestion): Pages {
    const singleEngine = () => engine.pages(request)
    return new JointPages({
      singleEngine,
      leader: sharingOf(engine).shared(request),
      inThread: engine.inThread,
      helpers: () => this.#shared(request),
      take: () => true,
      hasFinalPages: false,
    })
  }

  index(engine: Engine, request: IndexPackQuestion, dispatch: Dispatch): Pages {
    // Strict checks depend on the order of the objects, so one engine makes them all.
    if (request.strict !== undefined && request.strict !== 'no') return engine.pages(request)
    const singleEngine = () => engine.pages(request)
    const leader = sharingOf(engine).shared(leading(request))
    const shared = (question: IndexPackQuestion) => this.#shared(question)
    const makers = { leader, inThread: engine.inThread, singleEngine, shared, dispatch }
    return new JointIndex(makers, request)
  }

  check(engine: Engine, request: FsckQuestion): Pages {
    const leader = sharingOf(engine).shared({ ...request, role: 'leader' })
    return new JointPages({
      singleEngine: () => engine.pages(request),
      leader,
      inThread: engine.inThread,
      helpers: () => this.#shared({ ...request, role: 'helper' }),
      take: (page, own) => {
        if (!own) leader.addRecords(page)
        return own
      },
      hasFinalPages: true,
    })
  }

  sharedWalk(engine: Engine, walk: Pages): Pages {
    return new SharedWalk(engine, walk, () => this.#shared({ kind: 'linkRows' }))
  }

  stats(own: Stats): Stats {
    const all = { ...own }
    for (const engine of this.#engines) {
      const stats = engine.stats()
      for (const name of Object.keys(all) as (keyof Stats)[]) all[name] += stats[name]
    }
    return all
  }

  close(): void {
    this.#closed = true
    for (const engine of this.#engines) engine.close()
    this.#engines.clear()
  }

  /** Starts the same request in all workers. */
  #shared(request: LongQuestion): readonly Promise<SharedPages | null>[] {
    if (this.#workers.length === 0) this.#start()
    return this.#workers.map(async (worker) => (await worker)?.shared(request) ?? null)
  }

  /** Starts the workers. One that cannot start, or cannot get the source, becomes `null`. */
  #start(): void {
    const startWorker = async () => {
      const engine = await this.#openWorker()
      if (this.#closed) engine.close()
      else this.#engines.add(engine)
      return engine
    }
    this.#workers = Array.from({ length: this.#size }, () => startWorker().catch(() => null))
  }
}
