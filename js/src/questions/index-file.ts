/** Lists the entries of the index of a worktree. */

import type { IndexQuestion } from '../base/protocol.js'
import type { IndexFileEntry } from '../base/types.js'
import { decodeIndexFile } from '../objects/index-file-entry.js'
import { INDEX } from '../options/full-tables.js'
import { checkOptions } from '../options/rules.js'
import { elementsOf } from './paths.js'
import type { PathOptions, ReadOptions } from './reading.js'
import type { RepositoryContext } from './repository-context.js'
import type { Listing } from './rows.js'

/** The options of {@link Repository.index}. */
export interface IndexOptions extends ReadOptions, PathOptions {
  /**
   * Lists the directories of a sparse index as they are, with a slash at the end of their paths.
   * Default: false, their files are listed, whose trees are read.
   */
  readonly sparse?: boolean | undefined
}

const PAGE = 64 << 10

export function index(
  { engine }: RepositoryContext,
  options: IndexOptions = {},
): Listing<IndexFileEntry> {
  const begin = () => {
    checkOptions('index', options, INDEX)
    const { sparse, path, pathspec } = options
    const question: IndexQuestion = {
      kind: 'index',
      sparse,
      pathspec: elementsOf({ path, pathspec }),
    }
    return engine.pages(question)
  }
  return { begin, rowsIn: decodeIndexFile, capacity: PAGE, options }
}
