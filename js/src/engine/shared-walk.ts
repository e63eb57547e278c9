/** A walk over commits for which workers read commits that it has not reached. */

import { isPromise } from '../base/maybe.js'
import { turn } from '../base/turn.js'
import type { Stats } from '../base/types.js'
import type { AskOptions } from '../session/session.js'
import type { Engine, Pages, PathOf, SharedPages, Sharing } from './engine.js'
import { sharingOf } from './local-sharing.js'

type Bytes = Uint8Array<ArrayBuffer>

/** The commits that a walk visits before workers start: most walks are over by then. */
const LEAST_COMMITS = 1 << 13

/**
 * After so many commits that the walk found in the workers' rows, without reading any itself,
 * it has met the workers: the commits that they read next are those it has visited.
 */
const MOST_UNREAD = 1 << 12

/** The approximate bytes of rows that a worker returns at once. */
const ROWS_PAGE = 64 << 10

/** How many work units a worker has claimed at a time, so that it continues during the walk. */
const CLAIMED_AHEAD = 8

/** How long this thread works before the event loop gets a turn, in milliseconds. */
const TURN = 1

/**
 * The walk begins with the newest commits and workers with the oldest, until they meet. The
 * core stores the links that workers read, and the walk uses them instead of reading the
 * commits. Its answer is the same without workers.
 */
export class SharedWalk implements Pages {
  readonly #engine: Engine
  readonly #sharing: Sharing
  readonly #pages: Pages
  readonly #helpers: () => readonly Promise<SharedPages | null>[]
  /** The counters before the first page. */
  #before: Stats | undefined
  /** The counters after the last page. */
  #last: Stats | undefined
  /** The counters after the last page for which the walk read a commit itself. */
  #reading: Stats | undefined
  #helped = false
  #next = 0
  #turned = 0
  #over = false

  constructor(engine: Engine, pages: Pages, helpers: () => readonly Promise<SharedPages | null>[]) {
    this.#engine = engine
    this.#sharing = sharingOf(engine)
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

  /** Returns a copy: storing rows of workers, at any time, may invalidate a view of memory. */
  lend(capacity: number, options: AskOptions): Promise<Bytes> {
    return this.next(capacity, options)
  }

  end(): void {
    this.#over = true
    this.#pages.end()
  }

  /** Returns whether the walk reads many commits; with a commit-graph it reads none. */
  #isLong(): boolean {
    const [before, now] = [this.#before, this.#engine.stats()]
    if (!before) return false
    const walked = now.commitsWalked - before.commitsWalked
    return walked >= LEAST_COMMITS && (now.objects - before.objects) * 2 >= walked
  }

  /** Returns whether the walk has met the workers, or visits no more commits. */
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

  /**
   * Lets a worker read commits as long as that helps. If the worker fails, the walk reads
   * these commits itself.
   */
  async #help(helper: Promise<SharedPages | null>): Promise<void> {
    const pages = await helper
    try {
      if (!pages || this.#over) return
      const { count } = await pages.workUnits({})
      while (!this.#over) {
        while (pages.unmade < CLAIMED_AHEAD && this.#next < count) pages.claim(this.#next++)
        if (pages.unfinished === 0) return
        const rows = await pages.next(ROWS_PAGE, {})
        if (this.#over) return
        if (rows.byteLength > 0 && !(await this.#sharing.addSharedCommits(rows))) return
        pages.giveBack(rows)
      }
    } finally {
      pages?.end()
    }
  }

  /** Gives the event loop a turn, in which rows of workers arrive. */
  async #listen(): Promise<void> {
    if (!this.#engine.inThread || performance.now() - this.#turned < TURN) return
    await turn()
    this.#turned = performance.now()
  }
}
