/**
 * Answers in the form of `cat-file --batch`. The core makes whole answers, each a line and
 * the content after it, which are written unchanged from its memory.
 */

import type { PacklensError } from '../../../base/errors.js'
import { isPacklensError } from '../../../base/errors.js'
import { hex } from '../../../base/hex.js'
import { AnswerFlag, Status } from '../../../base/protocol.js'
import type { Filter } from '../../../objects/filter.js'
import { filterFor, matchesFilter, objectTypes } from '../../../objects/filter.js'
import { questionCall } from '../../../session/question.js'
import type { Session } from '../../../session/session.js'
import { expectSync, Task } from '../../../session/task.js'
import { isDamage } from '../base/damage.js'
import { failed, fatal } from '../base/exit.js'
import { GATHERED } from '../base/output.js'
import type { Sink } from '../base/sink.js'
import type { Opened } from '../opening/command.js'
import { type Mailmapped, mailmapped } from '../pretty/mailmapped.js'
import { fromBytes, toBytes } from '../text/bytes.js'

/** The size of the chunks of a large answer, in bytes. */
const CHUNK = 64 << 10
/**
 * The most bytes of gathered answers for all objects. They are written once a sixteenth of
 * that is made, unless a few more contents can be hashed together.
 */
const ALL_GATHERED = 4 << 20
const COLON = 58
const NOTHING = Buffer.alloc(0)

const DEFAULT_FORMAT = '%(objectname) %(objecttype) %(objectsize)'

export interface AnswerOptions {
  /** The format of the line for an object, one character per byte. */
  readonly format: string | undefined
  /** Ends lines and content with NUL. */
  readonly nulTerminated: boolean
  /** Gathers answers; otherwise each is written to the sink at once. */
  readonly gathered: boolean
  /** The objects to output. Default: all. */
  readonly filter: Filter | undefined
}

export class Answers {
  readonly #opened: Opened
  readonly #sink: Sink
  readonly #session: Session
  readonly #delimiter: number
  readonly #queue: Task | undefined
  readonly #filter: Filter | undefined
  readonly #format: string
  #mapped: Mailmapped | undefined
  /** Whether persons are replaced as the mailmap says. */
  usesMailmap = false
  /** Whether requests are split into a name and a rest, which the format then shows. */
  readonly usesRest: boolean

  /** @throws Exit if the format is invalid */
  constructor(opened: Opened, sink: Sink, options: AnswerOptions) {
    const { format, nulTerminated, gathered, filter } = options
    this.#opened = opened
    this.#sink = sink
    this.#session = opened.reader.session
    this.#delimiter = nulTerminated ? 0 : 10
    this.#filter = filter
    this.#format = format ?? DEFAULT_FORMAT
    this.usesRest = this.#setFormat(this.#format)
    const session = this.#session
    if (gathered) {
      this.#queue = expectSync(Task.start(session, questionCall({ kind: 'batchQueue' }), {}))
    }
  }

