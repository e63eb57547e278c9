/** Names commits after refs that reach them. */

import type { MaybePromise } from '../base/maybe.js'
import { encodeSpecs, encodeTexts } from '../base/specs.js'
import { text as decoded } from '../base/utf8.js'
import { decodeRefNames, type NamedAfter } from '../objects/ref-name.js'
import { NAME_REV } from '../options/full-tables.js'
import { checkArgument, checkOptions, list } from '../options/rules.js'
import { listing } from './commit-walks.js'
import type { ReadOptions } from './reading.js'
import type { RepositoryContext } from './repository-context.js'
import { ofAllRows } from './repository-context.js'

/** The options of {@link Repository.nameRev}, as those of git-name-rev(1). */
export interface NameRevOptions extends ReadOptions {
  /** Only tags count. Default: false, all refs. */
  readonly tags?: boolean | undefined
  /**
   * Globs as of git: only refs count that match one of them, by their full names or by what
   * follows a slash. Default: all.
   */
  readonly refs?: string | Iterable<string> | undefined
  /** Globs of refs that do not count. Default: none. */
  readonly exclude?: string | Iterable<string> | undefined
}

export function nameRev(
  context: RepositoryContext,
  specs: Iterable<string>,
  options: NameRevOptions = {},
): MaybePromise<(string | null)[]> {
  checkOptions('nameRev', options, NAME_REV)
  checkArgument('nameRev', 'the first argument', specs, list)
  const { tags, refs, exclude } = options
  const begin = () =>
    context.engine.pages({
      kind: 'nameRev',
      specs: encodeSpecs(specs),
      tags,
      refs: encodeTexts(refs),
      exclude: encodeTexts(exclude),
    })
  const named = listing(context, begin, decodeRefNames, options)
  return ofAllRows(context, named, (rows) => rows.map(nameOf))
}

function nameOf({ ref, suffix }: NamedAfter): string | null {
  if (ref.length === 0) return null
  return decoded(ref).replace(/^refs\/(heads\/)?/, '') + decoded(suffix)
}
