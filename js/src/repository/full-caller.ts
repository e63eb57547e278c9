/** Makes the calls that only the full module answers, from their names. */

import type { MaybePromise } from '../base/maybe.js'
import type { Full } from '../questions/full.js'
import { eachRowFullNow, eachRowWhenFull, whenFull } from '../questions/full.js'
import type { RepositoryContext } from '../questions/repository-context.js'
import type { Listing } from '../questions/rows.js'
import { fullNow } from '../session/modules.js'
import { expectSync } from '../session/task.js'
import type { FullCalls } from './full-calls.js'
import { LISTS_ROWS } from './full-calls.js'

/** The functions that answer the calls. */
type Answers = {
  readonly [Name in keyof FullCalls]: (
    context: RepositoryContext,
    ...args: Parameters<FullCalls[Name]>
  ) => Answered<ReturnType<FullCalls[Name]>>
}

type Answered<Returned> =
  Returned extends AsyncGenerator<infer Row, undefined>
    ? Listing<Row>
    : MaybePromise<Awaited<Returned>>

type Asked = readonly [context: RepositoryContext, ...args: unknown[]]

/** Answers a call by its name: as a listing if it lists rows. */
type Call = (name: keyof FullCalls, asked: Asked) => unknown

/** Has the calls; `call` answers them. */
export class FullCaller {
  readonly #context: RepositoryContext
  readonly #call: Call

  constructor(context: RepositoryContext, call: Call) {
    this.#context = context
    this.#call = call
  }

  static {
    for (const name of Object.keys(LISTS_ROWS) as (keyof FullCalls)[]) {
      const value = function (this: FullCaller, ...args: unknown[]) {
        return this.#call(name, [this.#context, ...args])
      }
      Object.defineProperty(FullCaller.prototype, name, { value, configurable: true })
    }
  }
}

/** Answers a call with a promise, or with an iterator of promises. */
export const callWhenFull: Call = (name, asked) => {
  const [context] = asked
  if (LISTS_ROWS[name]) return eachRowWhenFull(context, (full) => answer(full, name, asked))
  return whenFull(context).then((full) => answer(full, name, asked))
}

/** Answers a call without a promise. */
export const callFullNow: Call = (name, asked) => {
  if (LISTS_ROWS[name]) return eachRowFullNow((full) => answer(full, name, asked))
  return expectSync(answer<MaybePromise<unknown>>(fullNow(), name, asked))
}

function answer<Returned = Listing<unknown>>(
  full: Full,
  name: keyof FullCalls,
  asked: Asked,
): Returned {
  const answers: Answers = full
  return (answers[name] as unknown as (...asked: Asked) => Returned)(...asked)
}
