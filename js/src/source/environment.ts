/** What a caller says of a repository that git takes from its environment. */
import type { RepositoryEnvironment } from '../core-session.js'
import { PacklensError } from '../errors.js'

/** Where a repository lies that is not where its source says. */
export interface LayoutOptions {
  /**
   * The git directory, as `GIT_DIR`: its path in a folder or a list of files that
   * was picked. It may be a `.git` file. Default: what the folder has.
   */
  readonly gitDir?: string | undefined
  /**
   * What linked worktrees share, as `GIT_COMMON_DIR`: for paths, `{ fs }` and
   * folders. Default: what the file `commondir` names.
   */
  readonly commonDir?: string | undefined
  /**
   * The directory of the objects, as `GIT_OBJECT_DIRECTORY`: a path where `source`
   * is one, else below the git directory or absolute. Default: `objects`.
   */
  readonly objectDirectory?: string | undefined
  /**
   * More directories to borrow objects from, as `GIT_ALTERNATE_OBJECT_DIRECTORIES`.
   * They come before those of `objects/info/alternates`.
   */
  readonly alternates?: readonly string[] | undefined
  /**
   * Reads what replace refs put in the place of objects. Default: yes, unless
   * `core.useReplaceRefs` says no, or they would have to be looked for on a server.
   * `false` is `GIT_NO_REPLACE_OBJECTS`.
   */
  readonly replace?: boolean | undefined
  /**
   * Uses commit-graphs, which only repeat what commits say: walks are faster, as right as
   * these files are. Default: yes, unless `core.commitGraph` says no. `false` is for
   * repositories of somebody who is not trusted to have written them with care.
   */
  readonly commitGraph?: boolean | undefined
}

/** Returns what of them the core is told. */
export function repositoryEnvironmentOf(options: LayoutOptions): RepositoryEnvironment {
  const { objectDirectory, alternates, replace, commitGraph } = options
  return {
    objectDirectory,
    alternates: alternates && { text: alternates.join('\0'), separator: '\0', base: '' },
    replaceBase: replace === false ? '' : undefined,
    withoutGraphs: commitGraph === false ? true : undefined,
  }
}

/** Refuses options that a kind of source does not have. */
export function refuse(
  options: LayoutOptions,
  names: readonly ('gitDir' | 'commonDir')[],
  why: string,
): void {
  for (const name of names) {
    if (options[name] !== undefined) throw new PacklensError('BAD_INPUT', `\`${name}\`: ${why}`)
  }
}
