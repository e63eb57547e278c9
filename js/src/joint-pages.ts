/** A long answer that several engines make together. */
import type { Pages, PathOf, SharedPages, Stretches } from './engine.js'
import type { MaybePromise } from './maybe.js'
import { onAbort } from './on-abort.js'
import type { AskOptions } from './session.js'
import { turn } from './turn.js'
import { aborted } from './waiting.js'

type Bytes = Uint8Array<ArrayBuffer>

/** Who makes which part, and how. */
export interface Joint {
  /**
   * Answers if there is nobody to help, or nothing worth sharing; without it the leader
   * does.
   */
  readonly alone?: () => Pages
  /** Makes stretches, and what comes behind them all. */
  readonly leader: SharedPages
  /** Whether the leader makes its pages in this thread. */
  readonly inThread: boolean
  readonly helpers: () => readonly Promise<SharedPages | null>[]
  /** Takes a page of the leader's own or a helper's; `true` if it is for who asked. */
  readonly take: (page: Bytes, own: boolean) => boolean
  /** Whether something comes behind all stretches. */
  readonly hasEnd: boolean
}

/** The fewest stretches that are worth another instance. */
const LEAST_STRETCHES = 8

/** How many stretches a worker knows of: it is not to wait for the next. */
const CLAIMED_AHEAD = 2

/** How many pages, and bytes, wait for who asked, before their makers wait. */
const MOST_READY = 16
const MOST_BYTES_READY = 16 << 20

/** How long this thread works before messages get a turn, in milliseconds. */
const TURN = 1

interface Page {
  readonly bytes: Bytes
  readonly maker: SharedPages
}

export class JointPages implements Pages {
  readonly #joint: Joint
  readonly #ready: Page[] = []
  #bytesReady = 0
  #alone: Pages | undefined
  #begun: Promise<void> | undefined
  /** The page that was handed over last. */
  #handed: Page | undefined
  #next = 0
  #working = 0
  /** How many helpers make stretches. */
  #helping = 0
  #failure: { readonly error: unknown } | undefined
  #hungry = false
  #changed: (() => void)[] = []
  #forget = () => {}
  #turned = 0
  #done = false
  #ended = false

  constructor(joint: Joint) {
    this.#joint = joint
  }

  get done(): boolean {
    return this.#alone ? this.#alone.done : this.#done
  }

  /** Whether it was best made by one engine. */
  get isAlone(): boolean {
    return this.#alone !== undefined
  }

  get pathOf(): PathOf {
    const { leader } = this.#joint
    return this.#alone?.pathOf ?? (this.#handed?.maker ?? leader).pathOf
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
    this.#alone?.end()
    this.#joint.leader.end()
    this.#notify()
  }

  async #take(capacity: number, options: AskOptions, lent: boolean): Promise<Bytes> {
    if (this.#handed && lent) this.#handed.maker.giveBack(this.#handed.bytes)
    this.#handed = undefined
    this.#begun ??= this.#begin({ capacity, options, lent })
    await this.#begun
    if (this.#alone) {
      return lent ? this.#alone.lend(capacity, options) : this.#alone.next(capacity, options)
    }
    for (;;) {
      if (this.#failure) throw this.#failure.error
      this.#handed = this.#ready.shift()
      if (this.#handed) {
        this.#bytesReady -= this.#handed.bytes.byteLength
        this.#notify()
        return this.#handed.bytes
      }
      if (this.#working === 0) {
        this.#done = true
        this.#forget()
        return new Uint8Array(0)
      }
      this.#hungry = true
      this.#notify()
      await this.#change()
      this.#hungry = false
    }
  }

  async #begin(asked: Asked): Promise<void> {
    const { leader, inThread, helpers, alone, hasEnd } = this.#joint
    const { count } = await leader.stretches(asked.options)
    const others = alone && count < LEAST_STRETCHES ? [] : helpers()
    if (alone && others.length === 0) {
      leader.end()
      this.#alone = alone()
      return
    }
    const { signal } = asked.options
    this.#forget = onAbort(signal, () => this.#fail(aborted(signal)))
    // Others are asked for many pages at once, and told in one place.
    const quiet = { ...asked, options: {} }
    const known = this.#lead({ pages: leader, asked: inThread ? asked : quiet, inThread, hasEnd })
    // Its failure is that of the answer.
    known.catch(() => {})
    for (const other of others) this.#help(other, quiet, known)
  }

  /** Has the leader work; returns what there is to share, once that is sure. */
  #lead(member: Leading): Promise<Stretches> {
    return new Promise((resolve, reject) => {
      const work = async () => {
        const { pages, asked } = member
        await this.#finish(member)
        const known = await pages.stretches(asked.options)
        resolve(known)
        await this.#share(member, Math.max(known.count, 1))
        if (!member.hasEnd) return
        while (this.#helping > 0) await this.#change()
        pages.claim(null)
        await this.#finish(member)
      }
      this.#work(work).catch(reject)
    })
  }

  /** Has a helper work, if there is one and it sees the same. */
  #help(other: Promise<SharedPages | null>, asked: Asked, known: Promise<Stretches>): void {
    let pages: SharedPages | null = null
    const ready = async () => {
      pages = await other
      if (!pages || this.#ended) return null
      const member = { pages, asked, inThread: false }
      await pages.stretches(asked.options)
      await this.#finish(member)
      const { count, state } = await known
      const own = await pages.stretches(asked.options)
      const alike = own.count === count && own.state === state && count > this.#next
      return alike ? { member, count } : null
    }
    // What befalls one before it takes a part, the others make up for.
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

  /** Keeps count of who works; the first failure is everybody's. */
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

  /** Makes stretches until there are no more. */
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

  /** Makes what was claimed. */
  async #finish(member: Member): Promise<void> {
    while (member.pages.unfinished > 0) await this.#makePage(member)
  }

  async #makePage({ pages, asked, inThread }: Member): Promise<void> {
    await this.#room(inThread)
    if (this.#ended || this.#failure) throw new Error('nobody waits for it')
    const { capacity, options, lent } = asked
    const made = lent ? pages.lend(capacity, options) : pages.next(capacity, options)
    // A view of the instance's memory has to be handed over before anything else is asked.
    const bytes = isBytes(made) ? made : await made
    if (!this.#joint.take(bytes, pages === this.#joint.leader)) pages.giveBack(bytes)
    else if (bytes.byteLength > 0) this.#put({ bytes, maker: pages })
    else pages.giveBack(bytes)
    this.#notify()
  }

  #put(page: Page): void {
    this.#ready.push(page)
    this.#bytesReady += page.bytes.byteLength
  }

  /** Waits until a page may be made. In this thread none is made ahead. */
  async #room(inThread: boolean): Promise<void> {
    for (;;) {
      if (this.#ended || this.#failure) return
      if (inThread && performance.now() - this.#turned > TURN) {
        await turn()
        this.#turned = performance.now()
      }
      const isFull = this.#ready.length >= MOST_READY || this.#bytesReady >= MOST_BYTES_READY
      if (inThread ? this.#hungry && this.#ready.length === 0 : !isFull) return
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

interface Asked {
  readonly capacity: number
  readonly options: AskOptions
  readonly lent: boolean
}

interface Member {
  readonly pages: SharedPages
  readonly asked: Asked
  readonly inThread: boolean
}

interface Leading extends Member {
  readonly hasEnd: boolean
}

function isBytes(made: MaybePromise<Bytes>): made is Bytes {
  return made instanceof Uint8Array
}
