/** Walks over commits: requests to the core, and decoding of its answers. */

import type { RevListQuestion } from '../base/protocol.js'
import { encodeSpecs, joinSpecs } from '../base/specs.js'
import { checkArgument, checkOptions, texts } from '../options/rules.js'
import { REV_LIST } from '../options/tables.js'
import type { ReadOptions } from './reading.js'

/** Selects the commits that {@link Repository.revList} lists, in the words of `git rev-list`. */
export interface CommitsOptions extends ReadOptions {
  /** Also starts from all refs and `HEAD`. Default: false. */
  readonly all?: boolean | undefined
  /**
   * Lists only commits that changed one of these paths: of a file, or of a directory with
   * everything below it. A merge that has the paths as one of its parents has them is followed
   * to that parent alone, as `git log` does by default. Not for lists of objects.
   */
  readonly path?: string | Uint8Array | readonly (string | Uint8Array)[] | undefined
  /** Follows only the first parent of each commit. Default: false. */
  readonly firstParent?: boolean | undefined
  /** `true` for merges only, `false` for none. Default: both. */
  readonly merges?: boolean | undefined
  /** The most commits to list. */
  readonly limit?: number | undefined
  /** The number of commits to skip first. */
  readonly skip?: number | undefined
  /** Excludes commits before this date; a number is in seconds since 1970. */
  readonly since?: Date | number | undefined
  /** Excludes commits after this date; a number is in seconds since 1970. */
  readonly until?: Date | number | undefined
  /**
   * Lists or counts with the bitmaps of a pack or a multi-pack-index, if there are any and
   * no option selects among the reachable commits. The list is then in bitmap order, and
   * objects have no paths. Default: false.
   */
  readonly useBitmapIndex?: boolean | undefined
}

/** The options of {@link Repository.countCommits} and {@link Repository.countObjects}. */
export type CountOptions = CommitsOptions

/** The options of {@link Repository.revList}. */
export interface RevListOptions extends CommitsOptions {
  /**
   * `default`: the newest first, in the order of the walk. `date` and `topo`: no commit
   * before its children; otherwise the newest first, or lines of history kept together.
   */
  readonly order?: 'default' | 'date' | 'topo' | undefined
  /** Reverses the order. Default: false. */
  readonly reverse?: boolean | undefined
}

const decoder = new TextDecoder('latin1')

/**
 * Returns the request that lists or counts commits, or commits and their objects. `call` is
 * the public method that messages name.
 */
export function revListRequest(
  call: string,
  specs: string | Iterable<string>,
  options: RevListOptions,
  ...what: ('count' | 'objects')[]
): RevListQuestion {
  checkOptions(call, options, REV_LIST)
  checkArgument(call, 'the first argument', specs, texts)
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
    paths: pathsOf(options.path),
  }
}

function pathsOf(path: CommitsOptions['path']): Uint8Array<ArrayBuffer> | undefined {
  if (path === undefined) return undefined
  const all = typeof path === 'string' || path instanceof Uint8Array ? [path] : path
  const encoder = new TextEncoder()
  return joinSpecs(all.map((one) => (typeof one === 'string' ? encoder.encode(one) : one)))
}

/** Returns whole seconds, because commit dates have no fractions. */
function secondsOf(date: Date | number | undefined): number | undefined {
  return date instanceof Date ? Math.floor(date.getTime() / 1000) : date
}

/** Returns the ids of a page, one a line. */
export function* idsIn(page: Uint8Array, oidLength: number): Generator<string, undefined> {
  const text = decoder.decode(page)
  const length = oidLength * 2
  for (let at = 0; at < text.length; at += length + 1) yield text.slice(at, at + length)
}
