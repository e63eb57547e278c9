/** A long answer that the core returns a buffer at a time. */

import { PacklensError } from '../base/errors.js'
import type { MaybePromise } from '../base/maybe.js'
import { whenReady } from '../base/maybe.js'
import { Status } from '../base/protocol.js'
import type { BatchPlace } from '../base/types.js'
import type { Ask, QuestionOptions, Session } from './session.js'

export class Task {
  readonly #session: Session
  readonly #number: number
  readonly #epoch: number
  #done = false
  #ended = false

  private constructor(session: Session, number: number) {
    this.#session = session
    this.#number = number
    this.#epoch = session.instance.epoch
    session.taskBegan()
  }

  static start(session: Session, ask: Ask, options: QuestionOptions): MaybePromise<Task> {
    return session.ask(ask, () => Task.started(session), options)
  }

  /** Returns the task whose number is the session's output. */
  static started(session: Session): Task {
    const { buffer, byteOffset } = session.viewOutput()
    return new Task(session, new DataView(buffer, byteOffset).getUint32(0, true))
  }

  /** The session in which it runs. */
  get session(): Session {
    return this.#session
  }

  /** The number of the task in the core. */
  get number(): number {
    return this.#number
  }

  get done(): boolean {
    return this.#done
  }

  /** Continues until about `capacity` bytes are made, and passes a view of them to `take`. */
  fill<T>(
    capacity: number,
    take: (bytes: Uint8Array<ArrayBuffer>) => T,
    options: QuestionOptions,
  ): MaybePromise<T> {
    const number = this.#number
    const session = this.#session
    return session.ask(
      (glue) => {
        this.#check()
        return glue.fill(session.number, number, capacity)
      },
      (status) => {
        this.#done = status === Status.done
        return this.takeMade(take)
      },
      options,
    )
  }

  /** Passes a view of the bytes that were made to `take`, also of those before a failure. */
  takeMade<T>(take: (bytes: Uint8Array<ArrayBuffer>) => T): T {
    const number = this.#number
    const session = this.#session
    const [place, length] = session.instance.call((glue) => [
      glue.task_output(session.number, number),
      glue.task_output_length(session.number, number),
    ])
    // The bytes stay in place until the next fill. `task_taken` precedes the view: it copies
    // delta bases out of them, and if that grows the memory, the view would be detached.
    session.instance.call((glue) => glue.task_taken(session.number, number))
    return take(session.instance.view(place as number, length as number))
  }

  /** Continues with a work unit; `null` for the final pages, after all work units. */
  claim(workUnit: number | null): void {
    this.#check()
    const session = this.#session
    session.instance.call((glue) => glue.claim(session.number, this.#number, workUnit ?? -1))
    this.#done = false
  }

  /** Adds records that another instance made. */
  addRecords(records: Uint8Array<ArrayBuffer>): void {
    this.#check()
    const session = this.#session
    session.instance.call((glue) => {
      session.input(glue, records)
      glue.put(session.number, this.#number)
    })
  }

  /** The position at which the task resumes. */
  get place(): BatchPlace {
    const session = this.#session
    return session.instance.call((glue) => ({
      index: glue.task_index(session.number, this.#number),
      skip: glue.task_skip(session.number, this.#number),
    }))
  }

  /** Frees the task. Can be called at any time, and twice. */
  end(): void {
    if (this.#ended) return
    this.#ended = true
    const session = this.#session
    // The number of a closed session may be that of another one by now.
    if (!(session.closed || this.lost)) {
      session.instance.call((glue) => glue.end_task(session.number, this.#number))
    }
    session.taskEnded()
  }

  /** True if the instance in which the task ran was replaced. */
  get lost(): boolean {
    return this.#epoch !== this.#session.instance.epoch
  }

  #check(): void {
    // The number of an ended task may be that of another one by now.
    if (this.#ended) throw new PacklensError('ABORTED', 'this listing was ended')
    if (!this.lost) return
    throw new PacklensError('INTERNAL', 'this listing was lost when the instance was replaced')
  }
}

/** Returns the answer of a synchronous source. @throws `BAD_INPUT` if it is a promise */
export function expectSync<T>(value: MaybePromise<T>): T {
  let pending = false
  const result = whenReady(value, (ready) => ready)
  if (typeof (result as { then?: unknown } | null)?.then === 'function') pending = true
  if (!pending) return result as T
  ;(result as Promise<T>).catch(() => {})
  const what = 'this source answers with promises: open it with `open` instead of `openSync`'
  throw new PacklensError('BAD_INPUT', what)
}
