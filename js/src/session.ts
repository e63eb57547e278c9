/**
 * Asks the core, sees what is missing, fetches it, and asks again. All I/O of a
 * repository goes through here.
 */
import * as core from './core.js'
import { PacklensError } from './errors.js'
import type { MaybePromise } from './maybe.js'
import { isPromise, then } from './maybe.js'
import type { Need } from './records.js'
import { decodeError, decodeNeed, text } from './records.js'
import type { FileStore, StoredFile } from './source/store.js'
import type { Stats } from './types.js'

/** How a repository is read. */
export interface SessionOptions {
  readonly memory: number
  readonly verify: 'oid' | 'none'
  readonly objectFormat: 'sha1' | 'sha256' | undefined
}

export interface AskOptions {
  readonly signal?: AbortSignal | undefined
}

/** A question: writes its input, calls the core, and returns the status. */
export type Ask = (core: Core) => number
export type Core = Parameters<Parameters<typeof core.call>[0]>[0]

/** How often the same bytes may be asked for before it counts as going round. */
const MOST_REPEATS = 8

/** The largest part that is fetched at once, as a share of the ceiling. */
const PART_SHARE = 8

const HASHES = { sha1: 1, sha256: 2 } as const

const STATS = [
  'lookups',
  'objects',
  'blocksRead',
  'bytesRead',
  'blocksEvicted',
  'filesOpened',
  'inflatedBytes',
  'deltasApplied',
  'baseCacheHits',
  'hashedBytes',
  'bytesOut',
  'flushes',
  'memoryHighWater',
] as const

export class Session {
  readonly #store: FileStore
  readonly #options: SessionOptions
  readonly #files = new Map<number, StoredFile>()
  readonly #paths = new Map<number, string>()
  readonly #fetching = new Map<string, Promise<void>>()
  #number = -1
  #epoch = -1
  #closed = false

  constructor(store: FileStore, options: SessionOptions) {
    this.#store = store
    this.#options = options
  }

  get number(): number {
    return this.#number
  }

