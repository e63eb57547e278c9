import type { MaybePromise } from './maybe.js'
import { decodeRefs } from './records.js'
import type { Ask, AskOptions, Session } from './session.js'
import { atOnce } from './task.js'
import type { Ref } from './types.js'

/** What {@link Refs.list} takes. */
export interface ListRefsOptions extends AskOptions {
  /** Only refs whose full name begins so. Default: all under `refs/`. */
  readonly prefix?: string | undefined
  /** Says what tags lead to, which may take a read each. Default: no. */
  readonly peel?: boolean | undefined
}

/** The refs of a repository. */
export class Refs {
  readonly #session: Session

  /** @internal */
  constructor(session: Session) {
    this.#session = session
  }

  /** Lists refs in git's order, by the bytes of their names. */
  async *list(options: ListRefsOptions = {}): AsyncGenerator<Ref, undefined> {
    yield* await this.#list(options)
  }

  /** As {@link Refs.list}, without promises. */
  listSync(options: ListRefsOptions = {}): Ref[] {
    return atOnce(this.#list(options))
  }

  /** Returns the ref of this full name, such as `HEAD`; `null` if there is none. */
  async get(name: string, options: AskOptions = {}): Promise<Ref | null> {
    return this.#get(name, options)
  }

  /** As {@link Refs.get}, without a promise. */
  getSync(name: string, options: AskOptions = {}): Ref | null {
    return atOnce(this.#get(name, options))
  }

  #list(options: ListRefsOptions): MaybePromise<Ref[]> {
    const { prefix = '', peel = false } = options
    const ask: Ask = (glue) => {
      this.#session.input(glue, new TextEncoder().encode(prefix))
      return glue.refs(this.#session.number, peel)
    }
    const done = () => decodeRefs(new Uint8Array(this.#session.takeOutput()))
    return this.#session.ask(ask, done, options)
  }

  #get(name: string, options: AskOptions): MaybePromise<Ref | null> {
    const ask: Ask = (glue) => {
      this.#session.input(glue, new TextEncoder().encode(name))
      return glue.reference(this.#session.number)
    }
    const done = () => decodeRefs(new Uint8Array(this.#session.takeOutput()))[0] ?? null
    return this.#session.ask(ask, done, options)
  }
}
