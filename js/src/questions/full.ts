/** Loads what calls need that only the full module answers. */

import { full } from '../base/lazy.js'
import { beginFull, fullNow } from '../session/modules.js'
import type { RepositoryContext } from './repository-context.js'
import type { Listing } from './rows.js'
import { EachRow, eachRow } from './rows.js'

/** The functions of these calls. */
export type Full = ReturnType<typeof fullNow>

/** Returns the functions of these calls; loads them, and the full module at the same time. */
export async function whenFull({ engine }: RepositoryContext): Promise<Full> {
  // A worker loads the module itself.
  if (engine.inThread) beginFull()
  return full()
}

/** Lists rows by such a function. */
export function eachRowWhenFull<Row>(
  context: RepositoryContext,
  listing: (full: Full) => Listing<Row>,
): AsyncGenerator<Row, undefined> {
  return new EachRow(async () => listing(await whenFull(context)))
}

/** Lists rows by such a function, without promises. */
export function eachRowFullNow<Row>(
  listing: (full: Full) => Listing<Row>,
): Generator<Row, undefined> {
  return eachRow(() => listing(fullNow()))
}
