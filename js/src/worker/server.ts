/** Runs in the worker, and answers the page's questions with an engine of this thread. */

import { PacklensError } from '../base/errors.js'
import type { MaybePromise } from '../base/maybe.js'
import { whenReady } from '../base/maybe.js'
import type { PathOf } from '../engine/engine.js'
import type { LocalEngine } from '../engine/local-engine.js'
import type { LocalPages } from '../engine/local-pages.js'
import { sharingOf } from '../engine/local-sharing.js'
import { decodeErrors } from '../objects/frame.js'
import type { OpenOptions } from '../opening/open.js'
import { openEngine } from '../opening/open.js'
import { addFullQuestions } from '../session/full-questions.js'
import { fullInstance, giveModules, loadReader } from '../session/modules.js'
import { compiledModules, whenCompiled } from '../session/wasm-module.js'
import type { FileStore } from '../source/store.js'
import { Failures } from './failures.js'
import { PageWriter } from './frames.js'
import type { Outgoing, Port } from './link.js'
import { Link } from './link.js'
import type {
  Counters,
  PageNotice,
  PageQuestion,
  Paths,
  WireBatch,
  WirePage,
  WorkerNotice,
} from './messages.js'
import { remoteStore } from './remote-store.js'
import { deserializeSource } from './source-serialization.js'
import { WorkUnitServer } from './work-unit-server.js'

/** The functions that differ between platforms. */
export interface Platform {
  /** Says where the modules are that the package has beside the script. */
  offerBeside(): void
  storeFor(source: unknown, options: OpenOptions): MaybePromise<FileStore>
}

type Opening = PageQuestion & { readonly kind: 'open' }
type Asked = Exclude<PageQuestion, Opening>
type Next = PageQuestion & { readonly kind: 'next' }
type Bytes = Uint8Array<ArrayBuffer>

interface Listing {
  readonly pages: LocalPages
  readonly writer: PageWriter
  /** Whether its pages hold rows, which may name files. */
  readonly hasRows: boolean
}

/** Answers through a port; returns the function that handles its messages. */
export function serve(port: Port, platform: Platform): (message: unknown) => void {
  addFullQuestions()
  const server = new Server(port, platform)
  return (message) => server.link.receive(message)
}

/** The full module exports functions by number, for its rest; neither that nor the reader does. */
const isFull = (module: WebAssembly.Module) =>
  WebAssembly.Module.exports(module).some(({ name }) => name === '0')

