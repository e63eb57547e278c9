/**
 * Asks the core, sees what is missing, fetches it, and asks again. All I/O of a
 * repository goes through here.
 */
import * as core from './core.js'
import { PacklensError } from './errors.js'
import type { MaybePromise } from './maybe.js'
import { isPromise, then } from './maybe.js'
import type { Need } from './records.js'
import { decodeError, decodeNeed, encodeListing, text } from './records.js'
import type { FileStore, StoredFile } from './source/store.js'
import { decodeStats } from './stats.js'
import { Turns } from './turns.js'
import type { Stats } from './types.js'
import { checkAborted, Fetches, Waiting } from './waiting.js'

/** How a repository is read. */
export interface SessionOptions {
  readonly memory: number
  readonly verify: 'oid' | 'none'
  readonly objectFormat: 'sha1' | 'sha256' | undefined
}

export interface AskOptions {
  readonly signal?: AbortSignal | undefined
}

type BytesNeed = Need & { readonly kind: 'bytes' }

/** A question: writes its input, calls the core, and returns the status. */
export type Ask = (core: Core) => number
export type Core = Parameters<Parameters<typeof core.call>[0]>[0]

interface Asked<T> {
  readonly ask: Ask
  readonly done: (status: number) => T
  readonly options: AskOptions
  /** True for those that make the repository ready to be asked others. */
  readonly preparing: boolean
}

/** A question that is being answered. */
interface Question<T> extends Asked<T> {
  number: number
  epoch: number
  /** How often each part of a file was needed. */
  needed: Map<string, number>
}

/** How often the same bytes may be needed before the question goes on alone. */
const FAIR_REPEATS = 3

/** How often the same bytes may be needed before it counts as going round. */
const MOST_REPEATS = 12

/**
 * The largest part that is fetched at once, as a share of the ceiling. The core
 * keeps an eighth for parts: room for those of an index, a pack and two more.
 */
const PART_SHARE = 32

/**
 * The most that is brought in for one need, as a share of the ceiling: the rest
 * of a large entry at once, or it would be inflated anew after each part.
 */
const NEED_SHARE = 4

const HASHES = { sha1: 1, sha256: 2 } as const

export class Session {
  readonly #store: FileStore
  readonly #options: SessionOptions
  readonly #files = new Map<number, StoredFile>()
  readonly #paths = new Map<number, string>()
  readonly #waiting = new Waiting()
  readonly #fetches = new Fetches(this.#waiting)
  readonly #turns = new Turns()
  #onProgress: ((done: number, total: number) => void) | undefined
  #number = -1
  #epoch = -1
  #preparedIn = -1
  #closed = false

  constructor(store: FileStore, options: SessionOptions) {
    this.#store = store
    this.#options = options
  }

  get number(): number {
    return this.#number
  }

  get closed(): boolean {
    return this.#closed
  }

  /**
   * Asks a question until it is answered; `done` makes the result while the
   * output is still there. Returns no promise if the source needs none.
   */
  ask<T>(ask: Ask, done: (status: number) => T, options: AskOptions = {}): MaybePromise<T> {
    return this.#begin({ ask, done, options, preparing: false })
  }

