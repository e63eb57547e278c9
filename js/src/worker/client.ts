/**
 * The page's end of a repository that a worker reads. Each repository has its own worker:
 * closing it frees its memory, and its failures affect no other repository.
 */

import type { MaybePromise } from '../base/maybe.js'
import { isPromise } from '../base/maybe.js'
import type { LongQuestion } from '../base/protocol.js'
import type { ObjectType, Stats } from '../base/types.js'
import { checkAborted, Waiting } from '../base/waiting.js'
import type {
  BatchAnswer,
  BatchRequest,
  Engine,
  InfoAnswer,
  Pages,
  PathOf,
  SharedPages,
  Sharing,
} from '../engine/engine.js'
import type { OpenOptions } from '../opening/open.js'
import type { SessionOptions } from '../session/core-session.js'
import type { GivenModules } from '../session/modules.js'
import type { AskOptions } from '../session/session.js'
import { closedError } from '../session/session.js'
import { compiledModules } from '../session/wasm-module.js'
import type { FileStore } from '../source/store.js'
import type { Report, Spawn } from './connection.js'
import { Connection } from './connection.js'
import type { PageQuestion, Paths, WireBatch } from './messages.js'
import { RemotePages } from './remote-pages.js'
import { RemoteWorkUnits } from './remote-work-units.js'
import type { SerializedSource } from './source-serialization.js'
import { serializeSource } from './source-serialization.js'
import { StoreHost } from './store-host.js'

type Bytes = Uint8Array<ArrayBuffer>

/** A source to open, and how to open it. */
export interface Opening {
  /** The source and its options, which cross to the worker together or not at all. */
  readonly source: readonly [source: unknown, options: OpenOptions]
  /** Creates the store of a source that cannot cross. */
  readonly store: () => MaybePromise<FileStore>
  readonly options: SessionOptions
  readonly modules: GivenModules | undefined
  readonly spawn: Spawn
}

export class WorkerEngine implements Engine, Sharing {
  readonly #opening: Opening
  /** Serves a source that stays in this thread; `undefined` if the source crosses. */
  readonly #host: StoreHost | undefined
  readonly #waiting = new Waiting()
  #connection: Connection | undefined
  /** Set while the worker opens the repository; stays set, rejected, if it fails. */
  #connecting: Promise<Connection> | undefined
  /** The last counters of a worker that died, until the next worker sends some. */
  #lastStats: Stats | undefined
  #oidLength = 0
  #closed = false
  #listings = 0

  private constructor(opening: Opening, host: StoreHost | undefined) {
    this.#opening = opening
    this.#host = host
  }

  /** Starts a worker and opens the repository there. */
  static async open(
    opening: Opening,
    { signal }: AskOptions,
    report: Report,
  ): Promise<WorkerEngine> {
    checkAborted(signal)
    const source = serializeSource(opening.source)
    const host = source ? undefined : new StoreHost(await opening.store())
    const engine = new WorkerEngine(opening, host)
    try {
      await engine.#waiting.until(engine.#connect(source, report), signal)
      return engine
    } catch (error) {
      engine.close()
      throw error
    }
  }

