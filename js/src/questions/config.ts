/** Reads the configuration of a repository. */

import type { MaybePromise } from '../base/maybe.js'
import { encodeTexts } from '../base/specs.js'
import type { Config, ConfigScope } from '../base/types.js'
import { ConfigVariables, decodeConfig } from '../objects/config.js'
import { CONFIG } from '../options/full-tables.js'
import { checkOptions } from '../options/rules.js'
import { listing } from './commit-walks.js'
import type { ReadOptions } from './reading.js'
import type { RepositoryContext } from './repository-context.js'
import { ofAllRows } from './repository-context.js'

/** The options of {@link Repository.config}. */
export interface ConfigOptions extends ReadOptions {
  /** Only reads the file of the repository, or that of the worktree. Default: both. */
  readonly scope?: ConfigScope | undefined
  /** Whether to read the files that `include` and `includeIf` name. Default: true. */
  readonly includes?: boolean | undefined
  /** The absolute path of the git directory, for the conditions `gitdir:` and `gitdir/i:`. */
  readonly gitDir?: string | undefined
  /** The absolute path of the user's home directory, for paths that begin with `~/`. */
  readonly home?: string | undefined
}

export function config(
  context: RepositoryContext,
  options: ConfigOptions = {},
): MaybePromise<Config> {
  checkOptions('config', options, CONFIG)
  const { scope = 'both', includes = true, gitDir = [], home = [] } = options
  const begin = () =>
    context.engine.pages({
      kind: 'config',
      files: scope,
      withoutIncludes: !includes,
      gitDirs: encodeTexts(gitDir),
      homes: encodeTexts(home),
    })
  const rows = listing(context, begin, decodeConfig, options)
  return ofAllRows(context, rows, (all) => new ConfigVariables(all))
}