  /** Answers a request for the object that `name` stands for. */
  answer(name: Buffer, rest: Buffer, contents: boolean): void {
    try {
      if (this.usesMailmap && this.#answerMapped(name, rest, contents)) this.flush()
      else if (name[0] === COLON || name.includes(':.')) this.#answerPath(name, rest, contents)
      else this.#ask(name, rest, contents)
    } catch (error) {
      this.#failed(error, name, rest, contents)
    }
    this.#sink.endAnswer()
  }

  /** Answers for all objects, in the order of their ids or, if `unordered`, of storage. */
  answerAll(contents: boolean, unordered: boolean): void {
    const session = this.#session
    const delimiter = this.#delimiter
    const question = { kind: 'batchAll', contents, delimiter, storedOrder: unordered } as const
    const task = expectSync(Task.start(session, questionCall(question), {}))
    while (!task.done) {
      try {
        const made = expectSync(
          task.fill(this.#queue ? ALL_GATHERED : 1, (bytes) => this.#write(bytes), {}),
        )
        // A fill ends after an answer, or within a large one.
        if (made > 0 && task.place.skip === 0) this.#sink.endAnswer()
      } catch (error) {
        if (!isPacklensError(error)) throw error
        if (task.place.skip > 0) throw this.#brokeOff(task, error)
        if (!isDamage(error)) throw error
        const oid = session.ask(
          (glue) => glue.skip_object(session.number, task.number),
          () => hex(session.viewOutput()),
        )
        this.#failed(error, Buffer.from(expectSync(oid)), NOTHING, contents)
        this.#sink.endAnswer()
      }
    }
  }

  /** Writes the gathered answers. */
  flush(): void {
    if (this.#queue) expectSync(this.#queue.fill(0, (bytes) => this.#write(bytes), {}))
    this.#sink.flush()
  }

  #setFormat(format: string): boolean {
    const session = this.#session
    try {
      const filter = this.#filter ?? filterFor(objectTypes)
      const question = { kind: 'batchFormat', format: toBytes(format), ...filter } as const
      return expectSync(session.ask(questionCall(question), () => session.viewOutput()[0] === 1))
    } catch (error) {
      if (!isPacklensError(error, 'BAD_INPUT')) throw error
      const about = error.subject ?? ''
      if (error.message.startsWith('unknown')) throw fatal(`unknown format element: ${about}`)
      throw fatal(`format element '${about}' does not end in ')'`)
    }
  }

  #ask(name: Buffer, rest: Buffer, contents: boolean): void {
    const session = this.#session
    const input = rest.length > 0 ? Buffer.concat([name, rest]) : name
    const bits = (contents ? AnswerFlag.contents : 0) | (this.#queue ? AnswerFlag.queued : 0)
    const asked = session.ask(
      (glue) => {
        session.input(glue, input)
        const queue = this.#queue?.number ?? 0
        return glue.answer(session.number, name.length, bits, this.#delimiter, queue)
      },
      (status) => {
        if (status === Status.more) return Task.started(session)
        if (!this.#queue) this.#write(session.viewOutput())
        return undefined
      },
    )
    const large = expectSync(asked)
    if (large) this.#answerLarge(large)
    if (this.#queue && this.#queued(this.#queue) >= GATHERED) this.flush()
  }

  /** Writes the chunks of an answer as they are made. */
  #answerLarge(task: Task): void {
    this.flush()
    try {
      while (!task.done) expectSync(task.fill(CHUNK, (bytes) => this.#write(bytes), {}))
    } catch (error) {
      throw isPacklensError(error) ? this.#brokeOff(task, error) : error
    } finally {
      task.end()
    }
  }

  /** Ends the command after an answer failed whose beginning is already written. */
  #brokeOff(task: Task, error: PacklensError): Error {
    task.takeMade((bytes) => this.#write(bytes))
    return failed(error)
  }

  #queued(queue: Task): number {
    return this.#session.instance.call((glue) =>
      glue.task_output_length(this.#session.number, queue.number),
    )
  }

  /** Answers a request for a path; resolves relative ones, whose folder the core lacks. */
  #answerPath(name: Buffer, rest: Buffer, contents: boolean): void {
    const { names, reader } = this.#opened
    const text = fromBytes(name)
    const isRelative = names.isRelative(text)
    const oid = isRelative ? this.#find(text) : null
    const info = oid !== null && reader.info(oid)
    if (!isRelative) this.#ask(name, rest, contents)
    else if (!info) this.#say(name, 'missing')
    else if (this.#filter && !matchesFilter(this.#filter, info)) this.#say(name, 'excluded')
    else this.#ask(Buffer.from(oid), rest, contents)
  }

  /** Answers for an object that names persons; the core, which knows no mailmap, makes the line. */
  #answerMapped(name: Buffer, rest: Buffer, contents: boolean): boolean {
    const oid = this.#find(fromBytes(name))
    this.#mapped ??= mailmapped(this.#opened)
    const content = oid === null ? null : this.#mapped(oid)
    const info = content && oid !== null && this.#opened.reader.info(oid)
    if (!content || !info || (this.#filter && !matchesFilter(this.#filter, info))) return false
    this.#setFormat(this.#format.replaceAll('%(objectsize)', `${content.length}`))
    try {
      this.#ask(name, rest, false)
    } finally {
      this.#setFormat(this.#format)
    }
    if (contents) {
      this.flush()
      this.#write(content)
      this.#write(Buffer.of(this.#delimiter))
    }
    return true
  }

  #find(name: string): string | null {
    try {
      return this.#opened.names.resolve(name)
    } catch (error) {
      if (isPacklensError(error, 'NOT_FOUND', 'WRONG_TYPE')) return null
      throw error
    }
  }

  /**
   * Handles a damaged object as git does. If its content is requested and its type and size
   * can be read, writes their line and ends the command; otherwise it counts as missing.
   */
  #failed(error: unknown, name: Buffer, rest: Buffer, contents: boolean): void {
    if (!isPacklensError(error)) throw error
    if (!isDamage(error)) throw this.#end(error)
    if (contents && this.#isKnown(name, rest)) throw this.#end(error)
    this.#opened.io.writeError(`error: ${error.message}\n`)
    this.#say(name, 'missing')
  }

  #isKnown(name: Buffer, rest: Buffer): boolean {
    try {
      this.#ask(name, rest, false)
      return true
    } catch (error) {
      if (isDamage(error)) return false
      throw error
    }
  }

  #end(error: PacklensError): Error {
    this.flush()
    return failed(error)
  }

  #say(name: Buffer, word: 'missing' | 'excluded'): void {
    this.flush()
    this.#write(Buffer.concat([name, Buffer.from(` ${word}`), Buffer.of(this.#delimiter)]))
  }

  #write(bytes: Uint8Array): number {
    this.#sink.write(bytes)
    return bytes.byteLength
  }
}
