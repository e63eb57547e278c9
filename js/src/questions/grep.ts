/** Searches the files of a tree. */

import type { GrepQuestion } from '../base/protocol.js'
import { encodeNames } from '../base/specs.js'
import type { GrepHit } from '../base/types.js'
import { decodeGrep } from '../objects/grep-record.js'
import { GREP, patterns } from '../options/full-tables.js'
import { checkArgument, checkOptions, text } from '../options/rules.js'
import { elementsOf } from './paths.js'
import type { PathOptions, ReadOptions } from './reading.js'
import type { RepositoryContext } from './repository-context.js'
import type { Listing } from './rows.js'

/** The options of {@link Repository.grep}: those of `git grep`. */
export interface GrepOptions extends ReadOptions, PathOptions {
  /** How the patterns are written. Default: `basic`, regular expressions as in regex(7). */
  readonly syntax?: 'basic' | 'extended' | 'fixed' | undefined
  /** Upper and lower case are the same. Default: false. */
  readonly ignoreCase?: boolean | undefined
  /** Matches begin and end at words. Default: false. */
  readonly word?: boolean | undefined
  /** Lists lines that do not match. Default: false. */
  readonly invert?: boolean | undefined
  /** Searches only files in which each pattern matches a line. Default: false. */
  readonly allMatch?: boolean | undefined
  /** What is listed. Default: `lines`. */
  readonly answer?: 'lines' | 'counts' | 'files' | 'files-without' | undefined
  /** Mentions that a binary file matches, searches it as text, or skips it. Default: `mention`. */
  readonly binary?: 'mention' | 'text' | 'skip' | undefined
  /** Finds where lines match. Default: false. */
  readonly columns?: boolean | undefined
  /** How many lines before a match are listed, too. Default: 0. */
  readonly before?: number | undefined
  /** How many lines after a match are listed, too. Default: 0. */
  readonly after?: number | undefined
  /** Also lists the line with the name of the function (`-p`). Default: false. */
  readonly function?: boolean | undefined
  /** Also lists the whole function (`-W`). Default: false. */
  readonly functionContext?: boolean | undefined
  /** The most matches of a file. Default: all. */
  readonly maxCount?: number | undefined
  /**
   * How many directories below the top, or below a path, are entered; elements of `pathspec` with
   * wildcards have no such limit. Default: all.
   */
  readonly maxDepth?: number | undefined
  /** Whether the attributes of the tree say which files are binary. Default: true. */
  readonly attributes?: boolean | undefined
}

/** Small, so that the first lines come early. */
const PAGE = 16 << 10

export function grep(
  { engine }: RepositoryContext,
  spec: string,
  pattern: Patterns,
  options: GrepOptions = {},
): Listing<GrepHit> {
  const begin = () => {
    checkOptions('grep', options, GREP)
    checkArgument('grep', 'the revision', spec, text)
    checkArgument('grep', 'the pattern', pattern, patterns)
    const { signal: _, path, pathspec, attributes, ...flags } = options
    const all = typeof pattern === 'string' || pattern instanceof Uint8Array ? [pattern] : pattern
    const question: GrepQuestion = {
      kind: 'grep',
      spec,
      expression: encodeNames(all.map(token)),
      ...flags,
      pathspec: elementsOf({ path, pathspec }),
      withoutAttributes: attributes === false,
    }
    return engine.pages(question)
  }
  return { begin, rowsIn: decodeGrep, capacity: PAGE, options }
}

/** A pattern, or several of which one must match. */
export type Patterns = string | Uint8Array | readonly (string | Uint8Array)[]

/** Returns a pattern as a token of an expression of the core: after a `p`. */
function token(pattern: string | Uint8Array): string | Uint8Array {
  if (typeof pattern === 'string') return `p${pattern}`
  const bytes = new Uint8Array(pattern.length + 1)
  bytes[0] = 'p'.charCodeAt(0)
  bytes.set(pattern, 1)
  return bytes
}
