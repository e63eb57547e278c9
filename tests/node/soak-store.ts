/** A store that sometimes answers late, fails, or returns too few bytes. */
import { existsSync, readdirSync, statSync } from 'node:fs'
import path from 'node:path'
import type { RandomAccess, Store } from 'packlens'
import { bytesOf } from './sources.js'

/** The error of an injected failure. */
export class Injected extends Error {}

/** The current state in the history of a repository. */
export class Moment {
  readonly count: number
  #now = 0
  #steps = 0

  constructor(count: number) {
    this.count = count
  }

  get now(): number {
    return this.#now
  }

  /** The number of changes. */
  get steps(): number {
    return this.#steps
  }

  /** Advances to the next state, if there is one. */
  next(): boolean {
    if (this.#now + 1 >= this.count) return false
    this.#now++
    this.#steps++
    return true
  }

  restart(): void {
    this.#now = 0
    this.#steps++
  }
}

export interface UnreliableOptions {
  readonly random: () => number
  /** The share of calls that fail or return too few bytes. */
  readonly faults: number
}

export class UnreliableStore implements Store {
  /** The current git directory; open files keep their content. */
  folder: string
  /** Runs without faults. */
  quiet = false
  #injected = 0
  readonly #random: () => number
  readonly #faults: number

  constructor(folder: string, { random, faults }: UnreliableOptions) {
    this.folder = folder
    this.#random = random
    this.#faults = faults
  }

  /** The number of faults. */
  get injected(): number {
    return this.#injected
  }

  async get(name: string): Promise<RandomAccess | null> {
    await this.#wait()
    this.#mayFail(`get ${name}`)
    const file = path.join(this.folder, name)
    if (!statSync(file, { throwIfNoEntry: false })?.isFile()) return null
    const bytes = bytesOf(file)
    return {
      size: bytes.byteLength,
      read: async (offset, length) => {
        await this.#wait()
        this.#mayFail(`read ${name}`)
        const expected = bytes.slice(offset, offset + length)
        return this.#strikes() ? expected.subarray(0, expected.byteLength >> 1) : expected
      },
    }
  }

  async list(directory: string): Promise<string[]> {
    await this.#wait()
    this.#mayFail(`list ${directory}`)
    const place = path.join(this.folder, directory)
    if (!existsSync(place)) return []
    return readdirSync(place, { withFileTypes: true }).map((entry) =>
      entry.isDirectory() ? `${entry.name}/` : entry.name,
    )
  }

  async #wait(): Promise<void> {
    for (let turns = Math.floor(this.#random() * 4); turns > 0; turns--) {
      await new Promise(setImmediate)
    }
  }

  #mayFail(what: string): void {
    if (this.#strikes()) throw new Injected(what)
  }

  #strikes(): boolean {
    if (this.quiet || this.#random() >= this.#faults) return false
    this.#injected++
    return true
  }
}
