/** A long answer that several engines make together. */

import type { MaybePromise } from '../base/maybe.js'
import { onAbort } from '../base/on-abort.js'
import { turn } from '../base/turn.js'
import { aborted } from '../base/waiting.js'
import type { AskOptions } from '../session/session.js'
import type { Pages, PathOf, SharedPages, WorkUnits } from './engine.js'

type Bytes = Uint8Array<ArrayBuffer>

/** The engines that make an answer, and the use of their pages. */
export interface JointEngines {
  /**
   * Returns the answer of one engine, for when there are no workers or too little work. If
   * this is missing, the leader makes the answer then.
   */
  readonly singleEngine?: () => Pages
  /** The engine that makes the final pages, and some work units. */
  readonly leader: SharedPages
  /** Whether the leader makes its pages in this thread. */
  readonly inThread: boolean
  readonly helpers: () => readonly Promise<SharedPages | null>[]
  /**
   * Called with each page; `own` if the leader made it. Returns whether the page belongs to
   * the answer.
   */
  readonly take: (page: Bytes, own: boolean) => boolean
  /** Whether there are final pages after all work units. */
  readonly hasFinalPages: boolean
}

/** The fewest work units that are worth sharing. */
const LEAST_WORK_UNITS = 8

/** How many work units a worker has claimed at a time, so that it need not wait for the next. */
const CLAIMED_AHEAD = 2

/** How many pages and bytes may be ready before the engines pause. */
const MOST_READY = 16
const MOST_BYTES_READY = 16 << 20

/** How long this thread works before the event loop gets a turn, in milliseconds. */
const TURN = 1

interface Page {
  readonly bytes: Bytes
  readonly maker: SharedPages
}

export class JointPages implements Pages {
  readonly #engines: JointEngines
  readonly #ready: Page[] = []
  #bytesReady = 0
  /** The answer, if one engine makes all of it. */
  #wholeAnswer: Pages | undefined
  #begun: Promise<void> | undefined
  /** The page that was returned last. */
  #returnedPage: Page | undefined
  /** The next work unit to claim. */
  #next = 0
  #working = 0
  /** How many helpers make work units. */
  #helping = 0
  #failure: { readonly error: unknown } | undefined
  /** Whether a call waits for a page. */
  #callerWaits = false
  #changed: (() => void)[] = []
  #forget = () => {}
  /** When the event loop had its last turn, as `performance.now()` counts. */
  #turned = 0
  #done = false
  #ended = false

  constructor(engines: JointEngines) {
    this.#engines = engines
  }

  get done(): boolean {
    return this.#wholeAnswer ? this.#wholeAnswer.done : this.#done
  }

  /** Whether one engine makes the whole answer. */
  get usesSingleEngine(): boolean {
    return this.#wholeAnswer !== undefined
  }

  get pathOf(): PathOf {
    const { leader } = this.#engines
    return this.#wholeAnswer?.pathOf ?? (this.#returnedPage?.maker ?? leader).pathOf
  }

  next(capacity: number, options: AskOptions): Promise<Bytes> {
    return this.#take(capacity, options, false)
  }

  lend(capacity: number, options: AskOptions): Promise<Bytes> {
    return this.#take(capacity, options, true)
  }

