import type { BatchOptions } from './batch.js'
import { Batch, minBatchSize } from './batch.js'
import { PacklensError } from './errors.js'
import type { Frame } from './frame.js'
import { decodeFrame, decodeRows } from './frame.js'
import { hex } from './hex.js'
import type { MaybePromise } from './maybe.js'
import { then } from './maybe.js'
import { makeObject } from './objects/object.js'
import { decodeWalk } from './records.js'
import { Refs } from './refs.js'
import type { Ask, AskOptions, Core, Session } from './session.js'
import type { StreamOptions } from './stream.js'
import { contentStream } from './stream.js'
import { atOnce, pages, pagesSync, Task } from './task.js'
import type { BatchRow, GitObject, ObjectInfo, Stats, WalkEntry } from './types.js'

/** What can be given to every method that may take a while. */
export interface ReadOptions extends AskOptions {
  /** Ends the call early, with an error of code `ABORTED`. */
  readonly signal?: AbortSignal | undefined
}

/** What {@link Repository.walk} takes. */
export interface WalkOptions extends ReadOptions {
  /** Goes into the trees found. Default: no. */
  readonly recursive?: boolean | undefined
  /** Lists trees that are gone into as well. Default: yes. */
  readonly trees?: boolean | undefined
  /** Looks the sizes of blobs up. Default: no. */
  readonly sizes?: boolean | undefined
}

/** What {@link Repository.objects} takes. */
export interface ObjectsOptions extends ReadOptions {
  /** In the order they are stored, which is faster than sorted by id. */
  readonly unordered?: boolean | undefined
  /** What is wanted of each object. Default `content`. */
  readonly fields?: 'info' | 'content' | 'both' | undefined
}

const CONTENT = 1
const STORAGE = 2
const FIELDS = { info: STORAGE, content: CONTENT, both: CONTENT | STORAGE } as const

const DEFAULT_BATCH = 16 << 20
const OBJECTS_PAGE = 1 << 20
const WALK_PAGE = 64 << 10

const encoder = new TextEncoder()

/**
 * A repository that was opened.
 *
 * A `spec` is what git calls a revision: an object id, whole or shortened, a
 * refname, `HEAD`, `v1.0^{tree}`, `main~3`, `HEAD:src/index.ts`. Methods whose
 * name ends with `Sync` make no promise; they need a synchronous source.
 */
export class Repository {
  /** The refs. */
  readonly refs: Refs
  readonly #session: Session

  /** @internal */
  constructor(session: Session) {
    this.#session = session
    this.refs = new Refs(session)
  }

  /**
   * Reads an object: what it is and its content, in one buffer.
   *
   * ```ts
   * const readme = await repo.read('HEAD:README.md')
   * console.log(readme.type, readme.size, new TextDecoder().decode(readme.data))
   * ```
   *
   * @throws `NOT_FOUND`, `AMBIGUOUS`, `CORRUPT`, `LIMIT`
   */
  async read(spec: string, options: ReadOptions = {}): Promise<GitObject> {
    return this.#read(spec, options)
  }

