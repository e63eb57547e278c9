import type { Engine } from './engine.js'
import type { MaybePromise } from './maybe.js'
import { then } from './maybe.js'
import { decodeRefs } from './records.js'
import type { AskOptions } from './session.js'
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
  readonly #engine: Engine

  /** @internal */
  constructor(engine: Engine) {
    this.#engine = engine
  }

  /** Lists refs in git's order, by the bytes of their names. */
  async *list(options: ListRefsOptions = {}): AsyncGenerator<Ref, undefined> {
    yield* await this.#list(options)
  }

  /** As {@link Refs.list}, without promises. */
  listSync(options: ListRefsOptions = {}): Ref[] {
    this.#engine.expectSync()
    return atOnce(this.#list(options))
  }

  /** Returns the ref of this full name, such as `HEAD`; `null` if there is none. */
  async get(name: string, options: AskOptions = {}): Promise<Ref | null> {
    return this.#get(name, options)
  }

  /** As {@link Refs.get}, without a promise. */
  getSync(name: string, options: AskOptions = {}): Ref | null {
    this.#engine.expectSync()
    return atOnce(this.#get(name, options))
  }

  #list(options: ListRefsOptions): MaybePromise<Ref[]> {
    const { prefix = '', peel = false } = options
    return then(this.#engine.refs(prefix, peel, options), refsIn)
  }

  #get(name: string, options: AskOptions): MaybePromise<Ref | null> {
    return then(this.#engine.reference(name, options), (records) => refsIn(records)[0] ?? null)
  }
}

function refsIn(records: ArrayBuffer): Ref[] {
  return decodeRefs(new Uint8Array(records))
}