class Server {
  readonly link: Link
  readonly #platform: Platform
  readonly #failures = new Failures()
  readonly #listings = new Map<number, Listing>()
  readonly #workUnits = new WorkUnitServer({
    encodeError: (error) => this.#failures.encode(error),
    pathsIn: (rows, { pathOf }) => this.#pathsIn(rows, pathOf),
  })
  #engine: LocalEngine | undefined

  constructor(port: Port, platform: Platform) {
    this.#platform = platform
    this.link = new Link(port, {
      answer: (question, signal) => this.#answer(question as PageQuestion, signal),
      notified: (notice) => this.#notified(notice as PageNotice),
      encodeError: (error) => this.#failures.encode(error),
      decodeError: (wire) => this.#failures.decode(wire),
      enclose: () => this.#counters(),
    })
  }

  #answer(question: PageQuestion, signal: AbortSignal): MaybePromise<Outgoing> {
    if (question.kind === 'open') return this.#open(question, signal)
    if (this.#engine) return this.#ask(this.#engine, question, signal)
    throw new PacklensError('INTERNAL', 'the worker has no repository open')
  }

  #notified(notice: PageNotice): void {
    if (notice.kind === 'end') this.#end(notice.number)
    else if (notice.kind === 'addRecords') this.#workUnits.addRecords(notice.number, notice.bytes)
    else if (notice.kind === 'refresh') this.#engine?.refresh()
  }

  async #open(opening: Opening, signal: AbortSignal): Promise<Outgoing> {
    const { source, options, modules, compiled } = opening
    const report = (done: number, total: number) => {
      const notice: WorkerNotice = { kind: 'progress', done, total }
      this.link.notify(notice)
    }
    for (const [url, module] of compiled) compiledModules.set(url, module)
    whenCompiled((url, module) => {
      const notice: WorkerNotice = { kind: 'compiled', url, module }
      this.link.notify(notice)
    })
    if (modules) await giveModules(modules)
    this.#platform.offerBeside()
    // If the full module is compiled already, the reader saves nothing, and files would be read twice.
    if ([...compiled.values()].some(isFull)) await Promise.resolve(fullInstance()).catch(() => {})
    await loadReader()
    const open = () => (source ? this.#storeOf(source.value) : remoteStore(this.link))
    this.#engine = await openEngine(open, options, { signal }, report)
    return { value: this.#engine.oidLength }
  }

  #storeOf(serialized: unknown): MaybePromise<FileStore> {
    const [source, options] = deserializeSource(serialized) as [unknown, OpenOptions]
    return this.#platform.storeFor(source, options)
  }

  #ask(engine: LocalEngine, question: Asked, signal: AbortSignal): MaybePromise<Outgoing> {
    const options = { signal }
    switch (question.kind) {
      case 'read':
        return whenReady(engine.read(question.spec, question.type, options), moved)
      case 'info':
        return whenReady(engine.info(question.spec, options), unchanged)
      case 'resolve':
        return whenReady(engine.resolve(question.spec, options), unchanged)
      case 'reference':
        return whenReady(engine.reference(question.name, question.short, options), moved)
      case 'batch':
        return whenReady(engine.batch(question.request, undefined, options), (answer) => {
          const { bytes, next, pathOf } = answer
          const value: WireBatch = { bytes, next, paths: this.#pathsIn(bytes, pathOf) }
          return { value, transfer: [bytes.buffer] }
        })
      case 'next':
        return this.#next(engine, question, signal)
      case 'addSharedCommits':
        return whenReady(sharingOf(engine).addSharedCommits(question.rows), unchanged)
      case 'workUnits':
        return this.#workUnits.workUnits(engine, question, signal).then(unchanged)
      case 'workUnitPage':
        return this.#workUnits.nextPage(question, signal).then(withFrames)
    }
  }

  /** Answers with the next page of a listing, or its error, in frames. */
  async #next(
    engine: LocalEngine,
    { number, request, capacity }: Next,
    signal: AbortSignal,
  ): Promise<Outgoing> {
    if (request) {
      const hasRows = request.kind === 'objects'
      const writer = new PageWriter()
      this.#listings.set(number, { pages: engine.pages(request), writer, hasRows })
    }
    const listing = this.#listings.get(number)
    if (!listing) throw new PacklensError('INTERNAL', 'the worker has no such listing')
    const { pages, writer, hasRows } = listing
    let paths: Paths = []
    const write = (bytes: Bytes) => {
      writer.page(bytes)
      if (hasRows) paths = this.#pathsIn(bytes, pages.pathOf)
    }
    try {
      await pages.fill(capacity, write, { signal })
      if (pages.done) {
        writer.end()
        this.#end(number)
      }
    } catch (error) {
      writer.fail(this.#failures.encode(error))
    }
    return withFrames({ frames: writer.take(), paths })
  }

  #end(number: number): void {
    this.#workUnits.end(number)
    this.#listings.get(number)?.pages.end()
    this.#listings.delete(number)
  }

  /** Returns the paths of the files that rows name, which only rows of errors do. */
  #pathsIn(rows: Bytes, pathOf: PathOf): Paths {
    const paths = new Map<number, string>()
    const note: PathOf = (file) => {
      const path = pathOf(file)
      if (path !== undefined) paths.set(file, path)
      return path
    }
    // Decoding an error looks up the path of each file that it names.
    decodeErrors(rows, note)
    return [...paths]
  }

  #counters(): Counters | undefined {
    try {
      return this.#engine?.counters()
    } catch {
      return undefined
    }
  }
}

function moved(buffer: ArrayBuffer): Outgoing {
  return { value: buffer, transfer: [buffer] }
}

function withFrames(value: WirePage): Outgoing {
  return { value, transfer: value.frames.map(({ buffer }) => buffer) }
}

function unchanged(value: unknown): Outgoing {
  return { value }
}
