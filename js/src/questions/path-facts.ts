/** What files such as `.gitignore` and `.gitattributes` say about paths. */

import type { MaybePromise } from '../base/maybe.js'
import { encodeName, encodeTexts, joinSpecs } from '../base/specs.js'
import type { IgnoreRule, PathAttributes } from '../base/types.js'
import {
  attributesOf,
  decodeAttributes,
  decodeIgnored,
  FoundIgnoreRule,
} from '../objects/path-records.js'
import { CHECK_ATTR, CHECK_IGNORE } from '../options/full-tables.js'
import { checkArgument, checkOptions, treePaths } from '../options/rules.js'
import { listing } from './commit-walks.js'
import type { ReadOptions } from './reading.js'
import type { RepositoryContext } from './repository-context.js'
import { ofAllRows } from './repository-context.js'

/** A path as text or bytes, or several. */
export type Paths = string | Uint8Array | readonly (string | Uint8Array)[]

/** The options of {@link Repository.checkIgnore}. */
export interface CheckIgnoreOptions extends ReadOptions {
  /**
   * Whether the index counts: no line decides about a path that it has, as git ignores no tracked
   * file. Default: true.
   */
  readonly index?: boolean | undefined
}

/** The options of {@link Repository.checkAttr}. */
export interface CheckAttrOptions extends ReadOptions {
  /** The names of the attributes. Default: all that something is said of. */
  readonly attributes?: string | Iterable<string> | undefined
  /** The tree whose files `.gitattributes` count. Default: those of the work tree. */
  readonly source?: string | undefined
  /** Only the files `.gitattributes` of the index count. Default: false. */
  readonly cached?: boolean | undefined
}

export function checkIgnore(
  context: RepositoryContext,
  paths: Paths,
  options: CheckIgnoreOptions = {},
): MaybePromise<(IgnoreRule | null)[]> {
  checkOptions('checkIgnore', options, CHECK_IGNORE)
  checkArgument('checkIgnore', 'the first argument', paths, treePaths)
  const all = bytesOf(paths)
  const skipsTracked = options.index !== false
  const begin = () => context.engine.pages({ kind: 'ignored', paths: joinSpecs(all), skipsTracked })
  return ofAllRows(context, listing(context, begin, decodeIgnored, options), (found) =>
    found.map((one, at) => one && new FoundIgnoreRule(one, all[at] as Uint8Array)),
  )
}

export function checkAttr(
  context: RepositoryContext,
  paths: Paths,
  options: CheckAttrOptions = {},
): MaybePromise<PathAttributes[]> {
  checkOptions('checkAttr', options, CHECK_ATTR)
  checkArgument('checkAttr', 'the first argument', paths, treePaths)
  const { attributes, source, cached } = options
  const begin = () =>
    context.engine.pages({
      kind: 'attributes',
      spec: source,
      cached,
      paths: joinSpecs(bytesOf(paths)),
      names: encodeTexts(attributes),
    })
  const found = listing(context, begin, decodeAttributes, options)
  return ofAllRows(context, found, (rows) => rows.map(attributesOf))
}

function bytesOf(paths: Paths): Uint8Array[] {
  const all = typeof paths === 'string' || paths instanceof Uint8Array ? [paths] : paths
  return all.map((path) => (typeof path === 'string' ? encodeName(path) : path))
}
