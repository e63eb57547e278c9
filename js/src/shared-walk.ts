/** A walk over commits for which workers read what it has not come to. */
import type { Engine, Pages, PathOf, SharedPages } from './engine.js'
import { isPromise } from './maybe.js'
import type { AskOptions } from './session.js'
import { turn } from './turn.js'
import type { Stats } from './types.js'

type Bytes = Uint8Array<ArrayBuffer>

/** How many commits are read before anybody is asked for help: most walks are over by then. */
const LEAST_COMMITS = 1 << 13

/** Behind so many commits of which none was read workers are at what the walk has passed. */
const MOST_UNREAD = 1 << 12

/** About how many bytes of rows a worker tells at once. */
const ROWS_PAGE = 64 << 10

/** How many stretches a worker knows of: it goes on while this thread walks. */
const CLAIMED_AHEAD = 8

/** How long this thread works before messages get a turn, in milliseconds. */
const TURN = 1

/**
 * The walk begins with the newest commits, and workers with the oldest: they meet. What
 * they read is put where the walk finds it, and its answer is the same without.
 */
export class SharedWalk implements Pages {
  readonly #engine: Engine
  readonly #pages: Pages
  readonly #helpers: () => readonly Promise<SharedPages | null>[]
  /** The counters before the first page, with the last, and when a commit was read last. */
  #before: Stats | undefined
  #last: Stats | undefined
  #reading: Stats | undefined
  #helped = false
  #next = 0
  #turned = 0
  #over = false

  constructor(engine: Engine, pages: Pages, helpers: () => readonly Promise<SharedPages | null>[]) {
    this.#engine = engine
    this.#pages = pages
    this.#helpers = helpers
  }

  get done(): boolean {
    return this.#pages.done
  }

  readonly pathOf: PathOf = (file) => this.#pages.pathOf(file)

  async next(capacity: number, options: AskOptions): Promise<Bytes> {
    if (this.#helped) await this.#listen()
    else this.#before ??= this.#engine.stats()
    const made = this.#pages.next(capacity, options)
    const page = isPromise(made) ? await made : made
    if (this.#pages.done) this.#over = true
    else if (this.#helped) this.#over ||= this.#isMet()
    else if (this.#isLong()) this.#begin()
    return page
  }

  /** Rows are put whenever they come, and would end a view of the instance's memory. */
  lend(capacity: number, options: AskOptions): Promise<Bytes> {
    return this.next(capacity, options)
  }

  end(): void {
    this.#over = true
    this.#pages.end()
  }

  /** Tells whether the walk reads commits, and many: of a commit-graph it reads none. */
  #isLong(): boolean {
    const [before, now] = [this.#before, this.#engine.stats()]
    if (!before) return false
    const walked = now.commitsWalked - before.commitsWalked
    return walked >= LEAST_COMMITS && (now.objects - before.objects) * 2 >= walked
  }

  /** Tells whether workers read all that the walk still comes to, or it comes to nothing. */
  #isMet(): boolean {
    const [last, now] = [this.#last, this.#engine.stats()]
    this.#last = now
    if (this.#reading === undefined || now.objects > this.#reading.objects) this.#reading = now
    const unread = now.commitsWalked - this.#reading.commitsWalked
    return unread >= MOST_UNREAD || now.commitsWalked === last?.commitsWalked
  }

  #begin(): void {
    this.#helped = true
    for (const helper of this.#helpers()) this.#help(helper).catch(() => {})
  }

  /** Has a worker read as long as that is of use; what befalls it is not missed. */
  async #help(helper: Promise<SharedPages | null>): Promise<void> {
    const pages = await helper
    try {
      if (!pages || this.#over) return
      const { count } = await pages.stretches({})
      while (!this.#over) {
        while (pages.unmade < CLAIMED_AHEAD && this.#next < count) pages.claim(this.#next++)
        if (pages.unfinished === 0) return
        const rows = await pages.next(ROWS_PAGE, {})
        if (this.#over) return
        if (rows.byteLength > 0 && !(await this.#engine.putLinks(rows))) return
        pages.giveBack(rows)
      }
    } finally {
      pages?.end()
    }
  }

  /** Lets rows come in. */
  async #listen(): Promise<void> {
    if (!this.#engine.inThread || performance.now() - this.#turned < TURN) return
    await turn()
    this.#turned = performance.now()
  }
}
