/** Lists the objects that are reachable from commits. */

import type { RevListQuestion } from '../base/protocol.js'
import { encodeSpecs } from '../base/specs.js'
import { REV_LIST_OBJECTS } from '../options/full-tables.js'
import { checkOptions } from '../options/rules.js'
import { listing, sharedWalk } from './commit-walks.js'
import type { RevListOptions } from './history.js'
import { revListRequest } from './history.js'
import type { RepositoryContext } from './repository-context.js'
import type { Listing } from './rows.js'

/** The options of {@link Repository.revListObjects}. */
export interface RevListObjectsOptions extends RevListOptions {
  /**
   * Lists only objects that pass this filter, or all of these, in the words of
   * `git rev-list --filter`: `blob:none`, `blob:limit=1m`, `tree:2`, `object:type=tag`,
   * `sparse:oid=HEAD:patterns`. Revisions that are given are listed nevertheless.
   */
  readonly filter?: string | readonly string[] | undefined
  /** Revisions that are given must pass `filter`, too. Default: false. */
  readonly filterProvidedObjects?: boolean | undefined
  /**
   * What happens to objects that are missing: an error, or they and what they lead to are not listed.
   * With `allow-promisor` only promised ones may be missing. Commits are read then, not taken from
   * the commit-graph. Default: `error`.
   */
  readonly missing?: 'error' | 'allow-any' | 'allow-promisor' | undefined
}

/** An object that {@link Repository.revListObjects} lists. */
export interface ListedObject {
  readonly oid: string
  /**
   * The path at which a tree or blob was first reached, empty for the tree of a commit;
   * the name of a tag; `null` for a commit, and for every object listed by bitmaps.
   * Invalid UTF-8 is replaced, see `pathBytes`; a path is cut before a line feed.
   */
  readonly path: string | null
  readonly pathBytes: Uint8Array | null
}

const decoder = new TextDecoder('latin1')

const LINE_FEED = 0x0a

/** Lists commits, and the objects that are reachable from them. */
export function revListObjects(
  context: RepositoryContext,
  specs: string | Iterable<string>,
  options: RevListObjectsOptions = {},
): Listing<ListedObject> {
  const begin = () => sharedWalk(context, listedRequest(specs, options))
  return listing(context, begin, objectsIn, options)
}

/** Returns the request that lists objects. */
export function listedRequest(
  specs: string | Iterable<string>,
  options: RevListObjectsOptions,
): RevListQuestion {
  checkOptions('revListObjects', options, REV_LIST_OBJECTS)
  const { filter, filterProvidedObjects, missing, ...others } = options
  const filters = typeof filter === 'string' ? [filter] : (filter ?? [])
  const filtered = [
    ...filters.map((spec) => `filter=${spec}`),
    ...(filterProvidedObjects ? ['filter-provided-objects'] : []),
    ...(missing && missing !== 'error' ? [`missing=${missing}`] : []),
  ]
  return {
    ...revListRequest('revListObjects', specs, others, 'objects'),
    filtered: encodeSpecs(filtered),
  }
}

/** Returns the objects of a page, one a line. */
export function* objectsIn(
  page: Uint8Array,
  oidLength: number,
): Generator<ListedObject, undefined> {
  const names = new TextDecoder()
  for (let at = 0; at < page.length; ) {
    const end = page.indexOf(LINE_FEED, at)
    const name = at + oidLength * 2
    const oid = decoder.decode(page.subarray(at, name))
    const pathBytes = end > name ? page.slice(name + 1, end) : null
    yield { oid, path: pathBytes && names.decode(pathBytes), pathBytes }
    at = end + 1
  }
}
