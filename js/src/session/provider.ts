/** Provides the data that the core lacks: opens files, lists directories, reads ranges. */

import { PacklensError } from '../base/errors.js'
import type { MaybePromise } from '../base/maybe.js'
import { isPromise, whenReady } from '../base/maybe.js'
import { Status } from '../base/protocol.js'
import { text } from '../base/utf8.js'
import type { Ending, Waiting } from '../base/waiting.js'
import { Fetches } from '../base/waiting.js'
import type { Need } from '../objects/records.js'
import { decodeError, encodeListing, joinIds, splitIds } from '../objects/records.js'
import { guarded, UnreadableFile } from '../source/failed.js'
import type {
  FileOpenOptions,
  FileStore,
  ReadOptions,
  StoredFile,
  Traffic,
} from '../source/store.js'
import { isPackFile, isTable } from '../source/store.js'
import type { CoreSession } from './core-session.js'
import { wholeInstance } from './modules.js'
import type { Ids } from './object-fetches.js'
import { ObjectFetches } from './object-fetches.js'
import { ReadRanges } from './read-ranges.js'

type BytesNeed = Need & { readonly kind: 'bytes' | 'range' }

/**
 * The most bytes that are read for one need, as a share of `memory`. The rest of a large entry is
 * read at once, because the entry is inflated from its beginning after each need.
 */
const NEED_SHARE = 4

/**
 * Returns whether git replaces or deletes the file in normal use: refs, lists of refs and
 * multi-pack-indexes are replaced, loose objects are deleted once they are packed.
 */
const isReplaced = (path: string) =>
  /^([A-Z_]+|packed-refs|refs\/.*)$|(^|\/)reftable\/tables\.list$/.test(path) ||
  /(^|\/)([0-9a-f]{2}\/[0-9a-f]{38,62}|pack\/multi-pack-index[^/]*)$/.test(path)

/** Returns whether the file is a commit-graph, whose facts the commits have too. */
const isGraph = (path: string) => /(^|\/)info\/commit-graph[^/]*(\/[^/]+)?$/.test(path)

/** The most times that a pack may be deleted and return; for replaced files, per question. */
const MOST_REPLACED = 3

const FAILED = 'the source failed'

/** Returns whether the bytes of a file are read by a call, straight into the instance's memory. */
const isImmediate = (file: StoredFile) => 'readInto' in file || 'handle' in file

const encoder = new TextEncoder()

/** Returns whether a file never changes while it exists. */
const isLasting = (path: string) => isPackFile(path) || isTable(path)

/** Checks names that a store returned, because a caller's store may return anything. */
function checkedNames(names: unknown, path: string): readonly (string | Uint8Array)[] {
  const isName = (name: unknown) => typeof name === 'string' || name instanceof Uint8Array
  if (Array.isArray(names) && names.every(isName)) return names
  const what = '`list` of a store must return an array of names'
  throw new PacklensError('BAD_INPUT', what, { subject: path })
}

export class Provider {
  readonly #core: CoreSession
  readonly #store: FileStore
  readonly #memory: number
  readonly #waiting: Waiting
  readonly #fetches: Fetches
  readonly #objects: ObjectFetches
  readonly #readRanges: ReadRanges
  readonly #files = new Map<number, StoredFile>()
  readonly #paths = new Map<number, string>()
  /** The errors of files that cannot be read, by their paths. */
  readonly #unreadable = new Map<string, PacklensError>()
  /** Counts by path how often an open file was deleted or replaced, and the question that found it. */
  readonly #replaced = new Map<string, { readonly context: number; readonly times: number }>()
  /** The newest question that needed the names in a directory. */
  readonly #listers = new Map<string, number>()
  #closed = false

  constructor(session: CoreSession, store: FileStore, memory: number, waiting: Waiting) {
    this.#core = session
    this.#store = store
    this.#memory = memory
    this.#waiting = waiting
    this.#fetches = new Fetches(waiting)
    this.#objects = new ObjectFetches(this.#fetches, (ids, signal) => this.#fetch(ids, signal))
    this.#readRanges = new ReadRanges(memory)
  }

  pathOf(file: number): string | undefined {
    return this.#paths.get(file)
  }

  get traffic(): Traffic | undefined {
    return this.#store.traffic
  }

  refresh(): void {
    this.#store.refresh?.()
  }

