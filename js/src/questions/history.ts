/** Walks over commits: requests to the core, and decoding of its answers. */

import { QUESTIONS, type RevListQuestion } from '../base/protocol.js'
import { encodeSpecs } from '../base/specs.js'
import { checkArgument, checkOptions, texts } from '../options/rules.js'
import { REV_LIST } from '../options/tables.js'
import { elementsOf } from './paths.js'
import type { PathOptions, ReadOptions } from './reading.js'

/**
 * Selects the commits that {@link Repository.revList} lists, in the words of `git rev-list`. With
 * `path` or `pathspec` these are commits that changed a selected path. A merge that has the paths
 * as one of its parents has them is followed to that parent alone, as `git log` does by default.
 * Lists of objects cannot be limited so.
 */
export interface CommitsOptions extends ReadOptions, PathOptions {
  /** Also starts from all refs and `HEAD`. Default: false. */
  readonly all?: boolean | undefined
  /** Follows only the first parent of each commit. Default: false. */
  readonly firstParent?: boolean | undefined
  /** `true` for merges only, `false` for none. Default: both. */
  readonly merges?: boolean | undefined
  /** The fewest parents of a listed commit. Default: 0. */
  readonly minParents?: number | undefined
  /** The most parents of a listed commit. Default: any number. */
  readonly maxParents?: number | undefined
  /** As `since`, but the walk continues after an older commit: wrong dates do not end it. */
  readonly sinceAsFilter?: Date | number | undefined
  /**
   * Lists only commits whose author matches this regular expression, or one of these: the name,
   * and the address in angle brackets.
   */
  readonly author?: string | readonly string[] | undefined
  /** Lists only commits whose committer matches. */
  readonly committer?: string | readonly string[] | undefined
  /** Lists only commits with a line of their message that matches. */
  readonly grep?: string | readonly string[] | undefined
  /** All of `grep` must match, each a line. Default: false. */
  readonly allMatch?: boolean | undefined
  /** The message must not match `grep`. Default: false. */
  readonly invertGrep?: boolean | undefined
  /** `author`, `committer` and `grep` ignore case. Default: false. */
  readonly ignoreCase?: boolean | undefined
  /** How `author`, `committer` and `grep` are written. Default: `basic`, as in git. */
  readonly regexp?: 'basic' | 'extended' | 'fixed' | undefined
  /**
   * With one `path`: lists commits that changed this file, and before it was renamed or copied
   * those that changed the file of its old path, as `git log --follow`. The list then depends on
   * its order: the first commit that brings the file from another path decides for all after it.
   * `limit` counts the listed commits, unless the list is reversed. Default: false.
   */
  readonly follow?: boolean | undefined
  /** With `path`: follows all parents of a merge, as `git log --full-history`. Default: false. */
  readonly fullHistory?: boolean | undefined
  /** With `path`: lists all commits that the walk visits. Default: false. */
  readonly sparse?: boolean | undefined
  /**
   * With `path`: follows all parents, and drops merges that join nothing. `order` is then
   * `topo` by default. Default: false.
   */
  readonly simplifyMerges?: boolean | undefined
  /** Lists commits that a ref points to, and those that changed `path`. Default: false. */
  readonly simplifyByDecoration?: boolean | undefined
  /** With `path`: also lists merges that brought a change to their first parent. Default: false. */
  readonly showPulls?: boolean | undefined
  /**
   * Lists only commits that descend from an excluded one: `true`; or ancestors and descendants
   * of these commits. Default: false.
   */
  readonly ancestryPath?: boolean | readonly string[] | undefined
  /** Excludes only the first parents of excluded commits. Default: false. */
  readonly excludeFirstParentOnly?: boolean | undefined
  /** Of `a...b`, lists only commits of the left side. Default: false. */
  readonly leftOnly?: boolean | undefined
  /** Of `a...b`, lists only commits of the right side. Default: false. */
  readonly rightOnly?: boolean | undefined
  /**
   * Of `a...b`, leaves out commits that make the same change as one of the other side, as
   * `git log --cherry-pick`. White space and numbers of lines do not count. Default: false.
   */
  readonly cherryPick?: boolean | undefined
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
   * `author-date`: as `date`, by the dates at which commits were written.
   */
  readonly order?: 'default' | 'date' | 'topo' | 'author-date' | undefined
  /** Reverses the order. Default: false. */
  readonly reverse?: boolean | undefined
}

