/** Finds the commits that last changed the entries of a directory. */

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
  readonly path?: string | undefined
}

const PAGE = 64 << 10

export function lastModified(
  { engine }: RepositoryContext,
  spec: string,
  options: LastModifiedOptions,
): Listing<ModifiedEntry> {
  const begin = () => {
    checkOptions('lastModified', options, LAST_MODIFIED)
    checkArgument('lastModified', 'the revision', spec, text)
    return engine.pages({ kind: 'lastModified', spec, path: options.path ?? '' })
  }
  return { begin, rowsIn: decodeModified, capacity: PAGE, options }
}
