/** Where git's configuration of the system and of the user is: git-config(1), FILES. */
import * as fs from 'node:fs'
import * as path from 'node:path'
import { isSet } from '../base/environment.js'
import type { Io } from '../base/io.js'
import { bytesOfArgument } from '../text/bytes.js'

const SYSTEM = '/etc/gitconfig'

/** Returns the files that exist, of which later ones take precedence. */
export function configFiles(io: Io): string[] {
  const { env } = io
  const system = isSet(io, 'GIT_CONFIG_NOSYSTEM') ? [] : [env.GIT_CONFIG_SYSTEM ?? SYSTEM]
  const own = [userFile({ env }, 'config'), env.HOME ? path.join(env.HOME, '.gitconfig') : null]
  const user = env.GIT_CONFIG_GLOBAL === undefined ? own : [env.GIT_CONFIG_GLOBAL]
  return [...system, ...user].filter((file): file is string => file !== null && isFile(file))
}

/** Returns the bytes of the path of a file that git reads by default; `null` if there is none. */
export function defaultFile(io: Pick<Io, 'env'>, name: 'ignore' | 'attributes'): string | null {
  const file = userFile(io, name)
  return file !== null && isFile(file) ? bytesOfArgument(file) : null
}

/** Returns the path of a file of the user, in `~/.config/git` or what stands for that. */
function userFile({ env }: Pick<Io, 'env'>, name: string): string | null {
  if (env.XDG_CONFIG_HOME) return path.join(env.XDG_CONFIG_HOME, 'git', name)
  return env.HOME ? path.join(env.HOME, '.config', 'git', name) : null
}

function isFile(file: string): boolean {
  return file !== '' && (fs.statSync(file, { throwIfNoEntry: false })?.isFile() ?? false)
}