  /** Learns the format, and makes the indexes that are not there. */
  prepare(
    options: AskOptions,
    onProgress?: (done: number, total: number) => void,
  ): MaybePromise<void> {
    this.#onProgress = onProgress
    return then(this.#prepare(options), () => {
      this.#onProgress = undefined
    })
  }

  #prepare(options: AskOptions): MaybePromise<void> {
    for (;;) {
      const ask: Ask = (glue) => glue.prepare(this.#number)
      const step = this.#begin({ ask, done: this.#prepared, options, preparing: true })
      if (step === true) return
      if (isPromise(step)) return step.then((done) => (done ? undefined : this.#prepare(options)))
    }
  }

  readonly #prepared = (status: number): boolean => {
    if (status === core.Status.done) {
      this.#preparedIn = this.#epoch
      return true
    }
    const view = new DataView(this.takeOutput())
    const at = (offset: number) => Number(view.getBigUint64(offset, true))
    this.#onProgress?.(at(0), at(8))
    return false
  }

  #begin<T>(asked: Asked<T>): MaybePromise<T> {
    const { ask, done, options, preparing } = asked
    // Field by field: a spread takes 3 microseconds, longer than many an answer.
    const question: Question<T> = {
      ask,
      done,
      options,
      preparing,
      number: 0,
      epoch: -1,
      needed: new Map(),
    }
    const answer = this.#round(question)
    return isPromise(answer) ? answer.finally(() => this.#turns.over(question)) : answer
  }

  #round<T>(question: Question<T>): MaybePromise<T> {
    for (;;) {
      checkAborted(question.options.signal)
      this.#ready()
      if (!question.preparing && this.#preparedIn !== this.#epoch) {
        // The instance was replaced: what was learnt at the opening is gone.
        const prepared = this.#prepare(question.options)
        if (isPromise(prepared)) return prepared.then(() => this.#round(question))
      }
      const status = this.#askOnce(question)
      // The output is gone with the next call, such as that for closed files.
      const answer = status & ~core.Status.closed
      if (answer === core.Status.done || answer === core.Status.more) {
        const result = question.done(answer)
        if (status !== answer) this.#closeFiles()
        return result
      }
      const record = this.#output()
      if (answer === core.Status.failed) {
        throw decodeError(record, (file) => this.pathOf(file))
      }
      const need = decodeNeed(record)
      if (status !== answer) this.#closeFiles()
      const repeats = this.#countRepeats(question, need)
      const { signal } = question.options
      const provided = this.#provide(need, question.number, signal)
      if (isPromise(provided)) {
        return provided
          .then(() => this.#turns.wait(question, repeats > FAIR_REPEATS, this.#waiting, signal))
          .then(() => this.#round(question))
      }
    }
  }

  /** Counts how often the same bytes were needed. */
  #countRepeats({ needed }: Question<unknown>, need: Need): number {
    if (need.kind !== 'bytes') return 0
    const key = `${need.file}:${need.offset}`
    const times = (needed.get(key) ?? 0) + 1
    needed.set(key, times)
    if (times <= MOST_REPEATS) return times
    throw new PacklensError('LIMIT', 'this needs more memory at once than allowed: raise `memory`')
  }

  #askOnce<T>(question: Question<T>): number {
    return core.call((glue) => {
      if (question.epoch !== this.#epoch) {
        question.number = glue.begin(this.#number)
        question.epoch = this.#epoch
        question.needed.clear()
      }
      glue.resume(this.#number, question.number)
      return question.ask(glue)
    })
  }

  /** Writes bytes where the core reads its input. */
  input(glue: Core, bytes: Uint8Array): void {
    const place = glue.input(this.#number, bytes.byteLength)
    core.view(place, bytes.byteLength).set(bytes)
  }

  /** Returns a copy of the output in an `ArrayBuffer` of its own. */
  takeOutput(): ArrayBuffer {
    const [place, length] = this.#outputPlace()
    core.call((glue) => glue.count_output(this.#number, length))
    return core.copy(place, length)
  }

  /** Returns a view of the output, good until the next call. */
  viewOutput(): Uint8Array<ArrayBuffer> {
    const [place, length] = this.#outputPlace()
    core.call((glue) => glue.count_output(this.#number, length))
    return core.view(place, length)
  }

  pathOf(file: number): string | undefined {
    return this.#paths.get(file)
  }

  get oidLength(): number {
    this.#ready()
    return core.call((glue) => glue.hash(this.#number)) === HASHES.sha256 ? 32 : 20
  }

  stats(): Stats {
    this.#ready()
    core.call((glue) => glue.stats(this.#number))
    return decodeStats(this.#output(), core.memorySize())
  }

  /** Safe at any time, and twice. Ends what is still waited for. */
  close(): void {
    if (this.#closed) return
    this.#closed = true
    this.#forgetFiles()
    this.#store.close?.()
    if (this.#epoch === core.currentEpoch()) core.call((glue) => glue.close(this.#number))
    this.#waiting.endAll(closedError())
  }

  /** Makes sure that there is a session in the instance, also after a trap. */
  #ready(): void {
    if (this.#closed) throw closedError()
    if (this.#epoch === core.currentEpoch()) return
    this.#forgetFiles()
    this.#fetches.clear()
    const { memory, verify, objectFormat } = this.#options
    const hash = objectFormat ? HASHES[objectFormat] : 0
    this.#number = core.call((glue) => glue.open(memory, hash, verify === 'oid' ? 1 : 0))
    this.#epoch = core.currentEpoch()
  }

  #forgetFiles(): void {
    for (const file of this.#files.values()) file.close?.()
    this.#files.clear()
    this.#paths.clear()
  }

  #outputPlace(): [place: number, length: number] {
    return core.call((glue) => [glue.output(this.#number), glue.output_length(this.#number)])
  }

  #output(): Uint8Array<ArrayBuffer> {
    const [place, length] = this.#outputPlace()
    return new Uint8Array(core.copy(place, length))
  }

  #closeFiles(): void {
    core.call((glue) => glue.closed(this.#number))
    const numbers = this.#output()
    const view = new DataView(numbers.buffer)
    for (let at = 0; at < numbers.byteLength; at += 4) {
      const file = view.getUint32(at, true)
      this.#files.get(file)?.close?.()
      this.#files.delete(file)
      this.#paths.delete(file)
    }
  }

  #provide(need: Need, asker: number, signal: AbortSignal | undefined): MaybePromise<void> {
    if (need.kind === 'bytes') return this.#provideParts(need, signal)
    const path = text(need.path)
    if (need.kind === 'directory') {
      const listed = this.#list(path, need.path)
      return isPromise(listed) ? this.#waiting.until(listed, signal) : listed
    }
    // Two who open a pack must get the same file. A ref may change between.
    const key = path.startsWith('objects/') ? path : `${path} for ${asker}`
    const openIt = (ending: AbortSignal) => this.#open(path, need.path, ending)
    return this.#fetches.share(key, openIt, signal)
  }

  /** Tells, once something has arrived, whether it is too late for it. */
  #staleness(): () => boolean {
    const epoch = this.#epoch
    return () => this.#closed || epoch !== core.currentEpoch()
  }

  #open(path: string, bytes: Uint8Array, ending: AbortSignal): MaybePromise<void> {
    const isStale = this.#staleness()
    return then(this.#store.open(path, bytes), (file) => {
      if (isStale() || ending.aborted) file?.close?.()
      else this.#opened(path, bytes, file)
    })
  }

  #opened(path: string, bytes: Uint8Array, file: StoredFile | null): void {
    const number = core.call((glue) => {
      this.input(glue, bytes)
      if (file) return glue.found(this.#number, file.size, file.stamp)
      glue.absent(this.#number)
      return -1
    })
    if (!file) return
    this.#files.get(number)?.close?.()
    this.#files.set(number, file)
    this.#paths.set(number, path)
  }

  #list(path: string, bytes: Uint8Array): MaybePromise<void> {
    const isStale = this.#staleness()
    return then(this.#store.list(path, bytes), (names) => {
      if (isStale()) return
      core.call((glue) => {
        this.input(glue, encodeListing(bytes, names))
        glue.listed(this.#number)
      })
    })
  }

  /** Brings in part after part of what is needed, as long as all stay in memory. */
  #provideParts(need: BytesNeed, signal: AbortSignal | undefined): MaybePromise<void> {
    const { file, offset, length } = need
    const most = Math.floor(this.#options.memory / NEED_SHARE)
    const needed = offset + Math.min(length, most)
    const next = (from: number): MaybePromise<void> =>
      then(this.#providePart({ ...need, offset: from, length: needed - from }, signal), (end) => {
        const more = end < needed && end < (this.#files.get(file)?.size ?? 0)
        return more ? next(end) : undefined
      })
    return next(offset)
  }

  /** Returns where the part ends that was brought in. */
  #providePart(need: BytesNeed, signal: AbortSignal | undefined): MaybePromise<number> {
    const file = this.#files.get(need.file)
    if (!file) throw this.#changed(need.file, need.offset)
    const most = Math.floor(this.#options.memory / PART_SHARE)
    const { start, end } = blocksAround(need, file, most)
    const length = end - start
    if ('readInto' in file) {
      this.#readPart(need.file, start, length, (target) => file.readInto(start, target))
      return end
    }
    const isStale = this.#staleness()
    const take = (bytes: Uint8Array) => {
      // The core may have closed the file while its bytes were on the way.
      if (isStale() || !this.#files.has(need.file)) return
      this.#readPart(need.file, start, length, (target) => {
        target.set(bytes.subarray(0, length))
        return bytes.byteLength
      })
    }
    const read = (ending: AbortSignal) => then(file.read(start, length, { signal: ending }), take)
    return then(this.#fetches.share(`${need.file}:${start}`, read, signal), () => end)
  }

  #readPart(
    file: number,
    start: number,
    length: number,
    fill: (target: Uint8Array) => number,
  ): void {
    const place = core.call((glue) => glue.part(this.#number, length))
    if (place === 0) {
      throw new PacklensError('LIMIT', 'no memory for a part of a file: raise `memory`')
    }
    if (fill(core.view(place, length)) < length) throw this.#changed(file, start)
    const status = core.call((glue) => glue.part_written(this.#number, file, start, length))
    if ((status & ~core.Status.closed) === core.Status.failed) {
      throw decodeError(this.#output(), (number) => this.pathOf(number))
    }
  }

  #changed(file: number, offset: number): PacklensError {
    const what = 'the file is shorter than it was, or gone: open the repository again'
    return new PacklensError('CHANGED', what, { file: this.pathOf(file), offset })
  }
}

function closedError(): PacklensError {
  return new PacklensError('CLOSED', 'the repository was closed')
}

/** Returns whole blocks around what is needed, at most `most` bytes of them. */
function blocksAround(
  need: { offset: number; length: number },
  { blockSize, size }: StoredFile,
  most: number,
): { start: number; end: number } {
  const block = Math.min(blockSize, most)
  const start = Math.floor(need.offset / block) * block
  const wanted = Math.ceil((need.offset + need.length) / block) * block
  const blocks = Math.max(1, Math.floor(most / block)) * block
  return { start, end: Math.min(wanted, size, start + blocks) }
}
