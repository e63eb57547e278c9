/** Names a commit after the most recent tag that it reaches. */

import type { MaybePromise } from '../base/maybe.js'
import { encodeTexts } from '../base/specs.js'
import type { Description } from '../base/types.js'
import { DescribedCommit, decodeDescription } from '../objects/description.js'
import { DESCRIBE } from '../options/full-tables.js'
import { checkArgument, checkOptions, text } from '../options/rules.js'
import { listing } from './commit-walks.js'
import type { ReadOptions } from './reading.js'
import type { RepositoryContext } from './repository-context.js'
import { ofAllRows } from './repository-context.js'

/** The options of {@link Repository.describe}, as those of git-describe(1). */
export interface DescribeOptions extends ReadOptions {
  /** Lightweight tags count too. Default: false, only annotated ones. */
  readonly tags?: boolean | undefined
  /** All refs count; names begin with `tags/`, `heads/` or `remotes/`. Default: false. */
  readonly all?: boolean | undefined
  /** The text has the number of commits and the id also if it is 0. Default: false. */
  readonly long?: boolean | undefined
  /**
   * The fewest digits of the id in the text; 0 for the name alone. Default: as many as git shows
   * in a repository of this size.
   */
  readonly abbrev?: number | undefined
  /**
   * Globs as of git: only names that match one of them count, without `refs/tags/`, and with
   * `all` without `refs/heads/` or `refs/remotes/`. Default: all.
   */
  readonly match?: string | Iterable<string> | undefined
  /** Globs of names that do not count. Default: none. */
  readonly exclude?: string | Iterable<string> | undefined
  /** How many tags are compared; as in git no more than 27. Default: 10. */
  readonly candidates?: number | undefined
  /** Only a tag of the commit itself counts, as with 0 candidates. Default: false. */
  readonly exactMatch?: boolean | undefined
  /** Only follows the first parents of merges. Default: false. */
  readonly firstParent?: boolean | undefined
  /** A commit that no tag describes is described by its id. Default: false. */
  readonly always?: boolean | undefined
}

/** How many tags are compared by default. */
const CANDIDATES = 10

export function describe(
  context: RepositoryContext,
  spec: string,
  options: DescribeOptions = {},
): MaybePromise<Description> {
  const begin = () => {
    checkOptions('describe', options, DESCRIBE)
    checkArgument('describe', 'the revision', spec, text)
    const { tags, all, long, abbrev, firstParent, always } = options
    const { candidates = CANDIDATES, exactMatch } = options
    return context.engine.pages({
      kind: 'describe',
      spec,
      tags,
      all,
      long,
      abbrev,
      matching: encodeTexts(options.match),
      exclude: encodeTexts(options.exclude),
      candidates: exactMatch ? 0 : candidates,
      firstParent,
      always,
    })
  }
  const described = listing(context, begin, (page) => [decodeDescription(page)], options)
  return ofAllRows(context, described, ([record]) => {
    if (!record) throw new TypeError('a description is one record')
    return new DescribedCommit(record)
  })
}
