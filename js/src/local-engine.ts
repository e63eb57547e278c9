/** Answers from a session of this thread. */
import { memorySize } from './core.js'
import type {
  BatchAnswer,
  BatchRequest,
  Engine,
  InfoAnswer,
  Pages,
  PagesRequest,
  PathOf,
} from './engine.js'
import { CONTENT, STORAGE } from './engine.js'
import { PacklensError } from './errors.js'
import { decodeFrame } from './frame.js'
import { hex } from './hex.js'
import type { MaybePromise } from './maybe.js'
import { isPromise, then } from './maybe.js'
import type { Ask, AskOptions, Session } from './session.js'
import type { Traffic } from './source/store.js'
import { Task } from './task.js'
import type { Stats } from './types.js'

type Bytes = Uint8Array<ArrayBuffer>

const encoder = new TextEncoder()

export class LocalEngine implements Engine {
  readonly #session: Session

  constructor(session: Session) {
    this.#session = session
  }

  get oidLength(): number {
    return this.#session.oidLength
  }

  expectSync(): void {}

  read(spec: string, options: AskOptions): MaybePromise<ArrayBuffer> {
    return this.#session.ask(this.#row(spec, CONTENT), () => this.#session.takeOutput(), options)
  }

  info(spec: string, options: AskOptions): MaybePromise<InfoAnswer> {
    const done = () => {
      const row = this.#session.takeOutput()
      const { pack } = decodeFrame(row)
      return { row, pack: pack === null ? null : (this.#session.pathOf(pack) ?? null) }
    }
    return this.#session.ask(this.#row(spec, STORAGE), done, options)
  }

  resolve(spec: string, options: AskOptions): MaybePromise<string> {
    const input = encoder.encode(spec)
    const ask: Ask = (glue) => {
      this.#session.input(glue, input)
      return glue.resolve(this.#session.number)
    }
    return this.#session.ask(ask, () => hex(this.#session.viewOutput()), options)
  }

  refs(prefix: string, peel: boolean, options: AskOptions): MaybePromise<ArrayBuffer> {
    const input = encoder.encode(prefix)
    const ask: Ask = (glue) => {
      this.#session.input(glue, input)
      return glue.refs(this.#session.number, peel)
    }
    return this.#session.ask(ask, () => this.#session.takeOutput(), options)
  }

  reference(name: string, options: AskOptions): MaybePromise<ArrayBuffer> {
    const input = encoder.encode(name)
    const ask: Ask = (glue) => {
      this.#session.input(glue, input)
      return glue.reference(this.#session.number)
    }
    return this.#session.ask(ask, () => this.#session.takeOutput(), options)
  }

  batch(
    { specs, fields, packOrder, start, capacity }: BatchRequest,
    into: Bytes | undefined,
    options: AskOptions,
  ): MaybePromise<BatchAnswer> {
    const session = this.#session
    const ask: Ask = (glue) => {
      session.input(glue, specs)
      return glue.batch(session.number, fields, packOrder, start.index, start.skip)
    }
    const take = (bytes: Bytes): Bytes => {
      if (!into) return bytes.slice()
      into.set(bytes)
      return into.subarray(0, bytes.byteLength)
    }
    return then(Task.start(session, ask, options), (task) => {
      const taken = (bytes: Bytes): BatchAnswer => {
        const next = task.done ? null : task.place
        return { bytes, next, pathOf: (file) => session.pathOf(file) }
      }
      return ending(task, () => then(task.fill(capacity, take, options), taken))
    })
  }

  pages(request: PagesRequest): LocalPages {
    return new LocalPages(this.#session, beginning(this.#session, request))
  }

  stats(): Stats {
    return this.#session.stats()
  }

  refresh(): void {
    this.#session.refresh()
  }

  /** The counters as the core writes them, and what is known outside of it. */
  counters(): [record: Bytes, instanceMemory: number, traffic: Traffic | undefined] {
    const traffic = this.#session.traffic
    const { requests = 0, receivedBytes = 0 } = traffic ?? {}
    return [this.#session.counters(), memorySize(), traffic && { requests, receivedBytes }]
  }

  close(): void {
    this.#session.close()
  }

  #row(spec: string, fields: number): Ask {
    const input = encoder.encode(spec)
    return (glue) => {
      this.#session.input(glue, input)
      return glue.read(this.#session.number, fields)
    }
  }
}

export class LocalPages implements Pages {
  readonly #session: Session
  readonly #ask: Ask
  #task: Task | undefined
  #ended = false

  constructor(session: Session, ask: Ask) {
    this.#session = session
    this.#ask = ask
  }

  get done(): boolean {
    return this.#task?.done ?? false
  }

  readonly pathOf: PathOf = (file) => this.#session.pathOf(file)

  next(capacity: number, options: AskOptions): MaybePromise<Bytes> {
    return this.fill(capacity, copyOf, options)
  }

  /** As `next`; `take` gets a view of the page in the instance's memory. */
  fill<T>(capacity: number, take: (bytes: Bytes) => T, options: AskOptions): MaybePromise<T> {
    if (this.#task) return this.#task.fill(capacity, take, options)
    return then(Task.start(this.#session, this.#ask, options), (task) => {
      this.#task = task
      if (!this.#ended) return task.fill(capacity, take, options)
      task.end()
      throw new PacklensError('ABORTED', 'the listing was left while it began')
    })
  }

  end(): void {
    if (!this.#ended) this.#task?.end()
    this.#ended = true
  }
}

function copyOf(bytes: Bytes): Bytes {
  return bytes.slice()
}

function beginning(session: Session, request: PagesRequest): Ask {
  if (request.kind === 'objects') {
    const { fields, unordered } = request
    return (glue) => glue.objects(session.number, fields, unordered)
  }
  const input = encoder.encode(request.spec)
  return (glue) => {
    session.input(glue, input)
    if (request.kind === 'walk') return glue.walk(session.number, request.bits)
    return glue.content(session.number, request.start, request.end)
  }
}

/** Ends a task once it is answered, or failed. */
function ending<T>(task: Task, answer: () => MaybePromise<T>): MaybePromise<T> {
  let pending = false
  try {
    const answered = answer()
    pending = isPromise(answered)
    return isPromise(answered) ? answered.finally(() => task.end()) : answered
  } finally {
    if (!pending) task.end()
  }
}
