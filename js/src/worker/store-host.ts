/** The page's end of a source that stays in the page: serves its files to the worker. */
import type { MaybePromise } from '../base/maybe.js'
import { whenReady } from '../base/maybe.js'
import { sourceError, UnreadableFile } from '../source/failed.js'
import type { FileFacts, FileStore, StoredFile, Traffic } from '../source/store.js'
import type { Outgoing } from './link.js'
import type { StoreNotice, StoreQuestion, WireFile } from './messages.js'

type Facts = Omit<FileFacts, 'close'>

/** The properties of a file that are sent. The file may be an instance, which cannot cross. */
const FACTS = Object.keys({
  size: true,
  stamp: true,
  blockSize: true,
  largestBlock: true,
  remote: true,
  before: true,
  ahead: true,
} satisfies Record<keyof Facts, true>) as (keyof Facts)[]

export class StoreHost {
  readonly #store: FileStore
  readonly #files = new Map<number, StoredFile>()
  #last = 0
  #closed = false

  constructor(store: FileStore) {
    this.#store = store
  }

  get traffic(): Traffic | undefined {
    return this.#store.traffic
  }

  refresh(): void {
    this.#store.refresh?.()
  }

  async answer(question: StoreQuestion, signal: AbortSignal): Promise<Outgoing> {
    try {
      return await this.#answer(question, signal)
    } catch (error) {
      throw error instanceof UnreadableFile ? error.error : sourceError(error, 'the source failed')
    }
  }

  async #answer(question: StoreQuestion, signal: AbortSignal): Promise<Outgoing> {
    switch (question.kind) {
      case 'open': {
        const { path, bytes, near } = question
        const file = await this.#store.open(path, bytes, { near, signal })
        return { value: file && this.#opened(file, signal) }
      }
      case 'fetch':
        await this.#store.fetch?.(question.oids, { signal })
        return { value: null }
      case 'list':
        return { value: (await this.#store.list(question.path, question.bytes)).map(alone) }
      case 'read': {
        const { file, offset, length } = question
        const bytes = await this.#read(file, offset, length, signal)
        return { value: bytes, transfer: [bytes.buffer] }
      }
    }
  }

  notified({ kind, file }: StoreNotice): void {
    if (kind !== 'close') return
    this.#files.get(file)?.close?.()
    this.#files.delete(file)
  }

  /** Closes the files that a worker opened, once it has ended. */
  closeFiles(): void {
    for (const file of this.#files.values()) file.close?.()
    this.#files.clear()
  }

  close(): void {
    this.#closed = true
    this.closeFiles()
    this.#store.close?.()
  }

  #opened(file: StoredFile, signal: AbortSignal): WireFile | null {
    if (this.#closed || signal.aborted) {
      file.close?.()
      return null
    }
    this.#files.set(++this.#last, file)
    const facts = FACTS.map((fact) => [fact, file[fact]]).filter(([, value]) => value !== undefined)
    return { ...(Object.fromEntries(facts) as Facts), file: this.#last }
  }

  /** Reads into new memory, which can be transferred: the source may keep its own. */
  #read(
    number: number,
    offset: number,
    length: number,
    signal: AbortSignal,
  ): MaybePromise<Uint8Array<ArrayBuffer>> {
    const file = this.#files.get(number)
    if (!file) return new Uint8Array(0)
    if ('readInto' in file) {
      const target = new Uint8Array(length)
      return target.subarray(0, file.readInto(offset, target))
    }
    if ('handle' in file) {
      const target = new Uint8Array(length)
      return target.subarray(0, file.handle.read(target, { at: offset }))
    }
    const lent = file.read(offset, length, { signal })
    return whenReady(lent, (bytes) => new Uint8Array(bytes.subarray(0, length)))
  }
}

/** Copies a name that is a view: a clone of it would copy the view's whole buffer. */
function alone(name: string | Uint8Array): string | Uint8Array {
  return typeof name === 'string' ? name : new Uint8Array(name)
}
