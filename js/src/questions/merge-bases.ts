/** Finds merge bases. */

import type { MaybePromise } from '../base/maybe.js'
import type { LongQuestion, MergeBaseQuestion } from '../base/protocol.js'
import { encodeSpecs } from '../base/specs.js'
import { MERGE_BASES } from '../options/full-tables.js'
import { checkArgument, checkOptions, list } from '../options/rules.js'
import { READ } from '../options/tables.js'
import { listing } from './commit-walks.js'
import { countIn } from './counts.js'
import { idsIn } from './history.js'
import type { ReadOptions } from './reading.js'
import type { RepositoryContext } from './repository-context.js'
import { ofAllRows } from './repository-context.js'
import type { Listing } from './rows.js'

/** The options of {@link Repository.mergeBases}. */
export interface MergeBasesOptions extends ReadOptions {
  /** Returns merge bases of all commits, as for an octopus merge. Default: false. */
  readonly octopus?: boolean | undefined
}

/** Returns the first merge base of two commits. */
export function mergeBase(
  context: RepositoryContext,
  a: string,
  b: string,
  options: ReadOptions = {},
): MaybePromise<string | null> {
  checkOptions('mergeBase', options, READ)
  const ids = idsOf(context, mergeBasesRequest([a, b], {}), options)
  return ofAllRows(context, ids, ([first = null]) => first)
}

export function mergeBases(
  context: RepositoryContext,
  specs: Iterable<string>,
  options: MergeBasesOptions = {},
): MaybePromise<string[]> {
  checkOptions('mergeBases', options, MERGE_BASES)
  checkArgument('mergeBases', 'the first argument', specs, list)
  return ofAllRows(
    context,
    idsOf(context, mergeBasesRequest(specs, options), options),
    (ids) => ids,
  )
}

export function isAncestor(
  context: RepositoryContext,
  a: string,
  b: string,
  options: ReadOptions = {},
): MaybePromise<boolean> {
  checkOptions('isAncestor', options, READ)
  const request = mergeBaseRequest([a, b], 'ancestor')
  const begin = () => context.engine.pages(request)
  const answers = listing(context, begin, (page) => [countIn(page)], options)
  return ofAllRows(context, answers, ([count]) => count === 1)
}

function idsOf(
  context: RepositoryContext,
  request: LongQuestion,
  options: ReadOptions,
): Listing<string> {
  return listing(context, () => context.engine.pages(request), idsIn, options)
}

export function mergeBaseRequest(
  specs: Iterable<string>,
  of: MergeBaseQuestion['of'],
): MergeBaseQuestion {
  return { kind: 'mergeBase', specs: encodeSpecs(specs), of }
}

/** Returns the request for all merge bases. */
export function mergeBasesRequest(
  specs: Iterable<string>,
  { octopus }: MergeBasesOptions,
): MergeBaseQuestion {
  return mergeBaseRequest(specs, octopus ? 'octopus' : 'common')
}
