/** How the engine of this thread shares jobs: only pools of workers load this. */

import type { MaybePromise } from '../base/maybe.js'
import type { LongQuestion } from '../base/protocol.js'
import type { Ask, Session } from '../session/session.js'
import type { Engine, Sharing } from './engine.js'
import type { LocalEngine } from './local-engine.js'
import { LocalWorkUnits } from './local-work-units.js'

/** Returns how an engine shares jobs: this thread's, or that of a worker, which knows it itself. */
export function sharingOf(engine: Engine): Sharing {
  return 'shared' in engine ? (engine as Engine & Sharing) : new LocalSharing(engine as LocalEngine)
}

class LocalSharing implements Sharing {
  readonly #engine: LocalEngine

  constructor(engine: LocalEngine) {
    this.#engine = engine
  }

  shared(request: LongQuestion): LocalWorkUnits {
    return new LocalWorkUnits(this.#engine, request)
  }

  addSharedCommits(rows: Uint8Array<ArrayBuffer>): MaybePromise<boolean> {
    const ask: Ask = (glue, session) => {
      session.input(glue, rows)
      return glue.share_commits(session.number)
    }
    const isTaken = (session: Session) => session.ask(ask, () => session.viewOutput()[0] === 1)
    return this.#engine.asked(isTaken, {})
  }
}
