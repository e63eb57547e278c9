/** Counts commits and objects. */

import type { MaybePromise } from '../base/maybe.js'
import type { RevListQuestion } from '../base/protocol.js'
import { listing, sharedWalk } from './commit-walks.js'
import type { CountOptions } from './history.js'
import { revListRequest } from './history.js'
import type { ReadOptions } from './reading.js'
import type { RepositoryContext } from './repository-context.js'
import { ofAllRows } from './repository-context.js'

type Specs = string | Iterable<string>

const decoder = new TextDecoder()

export function countCommits(
  context: RepositoryContext,
  specs: Specs,
  options: CountOptions = {},
): MaybePromise<number> {
  const request = revListRequest('countCommits', specs, options, 'count')
  return counted(context, request, options)
}

export function countObjects(
  context: RepositoryContext,
  specs: Specs,
  options: CountOptions = {},
): MaybePromise<number> {
  const request = revListRequest('countObjects', specs, options, 'count', 'objects')
  return counted(context, request, options)
}

function counted(
  context: RepositoryContext,
  request: RevListQuestion,
  options: ReadOptions,
): MaybePromise<number> {
  const counts = listing(context, () => sharedWalk(context, request), countsIn, options)
  return ofAllRows(context, counts, (counts) => counts.reduce((sum, count) => sum + count, 0))
}

function countsIn(page: Uint8Array): readonly number[] {
  return [countIn(page)]
}

/** Decodes the answer of a count. */
export function countIn(page: Uint8Array): number {
  return Number(decoder.decode(page))
}
