/** Walks over commits: what is asked for, and the lines that answer it. */
import type { MergeBaseRequest, RevListRequest } from './engine.js'
import type { ReadOptions } from './object-reader.js'
import { checkArgument, checkOptions, texts } from './options/rules.js'
import { REV_LIST } from './options/tables.js'
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

export const REV_LIST_BITS = {
  date: 1,
  topo: 2,
  reverse: 4,
  firstParent: 8,
  count: 16,
  merges: 32,
  noMerges: 64,
  objects: 128,
  useBitmapIndex: 256,
} as const

/** What is asked of commits, as the core numbers it. */
export const MERGE_BASES = { common: 0, octopus: 1, independent: 2, ancestor: 3 } as const

const decoder = new TextDecoder('latin1')

const LINE_FEED = 0x0a

/** What to ask for a list of commits, also of the objects they lead to, or how many. */
export function revListRequest(
  specs: string | Iterable<string>,
  options: RevListOptions,
  ...what: ('count' | 'objects')[]
): RevListRequest {
  checkOptions(callOf(what), options, REV_LIST)
  checkArgument(callOf(what), 'the first argument', specs, texts)
  const { order, reverse, firstParent, merges, limit, skip, since, until } = options
  const given = typeof specs === 'string' ? [specs] : [...specs]
  const all = options.all ? ['--all', ...given] : given
  let bits = 0
  if (order === 'date' || order === 'topo') bits |= REV_LIST_BITS[order]
  if (reverse) bits |= REV_LIST_BITS.reverse
  if (firstParent) bits |= REV_LIST_BITS.firstParent
  for (const bit of what) bits |= REV_LIST_BITS[bit]
  if (options.useBitmapIndex) bits |= REV_LIST_BITS.useBitmapIndex
  if (merges === true) bits |= REV_LIST_BITS.merges
  if (merges === false) bits |= REV_LIST_BITS.noMerges
  return {
    kind: 'revList',
    specs: encodeSpecs(all),
    bits,
    skip: skip ?? -1,
    limit: limit ?? -1,
    since: secondsOf(since),
    until: secondsOf(until),
  }
}

/** The method that asks so. */
function callOf(what: readonly ('count' | 'objects')[]): string {
  if (what.includes('count')) return what.includes('objects') ? 'countObjects' : 'countCommits'
  return what.includes('objects') ? 'revListObjects' : 'revList'
}

/** -1 for none. Commits have no parts of a second. */
function secondsOf(date: Date | number | undefined): number {
  return date instanceof Date ? Math.floor(date.getTime() / 1000) : (date ?? -1)
}

export function mergeBaseRequest(
  specs: Iterable<string>,
  question: keyof typeof MERGE_BASES,
): MergeBaseRequest {
  return { kind: 'mergeBase', specs: encodeSpecs(specs), question: MERGE_BASES[question] }
}

/** What to ask for all merge bases. */
export function mergeBasesRequest(
  specs: Iterable<string>,
  { octopus }: MergeBasesOptions,
): MergeBaseRequest {
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
