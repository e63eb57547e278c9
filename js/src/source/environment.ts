/** Options for a repository's layout, which git takes from its environment. */

import { PacklensError } from '../base/errors.js'
import type { RepositoryEnvironment } from '../session/core-session.js'

/** Options that override a repository's layout, as git's environment variables do. */
export interface LayoutOptions {
  /**
   * The git directory, as `GIT_DIR`: its path in the folder or list of files that was picked; in
   * a folder it may be a `.git` file. Default: the git directory that is found there.
   */
  readonly gitDir?: string | undefined
  /**
   * The directory that linked worktrees share, as `GIT_COMMON_DIR`: for paths, `{ fs }` and
   * folders. Default: the directory that the file `commondir` names.
   */
  readonly commonDir?: string | undefined
  /**
   * The directory of objects, as `GIT_OBJECT_DIRECTORY`: a path if `source` is one; otherwise
   * relative to the git directory, or absolute. Default: `objects`.
   */
  readonly objectDirectory?: string | undefined
  /**
   * Additional directories of objects, as `GIT_ALTERNATE_OBJECT_DIRECTORIES`. They precede those
   * of `objects/info/alternates`.
   */
  readonly alternates?: readonly string[] | undefined
  /**
   * Reads the replacements of objects that have replace refs. Default: true, unless
   * `core.useReplaceRefs` is false, or the repository is on a server, where finding them takes
   * requests. `false` is `GIT_NO_REPLACE_OBJECTS`.
   */
  readonly replace?: boolean | undefined
  /**
   * Uses commit-graphs, which repeat the links and dates of commits: walks are faster, but only
   * as correct as these files. Default: true, unless `core.commitGraph` is false. Use `false`
   * for repositories from untrusted sources.
   */
  readonly commitGraph?: boolean | undefined
}

/** Returns the options that are passed to the core. */
export function repositoryEnvironmentOf(options: LayoutOptions): RepositoryEnvironment {
  const { objectDirectory, alternates, replace, commitGraph } = options
  return {
    objectDirectory,
    alternates: alternates && { text: alternates.join('\0'), separator: '\0', base: '' },
    replaceBase: replace === false ? '' : undefined,
    withoutGraphs: commitGraph === false ? true : undefined,
  }
}

/** @throws `BAD_INPUT` for options that a kind of source does not support */
export function refuse(
  options: LayoutOptions,
  names: readonly ('gitDir' | 'commonDir')[],
  why: string,
): void {
  for (const name of names) {
    if (options[name] !== undefined) throw new PacklensError('BAD_INPUT', `\`${name}\`: ${why}`)
  }
}