  end(): void {
    if (this.#ended) return
    this.#ended = true
    this.#forget()
    this.#wholeAnswer?.end()
    this.#engines.leader.end()
    this.#notify()
  }

  async #take(capacity: number, options: AskOptions, lent: boolean): Promise<Bytes> {
    if (this.#returnedPage && lent) this.#returnedPage.maker.giveBack(this.#returnedPage.bytes)
    this.#returnedPage = undefined
    this.#begun ??= this.#begin({ capacity, options, lent })
    await this.#begun
    if (this.#wholeAnswer) {
      return lent
        ? this.#wholeAnswer.lend(capacity, options)
        : this.#wholeAnswer.next(capacity, options)
    }
    for (;;) {
      if (this.#failure) throw this.#failure.error
      this.#returnedPage = this.#ready.shift()
      if (this.#returnedPage) {
        this.#bytesReady -= this.#returnedPage.bytes.byteLength
        this.#notify()
        return this.#returnedPage.bytes
      }
      if (this.#working === 0) {
        this.#done = true
        this.#forget()
        return new Uint8Array(0)
      }
      this.#callerWaits = true
      this.#notify()
      await this.#change()
      this.#callerWaits = false
    }
  }

  async #begin(request: PageRequest): Promise<void> {
    const { leader, inThread, helpers, singleEngine, hasFinalPages } = this.#engines
    const { count } = await leader.workUnits(request.options)
    const others = singleEngine && count < LEAST_WORK_UNITS ? [] : helpers()
    if (singleEngine && others.length === 0) {
      leader.end()
      this.#wholeAnswer = singleEngine()
      return
    }
    const { signal } = request.options
    this.#forget = onAbort(signal, () => this.#fail(aborted(signal)))
    // Workers get many requests ahead. They need no signal: the callback above ends them all.
    const quiet = { ...request, options: {} }
    const known = this.#lead({
      pages: leader,
      request: inThread ? request : quiet,
      inThread,
      hasFinalPages,
    })
    // `#fail` already makes the leader's failure that of the answer.
    known.catch(() => {})
    for (const other of others) this.#help(other, quiet, known)
  }

  /** Runs the leader; returns the work units once their number is final. */
  #lead(member: Leading): Promise<WorkUnits> {
    return new Promise((resolve, reject) => {
      const work = async () => {
        const { pages, request } = member
        await this.#finish(member)
        const known = await pages.workUnits(request.options)
        resolve(known)
        await this.#share(member, Math.max(known.count, 1))
        if (!member.hasFinalPages) return
        while (this.#helping > 0) await this.#change()
        pages.claim(null)
        await this.#finish(member)
      }
      this.#work(work).catch(reject)
    })
  }

  /** Runs a helper, if its worker started and its work units are those of the leader. */
  #help(other: Promise<SharedPages | null>, request: PageRequest, known: Promise<WorkUnits>): void {
    let pages: SharedPages | null = null
    const ready = async () => {
      pages = await other
      if (!pages || this.#ended) return null
      const member = { pages, request, inThread: false }
      await pages.workUnits(request.options)
      await this.#finish(member)
      const { count, fingerprint } = await known
      const own = await pages.workUnits(request.options)
      const matches = own.count === count && own.fingerprint === fingerprint
      return matches && count > this.#next ? { member, count } : null
    }
    // A helper that fails before it claims a work unit is not needed: others claim them all.
    const joined = ready().catch(() => null)
    const work = async () => {
      const joining = await joined
      if (!joining) return
      this.#helping++
      try {
        await this.#work(() => this.#share(joining.member, joining.count))
      } finally {
        this.#helping--
        this.#notify()
      }
    }
    work()
      .catch(() => {})
      .finally(() => pages?.end())
  }

  /** Counts the engines that work; the first failure ends the whole answer. */
  async #work(work: () => Promise<void>): Promise<void> {
    this.#working++
    try {
      await work()
    } catch (error) {
      this.#fail(error)
      throw error
    } finally {
      this.#working--
      this.#notify()
    }
  }

  #fail(error: unknown): void {
    this.#failure ??= { error }
    this.#notify()
  }

  /** Claims and makes work units until none is left. */
  async #share(member: Member, count: number): Promise<void> {
    const ahead = member.inThread ? 1 : CLAIMED_AHEAD
    for (;;) {
      while (member.pages.unmade < ahead && this.#next < count) {
        member.pages.claim(this.#next++)
      }
      if (member.pages.unfinished === 0) return
      await this.#makePage(member)
    }
  }

  /** Makes all claimed work units, and the preparation. */
  async #finish(member: Member): Promise<void> {
    while (member.pages.unfinished > 0) await this.#makePage(member)
  }

  async #makePage({ pages, request, inThread }: Member): Promise<void> {
    await this.#room(inThread)
    if (this.#ended || this.#failure) throw new Error('nobody waits for it')
    const { capacity, options, lent } = request
    const made = lent ? pages.lend(capacity, options) : pages.next(capacity, options)
    // Without `await`: a view of the instance's memory must be used before any other call.
    const bytes = isBytes(made) ? made : await made
    if (!this.#engines.take(bytes, pages === this.#engines.leader)) pages.giveBack(bytes)
    else if (bytes.byteLength > 0) this.#put({ bytes, maker: pages })
    else pages.giveBack(bytes)
    this.#notify()
  }

  #put(page: Page): void {
    this.#ready.push(page)
    this.#bytesReady += page.bytes.byteLength
  }

  /** Waits until a page may be made; the engine of this thread makes none ahead. */
  async #room(inThread: boolean): Promise<void> {
    for (;;) {
      if (this.#ended || this.#failure) return
      if (inThread && performance.now() - this.#turned > TURN) {
        await turn()
        this.#turned = performance.now()
      }
      const isFull = this.#ready.length >= MOST_READY || this.#bytesReady >= MOST_BYTES_READY
      if (inThread ? this.#callerWaits && this.#ready.length === 0 : !isFull) return
      await this.#change()
    }
  }

  #change(): Promise<void> {
    return new Promise((resolve) => this.#changed.push(resolve))
  }

  #notify(): void {
    for (const changed of this.#changed.splice(0)) changed()
  }
}

interface PageRequest {
  readonly capacity: number
  readonly options: AskOptions
  readonly lent: boolean
}

interface Member {
  readonly pages: SharedPages
  readonly request: PageRequest
  readonly inThread: boolean
}

interface Leading extends Member {
  readonly hasFinalPages: boolean
}

function isBytes(made: MaybePromise<Bytes>): made is Bytes {
  return made instanceof Uint8Array
}
