/** Reads the environment variables of git that set a repository's location and view. */
import * as path from 'node:path'
import { configBoolean } from '../../../base/config-values.js'
import type { RepositoryEnvironment } from '../../../session/core-session.js'
import type { GivenDirectories } from '../../path-store.js'
import { fatal } from './exit.js'
import type { Io } from './io.js'

export interface Environment {
  readonly directories: GivenDirectories
  readonly environment: RepositoryEnvironment
}

/** Reads the variables; relative paths are below the current folder. */
export function environmentOf({ env, cwd }: Io): Environment {
  const at = (name: string) => (env[name] ? path.resolve(cwd, env[name]) : undefined)
  /** An empty variable means no file, while an unset one means the default file. */
  const file = (name: string) => (env[name] === '' ? '' : at(name))
  const objectDirectory = at('GIT_OBJECT_DIRECTORY')
  const alternates = env.GIT_ALTERNATE_OBJECT_DIRECTORIES
  return {
    directories: { commonDir: at('GIT_COMMON_DIR'), objectDirectory },
    environment: {
      objectDirectory,
      alternates: alternates
        ? { text: alternates, separator: path.delimiter, base: cwd }
        : undefined,
      replaceBase: replaceBase(env),
      shallowFile: file('GIT_SHALLOW_FILE'),
      graftFile: file('GIT_GRAFT_FILE'),
      indexFile: file('GIT_INDEX_FILE'),
      // Promised objects are missing, as for a git that is not allowed to fetch.
      hidesPromised: true,
      listsLooseOnce: true,
    },
  }
}

/** Where refs of replacements are by default. */
export const REPLACEMENTS = 'refs/replace/'

/** Returns where refs of replacements are; `undefined` for the default, empty for nowhere. */
export function replaceBase(env: Io['env']): string | undefined {
  if (env.GIT_NO_REPLACE_OBJECTS !== undefined) return ''
  const base = env.GIT_REPLACE_REF_BASE
  return base && !base.endsWith('/') ? `${base}/` : base || undefined
}

/** Returns whether a variable is set to what git takes for true. */
export function isSet({ env }: Pick<Io, 'env'>, name: string): boolean {
  const value = env[name] ?? 'false'
  const flag = configBoolean(value)
  if (flag === null) throw fatal(`bad boolean environment value '${value}' for '${name}'`)
  return flag
}
