/** Finds the commits that last changed the entries of a directory. */

import { encodeTexts } from '../base/specs.js'
import type { ModifiedEntry } from '../base/types.js'
import { decodeModified } from '../objects/modified.js'
import { LAST_MODIFIED } from '../options/full-tables.js'
import { checkArgument, checkOptions, text } from '../options/rules.js'
import type { ReadOptions } from './reading.js'
import type { RepositoryContext } from './repository-context.js'
import type { Listing } from './rows.js'

/** The options of {@link Repository.lastModified}. */
export interface LastModifiedOptions extends ReadOptions {
  /** The directory, names joined by `/`. Default: the root. */
  readonly path?: string | Uint8Array | undefined
  /**
   * Files in directories below, too; their `name` has the names from the directory on, joined by
   * `/`. Default: false, entries of the directory alone.
   */
  readonly recursive?: boolean | undefined
  /** With `recursive`, directories below, too. Default: false. */
  readonly trees?: boolean | undefined
  /**
   * Revisions that end the search: an entry that is as in a commit that these reach has that
   * commit, and `isCut`. Default: none.
   */
  readonly exclude?: string | Iterable<string> | undefined
}

/** Deeper than any tree that is read. */
const DEEPEST = 0xffff_ffff

const PAGE = 64 << 10

export function lastModified(
  { engine }: RepositoryContext,
  spec: string,
  options: LastModifiedOptions = {},
): Listing<ModifiedEntry> {
  const begin = () => {
    checkOptions('lastModified', options, LAST_MODIFIED)
    checkArgument('lastModified', 'the revision', spec, text)
    const { path = '', recursive, trees, exclude } = options
    const depth = recursive ? DEEPEST : 0
    const excluded = encodeTexts(exclude)
    return engine.pages({ kind: 'lastModified', spec, path, depth, trees, excluded })
  }
  return { begin, rowsIn: decodeModified, capacity: PAGE, options }
}
