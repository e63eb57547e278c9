/** Checks that a repository has the prerequisites of a bundle. */
import { isPacklensError, PacklensError } from '../base/errors.js'
import type { MaybePromise } from '../base/maybe.js'
import { isPromise, whenReady } from '../base/maybe.js'
import type { LocalEngine } from '../engine/local-engine.js'
import type { QuestionOptions } from '../session/session.js'

/**
 * Checks that the prerequisites of a bundle exist: the commits that it builds on.
 *
 * @throws `NOT_FOUND` with the ids of the missing ones
 */
export function checkPrerequisites(
  engine: LocalEngine,
  oids: readonly string[],
  ask: QuestionOptions,
): MaybePromise<void> {
  const lacking: string[] = []
  const from = (at: number): MaybePromise<void> => {
    const oid = oids[at]
    if (oid === undefined) {
      if (lacking.length === 0) return
      const what =
        'the repository lacks prerequisite commits of the bundle: give `repository` or `packs`'
      throw new PacklensError('NOT_FOUND', what, { subject: lacking.join(' ') })
    }
    return whenReady(isThere(engine, oid, ask), (there) => {
      if (!there) lacking.push(oid)
      return from(at + 1)
    })
  }
  return from(0)
}

function isThere(engine: LocalEngine, oid: string, ask: QuestionOptions): MaybePromise<boolean> {
  const failed = (error: unknown) => {
    if (!isPacklensError(error, 'NOT_FOUND', 'PROMISED')) throw error
    return false
  }
  try {
    const info = whenReady(engine.info(oid, ask), () => true)
    return isPromise(info) ? info.catch(failed) : info
  } catch (error) {
    return failed(error)
  }
}