  /** As {@link Repository.read}, without a promise. */
  readSync(spec: string, options: ReadOptions = {}): GitObject {
    return atOnce(this.#read(spec, options))
  }

  /** As {@link Repository.read}, but `null` if there is no such object. */
  async find(spec: string, options: ReadOptions = {}): Promise<GitObject | null> {
    try {
      return await this.#read(spec, options)
    } catch (error) {
      return nullIfNotFound(error)
    }
  }

  /** As {@link Repository.find}, without a promise. */
  findSync(spec: string, options: ReadOptions = {}): GitObject | null {
    try {
      return atOnce(this.#read(spec, options))
    } catch (error) {
      return nullIfNotFound(error)
    }
  }

  /**
   * Tells what is known of an object without inflating its content.
   *
   * @throws `NOT_FOUND`, `AMBIGUOUS`, `CORRUPT`
   */
  async info(spec: string, options: ReadOptions = {}): Promise<ObjectInfo> {
    return this.#info(spec, options)
  }

  /** As {@link Repository.info}, without a promise. */
  infoSync(spec: string, options: ReadOptions = {}): ObjectInfo {
    return atOnce(this.#info(spec, options))
  }

  /**
   * Returns the id of the object that a revision stands for. A whole id stands
   * for itself, also if there is no such object.
   *
   * @throws `NOT_FOUND`, `AMBIGUOUS`, `UNSUPPORTED` for `@{…}`, `:/text`, `:path`
   */
  async resolve(spec: string, options: ReadOptions = {}): Promise<string> {
    return this.#resolve(spec, options)
  }

  /** As {@link Repository.resolve}, without a promise. */
  resolveSync(spec: string, options: ReadOptions = {}): string {
    return atOnce(this.#resolve(spec, options))
  }

  /**
   * Reads many objects into one buffer. What is missing, ambiguous or damaged
   * gets a row that says so; a full buffer tells where to go on:
   *
   * ```ts
   * for (let start; start !== null; ) {
   *   const batch = await repo.readMany(specs, { start })
   *   for (const row of batch) if (row.type === 'blob') use(row.data)
   *   start = batch.next
   * }
   * ```
   *
   * @throws `BAD_INPUT` if the buffer is below {@link minBatchSize} bytes
   */
  async readMany(specs: Iterable<string>, options: BatchOptions = {}): Promise<Batch> {
    return this.#readMany(specs, options)
  }

  /** As {@link Repository.readMany}, without a promise. */
  readManySync(specs: Iterable<string>, options: BatchOptions = {}): Batch {
    return atOnce(this.#readMany(specs, options))
  }

  /** Lists all objects of the repository, each once. */
  async *objects(options: ObjectsOptions = {}): AsyncGenerator<BatchRow, undefined> {
    const start = () => this.#startObjects(options)
    const take = (bytes: Uint8Array<ArrayBuffer>) => bytes.slice()
    for await (const page of pages(start, OBJECTS_PAGE, take, options)) yield* this.#rows(page)
  }

  /** As {@link Repository.objects}, without promises. */
  *objectsSync(options: ObjectsOptions = {}): Generator<BatchRow, undefined> {
    const start = () => this.#startObjects(options)
    const take = (bytes: Uint8Array<ArrayBuffer>) => bytes.slice()
    for (const page of pagesSync(start, OBJECTS_PAGE, take, options)) yield* this.#rows(page)
  }

  /**
   * Lists the entries of a tree, in git's order. What leads to a tree, such as
   * a commit, will do.
   *
   * ```ts
   * for await (const entry of repo.walk('HEAD', { recursive: true })) {
   *   console.log(entry.mode.toString(8), entry.oid, entry.path)
   * }
   * ```
   */
  async *walk(spec: string, options: WalkOptions = {}): AsyncGenerator<WalkEntry, undefined> {
    const start = () => this.#startWalk(spec, options)
    const take = (bytes: Uint8Array<ArrayBuffer>) => decodeWalk(bytes.slice())
    for await (const page of pages(start, WALK_PAGE, take, options)) yield* page
  }

  /** As {@link Repository.walk}, without promises. */
  *walkSync(spec: string, options: WalkOptions = {}): Generator<WalkEntry, undefined> {
    const start = () => this.#startWalk(spec, options)
    const take = (bytes: Uint8Array<ArrayBuffer>) => decodeWalk(bytes.slice())
    for (const page of pagesSync(start, WALK_PAGE, take, options)) yield* page
  }

  /**
   * Hands the content of an object out a chunk at a time. One that is no delta
   * takes memory that does not depend on its size; others are made whole first,
   * under the ceiling. What does not match its id ends with an error after the
   * last chunk.
   *
   * ```ts
   * await repo.stream('HEAD:video.mp4').pipeTo(file.createWritable())
   * ```
   */
  stream(spec: string, options: StreamOptions = {}): ReadableStream<Uint8Array<ArrayBuffer>> {
    return contentStream(this.#session, spec, options)
  }

  /** Returns the counters. */
  stats(): Stats {
    return this.#session.stats()
  }

  /**
   * Looks at refs anew from the next question on. From a URL they are those of
   * the opening until then; other sources are looked at in every question.
   */
  refresh(): void {
    this.#session.refresh()
  }

  /** Gives everything back. Safe at any time, and twice. */
  close(): void {
    this.#session.close()
  }

  [Symbol.dispose](): void {
    this.close()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.close()
  }

  #read(spec: string, options: ReadOptions): MaybePromise<GitObject> {
    return this.#frame(spec, CONTENT, options, makeObject)
  }

  #info(spec: string, options: ReadOptions): MaybePromise<ObjectInfo> {
    return this.#frame(spec, STORAGE, options, (frame) => {
      const { type, oid, size, deltaDepth, offset } = frame
      const pack = frame.pack === null ? null : (this.#session.pathOf(frame.pack) ?? null)
      const { diskSize = 0, deltaBase = null } = frame
      return { type, oid, size, diskSize, deltaDepth, deltaBase, pack, offset }
    })
  }

  #frame<T>(
    spec: string,
    fields: number,
    options: ReadOptions,
    make: (frame: Frame) => T,
  ): MaybePromise<T> {
    const ask = this.#asking(spec, (glue) => glue.read(this.#session.number, fields))
    return this.#session.ask(ask, () => make(decodeFrame(this.#session.takeOutput())), options)
  }

  #resolve(spec: string, options: ReadOptions): MaybePromise<string> {
    const ask = this.#asking(spec, (glue) => glue.resolve(this.#session.number))
    return this.#session.ask(ask, () => hex(this.#session.viewOutput()), options)
  }

  #readMany(specs: Iterable<string>, options: BatchOptions): MaybePromise<Batch> {
    const { into, order, start = { index: 0, skip: 0 } } = options
    const capacity = into?.byteLength ?? options.size ?? DEFAULT_BATCH
    if (!(capacity >= minBatchSize)) {
      const what = `a batch needs a buffer of at least ${minBatchSize} bytes`
      throw new PacklensError('BAD_INPUT', what, { subject: `${capacity}` })
    }
    const input = encodeSpecs(specs)
    const fields = FIELDS[options.fields ?? 'content']
    const session = this.#session
    const ask: Ask = (glue) => {
      session.input(glue, input)
      return glue.batch(session.number, fields, order === 'pack', start.index, start.skip)
    }
    const take = (bytes: Uint8Array<ArrayBuffer>) => {
      if (!into) return bytes.slice()
      const target = into instanceof Uint8Array ? into : new Uint8Array(into)
      target.set(bytes)
      return target.subarray(0, bytes.byteLength)
    }
    return then(Task.start(session, ask, options), (task) =>
      then(task.fill(capacity, take, options), (bytes) => {
        const next = task.done ? null : task.place
        task.end()
        return new Batch(bytes, next, session.oidLength, (file) => session.pathOf(file))
      }),
    )
  }

