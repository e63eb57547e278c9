/** Counts the commits that only one of two commits reaches. */

import type { MaybePromise } from '../base/maybe.js'
import { encodeSpecs } from '../base/specs.js'
import { checkArgument, checkOptions, list } from '../options/rules.js'
import { READ } from '../options/tables.js'
import { listing } from './commit-walks.js'
import type { ReadOptions } from './reading.js'
import type { RepositoryContext } from './repository-context.js'
import { ofAllRows } from './repository-context.js'

/** How far a commit is from another: {@link Repository.aheadBehind}. */
export interface AheadBehind {
  /** How many commits it reaches that the other does not. */
  readonly ahead: number
  /** How many commits only the other reaches. */
  readonly behind: number
}

/** Counts for each of some revisions, how far it is ahead of `base` and behind it. */
export function aheadBehind(
  context: RepositoryContext,
  base: string,
  specs: Iterable<string>,
  options: ReadOptions = {},
): MaybePromise<AheadBehind[]> {
  checkOptions('aheadBehind', options, READ)
  checkArgument('aheadBehind', 'the second argument', specs, list)
  const pairs = encodeSpecs([...specs].flatMap((spec) => [spec, base]))
  const begin = () => context.engine.pages({ kind: 'aheadBehind', specs: pairs })
  return ofAllRows(context, listing(context, begin, numbersIn, options), (rows) => rows)
}

/** Returns the numbers of a page, two for each pair. */
export function* numbersIn(page: Uint8Array): Generator<AheadBehind, undefined> {
  const view = new DataView(page.buffer, page.byteOffset, page.byteLength)
  for (let at = 0; at < page.byteLength; at += 8) {
    yield { ahead: view.getUint32(at, true), behind: view.getUint32(at + 4, true) }
  }
}