  get oidLength(): number {
    if (this.#closed) throw closedError()
    return this.#oidLength
  }

  get inThread(): boolean {
    return false
  }

  read(spec: string, type: ObjectType | undefined, { signal }: AskOptions): Promise<ArrayBuffer> {
    return this.#ask({ kind: 'read', spec: `${spec}`, type }, unchanged<ArrayBuffer>, signal)
  }

  info(spec: string, { signal }: AskOptions): Promise<InfoAnswer> {
    return this.#ask({ kind: 'info', spec: `${spec}` }, unchanged<InfoAnswer>, signal)
  }

  resolve(spec: string, { signal }: AskOptions): Promise<string> {
    return this.#ask({ kind: 'resolve', spec: `${spec}` }, unchanged<string>, signal)
  }

  reference(name: string, short: boolean, { signal }: AskOptions): Promise<ArrayBuffer> {
    return this.#ask({ kind: 'reference', name, short }, unchanged<ArrayBuffer>, signal)
  }

  /**
   * Reads a batch. The caller's `into` is filled in this thread, because transferring it
   * would detach it until the answer arrives.
   */
  batch(
    request: BatchRequest,
    into: Bytes | undefined,
    { signal }: AskOptions,
  ): Promise<BatchAnswer> {
    const { index, skip } = request.start
    const question: PageQuestion = {
      kind: 'batch',
      request: { ...request, start: { index, skip } },
    }
    const take = ({ bytes, next, paths }: WireBatch): BatchAnswer => {
      const pathOf = lookUp(paths)
      if (!into) return { bytes, next, pathOf }
      into.set(bytes)
      return { bytes: into.subarray(0, bytes.byteLength), next, pathOf }
    }
    return this.#ask(question, take, signal)
  }

  pages(request: LongQuestion): Pages {
    const connected = (signal: AbortSignal | undefined) => this.#connected(signal)
    return new RemotePages(connected, ++this.#listings, request)
  }

  shared(request: LongQuestion): SharedPages {
    const connected = async (signal: AbortSignal | undefined) => this.#connected(signal)
    return new RemoteWorkUnits(connected, ++this.#listings, request)
  }

  addSharedCommits(rows: Bytes): Promise<boolean> {
    return this.#ask({ kind: 'addSharedCommits', rows }, unchanged<boolean>, undefined)
  }

  stats(): Stats {
    const stats = this.#connection?.stats ?? this.#lastStats
    if (this.#closed || !stats) throw closedError()
    return stats
  }

  refresh(): void {
    if (this.#closed) throw closedError()
    if (this.#host) this.#host.refresh()
    const notify = (connection: Connection | undefined) => connection?.notify({ kind: 'refresh' })
    // Reaches the worker before the questions that wait for it to open the repository.
    if (this.#connecting) this.#connecting.then(notify, () => {})
    else notify(this.#connection)
  }

  close(): void {
    if (this.#closed) return
    this.#closed = true
    const error = closedError()
    this.#connection?.end(error)
    this.#waiting.endAll(error)
    this.#host?.close()
  }

  async #ask<T>(
    question: PageQuestion,
    take: (answer: never) => T,
    signal: AbortSignal | undefined,
  ): Promise<T> {
    const connected = this.#connected(signal)
    const connection = isPromise(connected) ? await connected : connected
    return connection.ask(question, take, signal)
  }

  /** Returns the connection to the worker; starts another worker if the last one died. */
  #connected(signal: AbortSignal | undefined): MaybePromise<Connection> {
    checkAborted(signal)
    if (this.#closed) throw closedError()
    const connection = this.#connection
    if (connection && !connection.ended && !this.#connecting) return connection
    if (!connection || connection.ended) this.#connecting = undefined
    const connecting = this.#connecting ?? this.#connect(serializeSource(this.#opening.source))
    return this.#waiting.until(connecting, signal)
  }

  #connect(source: SerializedSource | null, report?: Report): Promise<Connection> {
    const { spawn, options, modules } = this.#opening
    this.#lastStats = this.#connection?.stats ?? this.#lastStats
    const connection = new Connection(spawn, this.#host, report)
    const open = async () => {
      try {
        const value = source && { value: source.value }
        const question: PageQuestion = {
          kind: 'open',
          source: value,
          options,
          modules,
          compiled: compiledModules,
        }
        this.#oidLength = await connection.ask(
          question,
          unchanged<number>,
          undefined,
          source?.transfer,
        )
        this.#connecting = undefined
        return connection
      } catch (error) {
        connection.end(error)
        throw error
      }
    }
    this.#connection = connection
    this.#connecting = open()
    return this.#connecting
  }
}

function lookUp(paths: Paths): PathOf {
  const all = new Map(paths)
  return (file) => all.get(file)
}

function unchanged<T>(answer: T): T {
  return answer
}