  #startObjects(options: ObjectsOptions): MaybePromise<Task> {
    const fields = FIELDS[options.fields ?? 'content']
    const ask: Ask = (glue) =>
      glue.objects(this.#session.number, fields, options.unordered === true)
    return Task.start(this.#session, ask, options)
  }

  #startWalk(spec: string, options: WalkOptions): MaybePromise<Task> {
    const recursive = options.recursive ? 1 : 0
    const leaves = options.trees === false ? 2 : 0
    const sizes = options.sizes ? 4 : 0
    const bits = recursive | leaves | sizes
    const ask = this.#asking(spec, (glue) => glue.walk(this.#session.number, bits))
    return Task.start(this.#session, ask, options)
  }

  #rows(page: Uint8Array<ArrayBuffer>): Iterable<BatchRow> {
    return decodeRows(page, this.#session.oidLength, (file) => this.#session.pathOf(file))
  }

  #asking(spec: string, ask: (glue: Core) => number): Ask {
    const input = encoder.encode(spec)
    return (glue) => {
      this.#session.input(glue, input)
      return ask(glue)
    }
  }
}

function nullIfNotFound(error: unknown): null {
  if (error instanceof PacklensError && error.code === 'NOT_FOUND') return null
  throw error
}

/** Writes each spec behind its length in 4 bytes. */
function encodeSpecs(specs: Iterable<string>): Uint8Array {
  const parts = Array.from(specs, (spec) => encoder.encode(spec))
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.byteLength + 4, 0))
  const view = new DataView(all.buffer)
  let at = 0
  for (const part of parts) {
    view.setUint32(at, part.byteLength, true)
    all.set(part, at + 4)
    at += part.byteLength + 4
  }
  return all
}
