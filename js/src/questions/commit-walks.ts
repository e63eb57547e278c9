/** Walks over commits: lists them, counts them, and finds merge bases. */

import type { MaybePromise } from '../base/maybe.js'
import type { LongQuestion, RevListQuestion } from '../base/protocol.js'
import type { Pages } from '../engine/engine.js'
import { checkArgument, checkOptions, list } from '../options/rules.js'
import { MERGE_BASES, READ } from '../options/tables.js'
import type { CountOptions, ListedObject, MergeBasesOptions, RevListOptions } from './history.js'
import {
  countIn,
  idsIn,
  mergeBaseRequest,
  mergeBasesRequest,
  objectsIn,
  revListRequest,
} from './history.js'
import type { ReadOptions } from './reading.js'
import type { RepositoryContext } from './repository-context.js'
import { ofAllRows } from './repository-context.js'
import type { Listing } from './rows.js'

type Specs = string | Iterable<string>
type Bytes = Uint8Array<ArrayBuffer>

const PAGE = 64 << 10

/** Lists the ids of commits. */
export function revList(
  context: RepositoryContext,
  specs: Specs,
  options: RevListOptions,
): Listing<string> {
  const begin = () => sharedWalk(context, revListRequest('revList', specs, options))
  return listing(context, begin, idsIn, options)
}

/** Lists commits, and the objects that are reachable from them. */
export function revListObjects(
  context: RepositoryContext,
  specs: Specs,
  options: RevListOptions,
): Listing<ListedObject> {
  const begin = () =>
    sharedWalk(context, revListRequest('revListObjects', specs, options, 'objects'))
  return listing(context, begin, objectsIn, options)
}

export function countCommits(
  context: RepositoryContext,
  specs: Specs,
  options: CountOptions,
): MaybePromise<number> {
  const request = revListRequest('countCommits', specs, options, 'count')
  return counted(context, () => sharedWalk(context, request), options)
}

export function countObjects(
  context: RepositoryContext,
  specs: Specs,
  options: CountOptions,
): MaybePromise<number> {
  const request = revListRequest('countObjects', specs, options, 'count', 'objects')
  return counted(context, () => sharedWalk(context, request), options)
}

/** Returns the first merge base of two commits. */
export function mergeBase(
  context: RepositoryContext,
  [a, b]: readonly [string, string],
  options: ReadOptions,
): MaybePromise<string | null> {
  checkOptions('mergeBase', options, READ)
  const ids = idsOf(context, mergeBasesRequest([a, b], {}), options)
  return ofAllRows(context, ids, ([first = null]) => first)
}

export function mergeBases(
  context: RepositoryContext,
  specs: Iterable<string>,
  options: MergeBasesOptions,
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
  [a, b]: readonly [string, string],
  options: ReadOptions,
): MaybePromise<boolean> {
  checkOptions('isAncestor', options, READ)
  const request = mergeBaseRequest([a, b], 'ancestor')
  const begin = () => context.engine.pages(request)
  return ofAllRows(
    context,
    listing(context, begin, countsIn, options),
    (counts) => sum(counts) === 1,
  )
}

/** Begins a walk; workers share a long one, except in calls without promises. */
export function sharedWalk(
  { engine, pool, inOneTurn }: RepositoryContext,
  request: RevListQuestion,
): Pages {
  const walk = engine.pages(request)
  return inOneTurn ? walk : pool.sharedWalk(engine, walk)
}

function idsOf(
  context: RepositoryContext,
  request: LongQuestion,
  options: ReadOptions,
): Listing<string> {
  return listing(context, () => context.engine.pages(request), idsIn, options)
}

function listing<T>(
  { engine }: RepositoryContext,
  begin: () => Pages,
  items: (page: Bytes, oidLength: number) => Iterable<T>,
  options: ReadOptions,
): Listing<T> {
  const rowsIn = (page: Bytes) => items(page, engine.oidLength)
  return { begin, rowsIn, capacity: PAGE, options }
}

function counted(
  context: RepositoryContext,
  begin: () => Pages,
  options: ReadOptions,
): MaybePromise<number> {
  return ofAllRows(context, listing(context, begin, countsIn, options), sum)
}

function countsIn(page: Bytes): readonly number[] {
  return [countIn(page)]
}

function sum(counts: readonly number[]): number {
  return counts.reduce((sum, count) => sum + count, 0)
}