  /**
   * Asks a question until it is answered; `done` makes the result while the
   * output is still there. Returns no promise if the source needs none.
   */
  ask<T>(ask: Ask, done: (status: number) => T, options: AskOptions = {}): MaybePromise<T> {
    this.#ready()
    const question = core.call((glue) => glue.begin(this.#number))
    return this.#round(ask, done, options, question, new Map())
  }

  #round<T>(
    ask: Ask,
    done: (status: number) => T,
    options: AskOptions,
    question: number,
    asked: Map<string, number>,
  ): MaybePromise<T> {
    for (;;) {
      checkAborted(options.signal)
      this.#ready()
      const status = core.call((glue) => {
        glue.resume(this.#number, question)
        return ask(glue)
      })
      // The output is gone with the next call, such as that for closed files.
      const answer = status & ~core.Status.closed
      if (answer === core.Status.done || answer === core.Status.more) {
        const result = done(answer)
        if (status !== answer) this.#closeFiles()
        return result
      }
      const record = this.#output()
      if (answer === core.Status.failed) {
        throw decodeError(record, (file) => this.pathOf(file))
      }
      const need = decodeNeed(record)
      if (status !== answer) this.#closeFiles()
      countRepeats(asked, need)
      const provided = this.#provide(need, options)
      if (isPromise(provided)) {
        return provided.then(() => this.#round(ask, done, options, question, asked))
      }
    }
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
    const bytes = this.#output()
    const view = new DataView(bytes.buffer)
    const read = (_: string, at: number) => Number(view.getBigUint64(at * 8, true))
    const values = STATS.map(read)
    const stats = Object.fromEntries(STATS.map((name, at) => [name, values[at] ?? 0]))
    return { ...(stats as unknown as Stats), instanceMemory: core.memorySize() }
  }

  /** Safe at any time, and twice. */
  close(): void {
    if (this.#closed) return
    this.#closed = true
    for (const file of this.#files.values()) file.close?.()
    this.#files.clear()
    this.#store.close?.()
    if (this.#epoch === core.currentEpoch()) core.call((glue) => glue.close(this.#number))
  }

  /** Makes sure that there is a session in the instance, also after a trap. */
  #ready(): void {
    if (this.#closed) throw new PacklensError('CLOSED', 'the repository was closed')
    if (this.#epoch === core.currentEpoch()) return
    for (const file of this.#files.values()) file.close?.()
    this.#files.clear()
    this.#fetching.clear()
    const { memory, verify, objectFormat } = this.#options
    const hash = objectFormat ? HASHES[objectFormat] : 0
    this.#number = core.call((glue) => glue.open(memory, hash, verify === 'oid' ? 1 : 0))
    this.#epoch = core.currentEpoch()
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

  #provide(need: Need, options: AskOptions): MaybePromise<void> {
    if (need.kind === 'bytes') return this.#provideBytes(need, options)
    const path = text(need.path)
    const epoch = this.#epoch
    const stale = () => this.#closed || epoch !== core.currentEpoch()
    if (need.kind === 'directory') {
      return then(this.#store.list(path, need.path), (names) => {
        if (!stale()) this.#listed(need.path, names)
      })
    }
    return then(this.#store.open(path, need.path), (file) => {
      if (stale()) file?.close?.()
      else this.#opened(path, need.path, file)
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

  #listed(path: Uint8Array, names: readonly (string | Uint8Array)[]): void {
    const encoder = new TextEncoder()
    const parts = names.map((name) => (typeof name === 'string' ? encoder.encode(name) : name))
    const length = parts.reduce((sum, part) => sum + part.byteLength + 1, path.byteLength)
    const all = new Uint8Array(length)
    all.set(path)
    let at = path.byteLength
    for (const part of parts) {
      all.set(part, at + 1)
      at += part.byteLength + 1
    }
    core.call((glue) => {
      this.input(glue, all)
      glue.listed(this.#number)
    })
  }

  #provideBytes(need: Need & { kind: 'bytes' }, options: AskOptions): MaybePromise<void> {
    const file = this.#files.get(need.file)
    if (!file) throw this.#changed(need.file, need.offset)
    const most = Math.max(file.blockSize, Math.floor(this.#options.memory / PART_SHARE))
    const { start, end } = blocksAround(need, file, Math.min(most, this.#options.memory))
    if (file.readInto) {
      this.#readPart(need.file, start, end - start, (target) => file.readInto?.(start, target) ?? 0)
      return
    }
    const key = `${need.file}:${start}`
    const running = this.#fetching.get(key)
    if (running) return running
    const fetching = this.#fetch(file, need.file, start, end - start, options).finally(() => {
      this.#fetching.delete(key)
    })
    this.#fetching.set(key, fetching)
    return fetching
  }

  async #fetch(
    file: StoredFile,
    number: number,
    start: number,
    length: number,
    options: AskOptions,
  ): Promise<void> {
    const epoch = this.#epoch
    const bytes = await file.read?.(start, length, options)
    if (!bytes || this.#closed || epoch !== core.currentEpoch()) return
    // The core may have closed the file while its bytes were on the way.
    if (this.#files.get(number) !== file) return
    this.#readPart(number, start, length, (target) => {
      target.set(bytes.subarray(0, length))
      return bytes.byteLength
    })
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

/** Returns whole blocks around what is needed, `most` bytes of them. */
function blocksAround(
  need: { offset: number; length: number },
  file: StoredFile,
  most: number,
): { start: number; end: number } {
  const { blockSize, size } = file
  const block = Math.min(blockSize, most)
  const start = Math.floor(need.offset / block) * block
  const wanted = Math.ceil((need.offset + need.length) / block) * block
  const end = Math.min(wanted, size, start + Math.max(most, block))
  return { start, end: Math.max(end, Math.min(start + block, size)) }
}

function countRepeats(asked: Map<string, number>, need: Need): void {
  if (need.kind !== 'bytes') return
  const key = `${need.file}:${need.offset}`
  const times = (asked.get(key) ?? 0) + 1
  asked.set(key, times)
  if (times > MOST_REPEATS) {
    throw new PacklensError('LIMIT', 'this needs more memory at once than allowed: raise `memory`')
  }
}

function checkAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) {
    throw new PacklensError('ABORTED', 'the signal was aborted', { cause: signal.reason })
  }
}