  hasReplaceRefs(): MaybePromise<boolean> {
    return guarded(() => this.#store.hasReplaceRefs?.() ?? true, FAILED)
  }

  /** Decodes an error; returns the original one for a file that could not be read. */
  errorIn(record: Uint8Array<ArrayBuffer>): PacklensError {
    const error = decodeError(record, (file) => this.#paths.get(file))
    return this.#unreadable.get(error.file ?? '') ?? error
  }

  /**
   * Provides the first need. The others are guesses of later needs, whose errors are ignored: bytes of
   * files with high latency, and ranges of any file. What takes time is read at the same time.
   */
  provide(
    [need, ...guesses]: readonly [Need, ...Need[]],
    context: number,
    signal: AbortSignal | undefined,
  ): MaybePromise<void> {
    const first = this.#provideOrForget(need, context, signal)
    const takesTime = isPromise(first)
    const later: MaybePromise<void>[] = []
    for (const guess of guesses) {
      const isRemote = () => 'offset' in guess && this.#files.get(guess.file)?.remote
      if (guess.kind !== 'range' && !(takesTime && isRemote())) continue
      try {
        later.push(this.#provide(guess, context, signal))
      } catch {
        // Whoever needs the range gets the error.
      }
    }
    return takesTime ? Promise.all([first, Promise.allSettled(later)]).then(() => {}) : first
  }

  /**
   * Provides a need. Forgets a pack that a repack deleted, because its objects are in another
   * pack, and a list of refs or a reftable that git replaced.
   */
  #provideOrForget(
    need: Need,
    context: number,
    signal: AbortSignal | undefined,
  ): MaybePromise<void> {
    const failed = (error: unknown) =>
      error instanceof UnreadableFile && 'offset' in need
        ? this.#giveUp(need.file, error.error)
        : this.#forgetIfReplaced(need, context, error)
    try {
      const provided = this.#provide(need, context, signal)
      return isPromise(provided) ? provided.catch(failed) : provided
    } catch (error) {
      return failed(error)
    }
  }

  /** Has the core treat a file as damaged, because its content may be stored elsewhere too. */
  #giveUp(file: number, error: PacklensError): void {
    const path = this.#paths.get(file)
    if (path !== undefined) this.#unreadable.set(path, error)
    this.#core.instance.call((glue) => glue.unreadable(this.#core.number, file))
  }

  #forgetIfReplaced(need: Need, context: number, error: unknown): MaybePromise<void> {
    const changed = error instanceof PacklensError && error.code === 'CHANGED'
    const path = 'offset' in need ? this.#paths.get(need.file) : undefined
    if (!changed || path === undefined) throw error
    if (isGraph(path)) return this.#giveUp((need as BytesNeed).file, error)
    if (!(isLasting(path) || isReplaced(path))) throw error
    const last = this.#replaced.get(path)
    const times = last && (isLasting(path) || last.context === context) ? last.times : 0
    if (times >= MOST_REPLACED) throw error
    this.#replaced.set(path, { context, times: times + 1 })
    const isStale = this.#staleness()
    const reopened = guarded(() => this.#store.open(path, encoder.encode(path)), FAILED, path)
    return whenReady(reopened, (file) => {
      file?.close?.()
      // A pack that still exists was rewritten under its name, which git never does.
      if ((file && !isReplaced(path)) || isStale()) throw error
      const { number } = this.#core
      this.#core.instance.call((glue) => glue.forget_replaced(number, (need as BytesNeed).file))
    })
  }

  /** Closes the files that the core has closed. */
  closeFiles(): void {
    this.#core.instance.call((glue) => glue.closed(this.#core.number))
    const numbers = this.#core.output()
    const view = new DataView(numbers.buffer)
    for (let at = 0; at < numbers.byteLength; at += 4) this.#forget(view.getUint32(at, true))
  }

  /** Forgets all files, because the instance that had opened them was replaced. */
  forgetAll(): void {
    for (const file of [...this.#files.keys()]) this.#forget(file)
    this.#fetches.clear()
    this.#listers.clear()
  }

  /** Forgets all files, also those that are still being opened. */
  leave(): void {
    this.#closed = true
    this.forgetAll()
  }

  #forget(file: number): void {
    this.#files.get(file)?.close?.()
    this.#files.delete(file)
    this.#unreadable.delete(this.#paths.get(file) ?? '')
    this.#paths.delete(file)
    this.#readRanges.forget(file)
  }

  #provide(need: Need, context: number, signal: AbortSignal | undefined): MaybePromise<void> {
    if (need.kind === 'turn') return
    if (need.kind === 'module') {
      const whole = whenReady(wholeInstance(), () => {})
      return isPromise(whole) ? this.#waiting.until(whole, signal) : whole
    }
    if ('offset' in need) return this.#provideRanges(need, signal)
    if (need.kind === 'objects') {
      return this.#objects.fetch(splitIds(need.ids, this.#core.oidLength), signal)
    }
    const path = text(need.path)
    if (need.kind === 'directory') {
      const listed = this.#list(path, need.path, context, signal)
      return isPromise(listed) ? this.#waiting.until(listed, signal) : listed
    }
    // Questions that open a pack or a table must get the same file; a ref may change between them.
    const key = path.startsWith('objects/') || isLasting(path) ? path : `${path} for ${context}`
    const { near } = need
    const openIt = (ending: Ending) => this.#open(path, need.path, near, ending)
    return this.#fetches.share(key, openIt, signal)
  }

  /** Fetches missing objects, and reports to the core that they were requested. */
  async #fetch(ids: Ids, signal: AbortSignal): Promise<void> {
    const isStale = this.#staleness()
    await guarded(() => this.#store.fetch?.([...ids.keys()], { signal }), '`missing` failed')
    if (isStale()) return
    this.#core.instance.call((glue) => {
      this.#core.input(glue, joinIds(ids.values(), ids.size, this.#core.oidLength))
      glue.fetched(this.#core.number)
    })
  }

