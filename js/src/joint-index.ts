/** The index of a pack that several engines make. */

import type { Pages, PathOf, SharedPages } from './engine.js'
import { JointPages } from './joint-pages.js'
import type { MaybePromise } from './maybe.js'
import { takeRecords } from './pack-answers.js'
import type { IndexPackQuestion } from './protocol.js'
import type { AskOptions } from './session.js'

type Bytes = Uint8Array<ArrayBuffer>

/** Who makes it. */
export interface IndexMakers {
  readonly leader: SharedPages
  /** Whether the leader makes its pages in this thread. */
  readonly inThread: boolean
  /** Answers if there is nobody to help, or nothing worth sharing. */
  readonly alone: () => Pages
  /** Has all workers make an answer. */
  readonly shared: (request: IndexPackQuestion) => readonly Promise<SharedPages | null>[]
}

/** What the leader is asked for. */
export function leading(request: IndexPackQuestion): IndexPackQuestion {
  return { ...request, share: 'leads' }
}

/**
 * First all find what lies where in the pack, a section each, and tell the leader; then
 * the leader tells all what there is, and they make the ids of a stretch each.
 */
export class JointIndex implements Pages {
  readonly #makers: IndexMakers
  readonly #request: IndexPackQuestion
  readonly #scan: JointPages
  /** Those who help, each once it can be told what there is. */
  #helpers: readonly Promise<SharedPages | null>[] = []
  #rest: JointPages | undefined

  constructor(makers: IndexMakers, request: IndexPackQuestion) {
    this.#makers = makers
    this.#request = request
    const { leader, inThread, alone, shared } = makers
    this.#scan = new JointPages({
      leader,
      inThread,
      alone,
      helpers: () => {
        const scanning = shared(this.#asked('scans'))
        this.#helpers = shared(this.#asked('helps')).map(begun)
        return scanning
      },
      take: (page, own) => {
        const rows = (bytes: Bytes) => {
          const told = bytes.slice()
          this.#eachHelper((pages) => pages.put(told))
        }
        takeRecords(page, own ? { rows } : { section: (bytes) => leader.put(bytes) })
        return own
      },
      hasEnd: true,
    })
  }

  get done(): boolean {
    return this.#rest?.done ?? (this.#scan.done && this.#scan.isAlone)
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
      if (!this.#scan.done || this.#scan.isAlone) return page
      this.#rest = this.#resolving()
    }
    return ask(this.#rest)
  }

  #resolving(): JointPages {
    const { leader, inThread } = this.#makers
    return new JointPages({
      leader,
      inThread,
      helpers: () => this.#helpers,
      take: (page, own) => {
        if (!own) takeRecords(page, { ids: (ids) => leader.put(ids) })
        return own
      },
      hasEnd: true,
    })
  }

  #eachHelper(use: (pages: SharedPages) => void): void {
    for (const helper of this.#helpers) helper.then((pages) => pages && use(pages))
  }

  #asked(share: IndexPackQuestion['share']): IndexPackQuestion {
    const { kind, pack, idx, collisions } = this.#request
    return { kind, pack, idx, collisions, share }
  }
}

/** Has a member begin: it is told more behind that. `null` if that fails. */
async function begun(member: Promise<SharedPages | null>): Promise<SharedPages | null> {
  try {
    const pages = await member
    await pages?.stretches({})
    return pages
  } catch {
    return null
  }
}
