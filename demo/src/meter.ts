/** Measures how much packlens reads for each action of the page, and how long the action takes. */
import type { Repository, Stats } from 'packlens'
import { first } from './words/first'

export interface Reading {
  readonly objects: number
  readonly bytesRead: number
  readonly blocksRead: number
  readonly inflatedBytes: number
  readonly milliseconds: number
}

/** Returns the name of an action in the language of the page, which may change. */
export type Action = () => string

export interface Measured {
  readonly action: Action
  readonly last: Reading
  readonly total: Reading
}

const none: Reading = {
  objects: 0,
  bytesRead: 0,
  blocksRead: 0,
  inflatedBytes: 0,
  milliseconds: 0,
}

/** The actions that are kept. */
const MOST_ACTIONS = 40

export class Meter {
  readonly #repo: Repository
  readonly #listeners = new Set<() => void>()
  #before: Reading = none
  /** What is done now, the newest last. */
  readonly #running: { readonly action: Action }[] = []
  /** The newest first. */
  #actions: readonly Measured[] = []
  #queue: Promise<unknown> = Promise.resolve()

  constructor(repo: Repository) {
    this.#repo = repo
  }

  get measured(): Measured | null {
    return this.#actions[0] ?? null
  }

  /** The name of the newest action that is not done; `null` without any. */
  get running(): string | null {
    return this.#running.at(-1)?.action() ?? null
  }

  /** The newest actions, the last one first. */
  get actions(): readonly Measured[] {
    return this.#actions
  }

  listen(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Runs actions one after the other, so that each is counted on its own. */
  run<T>(action: Action, job: () => Promise<T>): Promise<T> {
    const result = this.#queue.then(() => this.#measure(action, job))
    this.#queue = result.catch(() => {})
    return result
  }

  /** Runs a long action beside others: those would otherwise wait for its end. */
  beside<T>(action: Action, job: () => Promise<T>): Promise<T> {
    return this.#measure(action, job)
  }

  /** Runs a part of the newest action, such as an image of a change: what it reads is added to that. */
  async within<T>(job: () => Promise<T>): Promise<T> {
    const start = performance.now()
    try {
      return await job()
    } finally {
      this.#extend(performance.now() - start)
    }
  }

  /** Records the reads of opening the repository, which took `milliseconds`. */
  opened(milliseconds: number): void {
    this.#add(() => first.actions.opening, milliseconds)
  }

  async #measure<T>(action: Action, job: () => Promise<T>): Promise<T> {
    const start = performance.now()
    const running = { action }
    this.#running.push(running)
    this.#report()
    try {
      return await job()
    } finally {
      this.#running.splice(this.#running.indexOf(running), 1)
      this.#add(action, performance.now() - start)
    }
  }

  #add(action: Action, milliseconds: number): void {
    const { last, total } = this.#count(none, milliseconds)
    this.#actions = [{ action, last, total }, ...this.#actions].slice(0, MOST_ACTIONS)
    this.#report()
  }

  #extend(milliseconds: number): void {
    const [newest, ...others] = this.#actions
    if (!newest) return
    this.#actions = [{ ...newest, ...this.#count(newest.last, milliseconds) }, ...others]
    this.#report()
  }

  /** Returns what was read since the last count, added to `more`, and what was read in total. */
  #count(more: Reading, milliseconds: number): Pick<Measured, 'last' | 'total'> {
    const before = this.#before
    const total = readingOf(this.stats(), before.milliseconds + milliseconds)
    this.#before = total
    const last = {
      objects: more.objects + total.objects - before.objects,
      bytesRead: more.bytesRead + total.bytesRead - before.bytesRead,
      blocksRead: more.blocksRead + total.blocksRead - before.blocksRead,
      inflatedBytes: more.inflatedBytes + total.inflatedBytes - before.inflatedBytes,
      milliseconds: more.milliseconds + milliseconds,
    }
    return { last, total }
  }

  #report(): void {
    for (const listener of this.#listeners) listener()
  }

  /** Returns `null` if the repository was closed meanwhile. */
  stats(): Stats | null {
    try {
      return this.#repo.stats()
    } catch {
      return null
    }
  }
}

function readingOf(stats: Stats | null, milliseconds: number): Reading {
  if (!stats) return { ...none, milliseconds }
  const { objects, bytesRead, blocksRead, inflatedBytes } = stats
  return { objects, bytesRead, blocksRead, inflatedBytes, milliseconds }
}
