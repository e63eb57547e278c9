/** Makes archives of trees. */

import { encodeNames } from '../base/specs.js'
import { ARCHIVE } from '../options/full-tables.js'
import { checkArgument, checkOptions, text } from '../options/rules.js'
import type { ReadOptions } from './reading.js'
import type { RepositoryContext } from './repository-context.js'
import type { Listing } from './rows.js'

/** The options of {@link Repository.archive}. */
export interface ArchiveOptions extends ReadOptions {
  /** The format. Default: `tar`. */
  readonly format?: 'tar' | 'zip' | undefined
  /** What precedes every path: a directory ends with a slash. Default: nothing. */
  readonly prefix?: string | Uint8Array | undefined
  /** The files and directories that are archived, by their paths from the top. Default: all. */
  readonly paths?: string | Uint8Array | readonly (string | Uint8Array)[] | undefined
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
    const { format, prefix, paths = [], mtime } = options
    return engine.pages({
      kind: 'archive',
      spec,
      format,
      prefix: prefix === '' ? undefined : prefix,
      paths: encodeNames(paths),
      mtime: mtime === undefined ? undefined : secondsOf(mtime),
      now: secondsOf(Date.now() / 1000),
    })
  }
  return { begin, rowsIn: (page) => [page], capacity: PAGE, options }
}

function secondsOf(date: Date | number): number {
  return Math.floor(date instanceof Date ? date.getTime() / 1000 : date)
}
