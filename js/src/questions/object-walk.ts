/** Lists the objects that are reachable from commits. */

import { listing, sharedWalk } from './commit-walks.js'
import type { RevListOptions } from './history.js'
import { revListRequest } from './history.js'
import type { RepositoryContext } from './repository-context.js'
import type { Listing } from './rows.js'

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
  options: RevListOptions = {},
): Listing<ListedObject> {
  const begin = () =>
    sharedWalk(context, revListRequest('revListObjects', specs, options, 'objects'))
  return listing(context, begin, objectsIn, options)
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