  /** Returns a function that returns whether data that arrives now is too late. */
  #staleness(): () => boolean {
    const epoch = this.#core.epoch
    return () => this.#closed || epoch !== this.#core.instance.epoch
  }

  #open(
    path: string,
    bytes: Uint8Array,
    near: number | undefined,
    ending: Ending,
  ): MaybePromise<void> {
    const isStale = this.#staleness()
    const options: FileOpenOptions = {
      near,
      get signal() {
        return ending.signal
      },
    }
    const opened = guarded(() => this.#store.open(path, bytes, options), FAILED, path)
    return whenReady(opened, (file) => {
      if (isStale() || ending.aborted) file?.close?.()
      else this.#opened(path, bytes, file)
    })
  }

  #opened(path: string, bytes: Uint8Array, file: StoredFile | null): void {
    const number = this.#core.instance.call((glue) => {
      this.#core.input(glue, bytes)
      if (file) {
        const { size, stamp, remote = false } = file
        return glue.found(this.#core.number, size, stamp, remote, isImmediate(file))
      }
      glue.absent(this.#core.number)
      return -1
    })
    if (!file) return
    this.#files.get(number)?.close?.()
    this.#files.set(number, file)
    this.#paths.set(number, path)
  }

  #list(
    path: string,
    bytes: Uint8Array,
    context: number,
    signal: AbortSignal | undefined,
  ): MaybePromise<void> {
    const isStale = this.#staleness()
    const newest = Math.max(context, this.#listers.get(path) ?? 0)
    this.#listers.set(path, newest)
    return whenReady(
      guarded(() => this.#store.list(path, bytes, { signal }), FAILED, path),
      (names) => {
        // A later question must not get names that were read before the question began.
        if (isStale() || this.#listers.get(path) !== newest) return
        const listing = encodeListing(bytes, checkedNames(names, path))
        this.#core.instance.call((glue) => {
          this.#core.input(glue, listing)
          glue.listed(this.#core.number)
        })
      },
    )
  }

  /**
   * Reads the ranges of a need, as long as all fit in memory: from a server all at once, which
   * makes them one request.
   */
  #provideRanges(need: BytesNeed, signal: AbortSignal | undefined): MaybePromise<void> {
    const { file, offset, length } = need
    const needed = offset + Math.min(length, Math.floor(this.#memory / NEED_SHARE))
    const next = (from: number): MaybePromise<void> => {
      const stored = this.#files.get(file)
      if (!stored) throw this.#changed(file, from)
      const asked = { ...need, offset: from, length: needed - from }
      const range = this.#readRanges.rangeFor(asked, stored)
      const read = this.#provideRange(file, stored, range, signal)
      if (range.end >= needed || range.end >= stored.size) return read
      if (!isPromise(read) || !stored.remote) return whenReady(read, () => next(range.end))
      return Promise.all([read, next(range.end)]).then(() => {})
    }
    return next(offset)
  }

  #provideRange(
    number: number,
    file: StoredFile,
    { start, end }: { readonly start: number; readonly end: number },
    signal: AbortSignal | undefined,
  ): MaybePromise<void> {
    const length = end - start
    const path = this.#paths.get(number)
    if ('readInto' in file) {
      const fill = (place: number) =>
        guarded(
          () => file.readInto(start, this.#core.instance.view(place, length)),
          FAILED,
          path,
        ) as number
      this.#writeRange(number, start, length, fill)
      return
    }
    if ('handle' in file) {
      const { number: session } = this.#core
      const fill = () =>
        this.#core.instance.call((glue) => glue.fill_range(session, file.handle, start))
      this.#writeRange(number, start, length, fill)
      return
    }
    const isStale = this.#staleness()
    const take = (bytes: Uint8Array) => {
      // The core may have closed the file during the read.
      if (isStale() || !this.#files.has(number)) return
      this.#writeRange(number, start, length, (place) => {
        this.#core.instance.view(place, length).set(bytes.subarray(0, length))
        return bytes.byteLength
      })
    }
    const read = (ending: Ending) => {
      const options: ReadOptions = {
        get signal() {
          return ending.signal
        },
      }
      return whenReady(
        guarded(() => file.read(start, length, options), FAILED, path),
        take,
      )
    }
    return this.#fetches.share(`${number}:${start}`, read, signal)
  }

  #writeRange(file: number, start: number, length: number, fill: (place: number) => number): void {
    const place = this.#core.instance.call((glue) => glue.range_buffer(this.#core.number, length))
    if (place === 0) {
      throw new PacklensError('LIMIT', 'no memory for a range of a file: raise `memory`')
    }
    if (fill(place) < length) throw this.#changed(file, start)
    const status = this.#core.instance.call((glue) =>
      glue.provide_range(this.#core.number, file, start, length),
    )
    if ((status & ~Status.closed) === Status.failed) {
      throw this.errorIn(this.#core.output())
    }
  }

  #changed(file: number, offset: number): PacklensError {
    const what = 'the file changed or was deleted: call again, or open the repository again'
    return new PacklensError('CHANGED', what, { file: this.pathOf(file), offset })
  }
}
