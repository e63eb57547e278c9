/** Walks over commits: what is asked for, and the lines that answer it. */

import { checkArgument, checkOptions, texts } from './options/rules.js'
import { REV_LIST } from './options/tables.js'
import type { MergeBaseQuestion, RevListQuestion } from './protocol.js'
import type { ReadOptions } from './reading.js'
import { encodeSpecs } from './specs.js'

/** Which commits {@link Repository.revList} lists; the words are those of `git rev-list`. */
export interface CommitsOptions extends ReadOptions {
  /** Begins with all refs and `HEAD` as well. Default: no. */
  readonly all?: boolean | undefined
  /** Goes on to the first parent of each commit only. Default: no. */
  readonly firstParent?: boolean | undefined
  /** `true` for merges only, `false` for none. Default: both. */
  readonly merges?: boolean | undefined
  /** How many are listed at most. */
  readonly limit?: number | undefined
  /** How many are passed over before. */
  readonly skip?: number | undefined
  /** Commits made before are not listed; a number is in seconds since 1970. */
  readonly since?: Date | number | undefined
  /** Commits made after are not listed; a number is in seconds since 1970. */
  readonly until?: Date | number | undefined
  /**
   * Lists or counts by the bitmaps of a pack, or of packs with a multi-pack-index, where
   * there are any and no commits are chosen among those that specs lead to. What is
   * listed comes in the order of bitmaps then, objects without their paths. Default: no.
   */
  readonly useBitmapIndex?: boolean | undefined
}

/** What {@link Repository.countCommits} and {@link Repository.countObjects} take. */
export type CountOptions = CommitsOptions

/** An object that {@link Repository.revListObjects} lists. */
export interface ListedObject {
  readonly oid: string
  /**
   * Of a tree or blob the path that it was first come to by, empty for the tree of a
   * commit; of a tag its name; of a commit `null`, and of all that bitmaps list. Bytes
   * that are no UTF-8 are replaced, see `pathBytes`; it ends before a line feed.
   */
  readonly path: string | null
  readonly pathBytes: Uint8Array | null
}

/** What {@link Repository.revList} takes. */
export interface RevListOptions extends CommitsOptions {
  /**
   * `default`: the newest first, as they are come to. `date` and `topo`: no commit
   * before its children, then the newest first, or lines of history together.
   */
  readonly order?: 'default' | 'date' | 'topo' | undefined
  /** Turns the order round. Default: no. */
  readonly reverse?: boolean | undefined
}

/** What {@link Repository.mergeBases} takes. */
export interface MergeBasesOptions extends ReadOptions {
  /** Of all commits at once, as for an octopus merge. Default: no. */
  readonly octopus?: boolean | undefined
}

const decoder = new TextDecoder('latin1')

const LINE_FEED = 0x0a

/** What to ask for a list of commits, also of the objects they lead to, or how many. */
export function revListRequest(
  specs: string | Iterable<string>,
  options: RevListOptions,
  ...what: ('count' | 'objects')[]
): RevListQuestion {
  checkOptions(callOf(what), options, REV_LIST)
  checkArgument(callOf(what), 'the first argument', specs, texts)
  const { order, reverse, firstParent, merges, limit, skip, since, until } = options
  const given = typeof specs === 'string' ? [specs] : [...specs]
  const all = options.all ? ['--all', ...given] : given
  return {
    kind: 'revList',
    specs: encodeSpecs(all),
    order,
    reverse,
    firstParent,
    count: what.includes('count'),
    objects: what.includes('objects'),
    useBitmaps: options.useBitmapIndex,
    skip,
    limit,
    minParents: merges === true ? 2 : 0,
    maxParents: merges === false ? 1 : undefined,
    since: secondsOf(since),
    until: secondsOf(until),
  }
}

/** The method that asks so. */
function callOf(what: readonly ('count' | 'objects')[]): string {
  if (what.includes('count')) return what.includes('objects') ? 'countObjects' : 'countCommits'
  return what.includes('objects') ? 'revListObjects' : 'revList'
}

/** Commits have no parts of a second. */
function secondsOf(date: Date | number | undefined): number | undefined {
  return date instanceof Date ? Math.floor(date.getTime() / 1000) : date
}

export function mergeBaseRequest(
  specs: Iterable<string>,
  of: MergeBaseQuestion['of'],
): MergeBaseQuestion {
  return { kind: 'mergeBase', specs: encodeSpecs(specs), of }
}

/** What to ask for all merge bases. */
export function mergeBasesRequest(
  specs: Iterable<string>,
  { octopus }: MergeBasesOptions,
): MergeBaseQuestion {
  return mergeBaseRequest(specs, octopus ? 'octopus' : 'common')
}

/** Returns the ids of a page, one a line. */
export function* idsIn(page: Uint8Array, oidLength: number): Generator<string, undefined> {
  const text = decoder.decode(page)
  const length = oidLength * 2
  for (let at = 0; at < text.length; at += length + 1) yield text.slice(at, at + length)
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

/** Returns the number that the pages of a count come to. */
export function countIn(page: Uint8Array): number {
  return Number(decoder.decode(page))
}