/** The options of {@link Repository.revListGraph}. */
export interface RevListGraphOptions extends RevListOptions {
  /** Also lists the children of each commit. Default: false. */
  readonly children?: boolean | undefined
  /** Also lists the commits at which the list ends. Default: false. */
  readonly boundary?: boolean | undefined
  /** Also returns which side of `a...b` reaches a commit. Default: false. */
  readonly leftRight?: boolean | undefined
  /** Also returns whether a commit of the other side of `a...b` makes the same change. Default: false. */
  readonly cherryMark?: boolean | undefined
  /** Also returns from which revision's commit the walk came, as `git log --source`. Default: false. */
  readonly source?: boolean | undefined
}

/** How similar the file of another path must be to be followed: half of the greatest score. */
const SIMILAR = 30_000

const decoder = new TextDecoder('latin1')

const [, ...REV_LIST_FIELDS] = QUESTIONS.revList

/** The options that are words of a field of the question. */
const wordsOf = <K extends 'simplify' | 'lines' | 'matching'>(field: K) =>
  REV_LIST_FIELDS.find(([name]) => name === field)?.slice(2) as unknown as NonNullable<
    RevListQuestion[K]
  >

const [SIMPLIFY, LINES] = [wordsOf('simplify'), wordsOf('lines')]
const MATCHING = wordsOf('matching')

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
  return revListQuestion(specs, options, ...what)
}

/** As {@link revListRequest}, for options that are checked. */
export function revListQuestion(
  specs: string | Iterable<string>,
  options: RevListGraphOptions,
  ...what: ('count' | 'objects' | 'parents' | 'spaced')[]
): RevListQuestion {
  const { order, reverse, firstParent, merges, limit, skip, ancestryPath, maxParents } = options
  const { minParents = merges ? 2 : 0 } = options
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
    minParents,
    maxParents: maxParents ?? (merges === false ? 1 : undefined),
    since: secondsOf(options.since),
    until: secondsOf(options.until),
    paths: elementsOf(options),
    simplify: SIMPLIFY.filter((name) => options[name]),
    // No option has the name of what is not one.
    lines: LINES.filter((name) => (what as string[]).includes(name) || (options as Flags)[name]),
    listedSince: secondsOf(options.sinceAsFilter),
    patterns: patternsOf(options),
    matching: MATCHING.filter((name) => options.regexp === name || (options as Flags)[name]),
    follow: options.follow ? SIMILAR : undefined,
    ancestryPathOf: typeof ancestryPath === 'object' ? encodeSpecs(ancestryPath) : undefined,
  }
}

/** Options by names that may not be those of options. */
type Flags = Readonly<Record<string, unknown>>

/** Returns the patterns, each after the first letter of its option. */
function patternsOf(options: CommitsOptions): Uint8Array | undefined {
  const { author = [], committer = [], grep = [] } = options
  const all = Object.entries({ author, committer, grep }).flatMap(([name, patterns]) =>
    (typeof patterns === 'string' ? [patterns] : patterns).map((one) => `${name[0]}${one}`),
  )
  return all.length > 0 ? encodeSpecs(all) : undefined
}

/** Returns a date in whole seconds since 1970, because commit dates have no fractions. */
export function secondsOf(date: Date | number | undefined): number | undefined {
  return date instanceof Date ? Math.floor(date.getTime() / 1000) : date
}

/** Returns the ids of a page, one a line. */
export function* idsIn(page: Uint8Array, oidLength: number): Generator<string, undefined> {
  const text = decoder.decode(page)
  const length = oidLength * 2
  for (let at = 0; at < text.length; at += length + 1) yield text.slice(at, at + length)
}
