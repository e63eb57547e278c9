/** Work units of a long answer, made by a session of this thread. */

import { hex } from '../base/hex.js'
import type { MaybePromise } from '../base/maybe.js'
import { whenReady } from '../base/maybe.js'
import type { LongQuestion } from '../base/protocol.js'
import { questionCall } from '../session/question.js'
import type { AskOptions, SessionHost } from '../session/session.js'
import { Task } from '../session/task.js'
import type { PathOf, SharedPages, WorkUnits } from './engine.js'

type Bytes = Uint8Array<ArrayBuffer>

export class LocalWorkUnits implements SharedPages {
  readonly #host: SessionHost
  readonly #request: LongQuestion
  readonly #claims: (number | null)[] = []
  #task: Task | undefined
  /** Whether a work unit is being made; at first, whether the preparation is. */
  #making = true
  #ended = false

  constructor(host: SessionHost, request: LongQuestion) {
    this.#host = host
    this.#request = request
  }

  get unfinished(): number {
    return this.#claims.length + (this.#making ? 1 : 0)
  }

  get unmade(): number {
    return this.unfinished
  }

  readonly pathOf: PathOf = (file) => this.#task?.session.pathOf(file)

  workUnits(options: AskOptions): MaybePromise<WorkUnits> {
    return whenReady(this.#begun(options), (task) => {
      const { session } = task
      return session.ask(
        (glue) => glue.work_units(session.number, task.number),
        () => {
          const output = session.viewOutput()
          const count = new DataView(output.buffer, output.byteOffset).getUint32(0, true)
          return { count, fingerprint: hex(output.subarray(4)) }
        },
        options,
      )
    })
  }

  claim(workUnit: number | null): void {
    this.#claims.push(workUnit)
  }

  addRecords(records: Bytes): void {
    this.#task?.addRecords(records)
  }

  next(capacity: number, options: AskOptions): MaybePromise<Bytes> {
    return this.fill(capacity, (bytes) => bytes.slice(), options)
  }

  lend(capacity: number, options: AskOptions): MaybePromise<Bytes> {
    return this.fill(capacity, (bytes) => bytes, options)
  }

  giveBack(): void {}

  /** As `next`, but passes a view of the instance's memory to `take`, and returns its result. */
  fill<T>(capacity: number, take: (bytes: Bytes) => T, options: AskOptions): MaybePromise<T> {
    return whenReady(this.#begun(options), (task) => {
      if (!this.#making) {
        const claim = this.#claims.shift()
        if (claim === undefined) return take(new Uint8Array(0))
        task.claim(claim)
        this.#making = true
      }
      const taken = (bytes: Bytes) => {
        this.#making = !task.done
        return take(bytes)
      }
      return task.fill(capacity, taken, options)
    })
  }

  end(): void {
    if (!this.#ended) this.#task?.end()
    this.#ended = true
  }

  #begun(options: AskOptions): MaybePromise<Task> {
    if (this.#task) return this.#task
    const ask = questionCall(this.#request)
    const begun = this.#host.asked((session) => Task.start(session, ask, options), options)
    return whenReady(begun, (task) => {
      this.#task = task
      if (this.#ended) task.end()
      return task
    })
  }
}
