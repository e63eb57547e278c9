/** Makes archives of trees. */

import { ARCHIVE } from '../options/full-tables.js'
import { checkArgument, checkOptions, text } from '../options/rules.js'
import { elementsOf } from './paths.js'
import type { ReadOptions } from './reading.js'
import type { RepositoryContext } from './repository-context.js'
import type { Listing } from './rows.js'

/** The options of {@link Repository.archive}. */
export interface ArchiveOptions extends ReadOptions {
  /** The format; `tar.gz` is a tar file compressed by gzip. Default: `tar`. */
  readonly format?: 'tar' | 'tar.gz' | 'zip' | undefined
  /** What precedes every path: a directory ends with a slash. Default: nothing. */
  readonly prefix?: string | Uint8Array | undefined
  /** The files and directories that are archived, by their paths from the top. Default: all. */
  readonly paths?: string | Uint8Array | readonly (string | Uint8Array)[] | undefined
  /** Elements of a pathspec, such as `:!docs`; one that selects nothing is an error, as in git. */
  readonly pathspec?: string | Uint8Array | readonly (string | Uint8Array)[] | undefined
  /**
   * How hard to compress, from 0 (not at all) to 9. Default: the default of zlib; in zip files
   * blobs that a pack has whole keep their compressed bytes.
   */
  readonly level?: number | undefined
  /** The date of all entries. Default: that of the commit; now for a tree without one. */
  readonly mtime?: Date | number | undefined
}

const PAGE = 64 << 10

export function archive(
  { engine }: RepositoryContext,
  spec: string,
  options: ArchiveOptions = {},
): Listing<Uint8Array<ArrayBuffer>> {
  const begin = () => {
    checkOptions('archive', options, ARCHIVE)
    checkArgument('archive', 'the revision', spec, text)
    const { format, prefix, paths, pathspec, level, mtime } = options
    return engine.pages({
      kind: 'archive',
      spec,
      format,
      prefix: prefix === '' ? undefined : prefix,
      pathspec: elementsOf({ path: paths, pathspec }),
      level,
      mtime: mtime === undefined ? undefined : secondsOf(mtime),
      now: secondsOf(Date.now() / 1000),
    })
  }
  return { begin, rowsIn: (page) => [page], capacity: PAGE, options }
}

function secondsOf(date: Date | number): number {
  return Math.floor(date instanceof Date ? date.getTime() / 1000 : date)
}
