/** Workers that help with what reads whole packs, and with walks over long histories. */

import type { Engine, Pages, SharedPages } from './engine.js'
import { HelpedPages } from './helped-pages.js'
import { JointIndex, leading } from './joint-index.js'
import { JointPages } from './joint-pages.js'
import type { IndexPackQuestion, LongQuestion } from './protocol.js'
import type { Stats } from './types.js'

/** Opens the same repository once more, in a worker. */
export type Recruit = () => Promise<Engine>

/** Starts with the first answer that is worth sharing. */
export class Crew {
  readonly #recruit: Recruit
  readonly #size: number
  readonly #engines = new Set<Engine>()
  #members: readonly Promise<Engine | null>[] = []
  #closed = false

  constructor(recruit: Recruit, size = 0) {
    this.#recruit = recruit
    this.#size = size
  }

  /** Has all objects listed by all. */
  objects(engine: Engine, request: LongQuestion): Pages {
    const alone = () => engine.pages(request)
    if (this.#size === 0) return alone()
    return new JointPages({
      alone,
      leader: engine.shared(request),
      inThread: engine.inThread,
      helpers: () => this.#shared(request),
      take: () => true,
      hasEnd: false,
    })
  }

  /** Has a pack indexed or verified by all. */
  index(engine: Engine, request: IndexPackQuestion): Pages {
    // What is checked comes one behind the other.
    if (request.strict !== undefined && request.strict !== 'no') return engine.pages(request)
    const alone = () => engine.pages(request)
    if (this.#size === 0) return alone()
    const leader = engine.shared(leading(request))
    const shared = (asked: IndexPackQuestion) => this.#shared(asked)
    return new JointIndex({ leader, inThread: engine.inThread, alone, shared }, request)
  }

  /** Has commits read that a walk of `engine` has not come to. */
  helped(engine: Engine, walk: Pages): Pages {
    if (this.#size === 0) return walk
    return new HelpedPages(engine, walk, () => this.#shared({ kind: 'linkRows' }))
  }

  /** Adds what the workers count. */
  stats(own: Stats): Stats {
    const all = { ...own }
    for (const engine of this.#engines) {
      const stats = engine.stats()
      for (const name of Object.keys(all) as (keyof Stats)[]) all[name] += stats[name]
    }
    return all
  }

  /** Safe at any time, and twice. */
  close(): void {
    this.#closed = true
    for (const engine of this.#engines) engine.close()
    this.#engines.clear()
  }

  /** Has all workers make an answer. */
  #shared(request: LongQuestion): readonly Promise<SharedPages | null>[] {
    if (this.#members.length === 0) this.#start()
    return this.#members.map(async (member) => (await member)?.shared(request) ?? null)
  }

  /** Where there can be no worker, or the source cannot go there, there is none. */
  #start(): void {
    const hire = async () => {
      const engine = await this.#recruit()
      if (this.#closed) engine.close()
      else this.#engines.add(engine)
      return engine
    }
    this.#members = Array.from({ length: this.#size }, () => hire().catch(() => null))
  }
}

/** A crew that nobody is in. */
export function nobody(): Crew {
  return new Crew(() => Promise.reject(new Error('nobody')), 0)
}
