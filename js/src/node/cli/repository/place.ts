/** Finds where a command runs: its repository, and the current folder in the work tree. */
import * as fs from 'node:fs'
import * as path from 'node:path'
import { discover, type GivenDirectories, gitDirectoryAt } from '../../path-store.js'
import { fatal } from '../base/exit.js'
import type { Io } from '../base/io.js'
import { bytesOfArgument, textOfBytes } from '../text/bytes.js'

export interface Place {
  readonly gitDir: string
  /** The top folder of the work tree, which paths in trees start from; `null` without one. */
  readonly top: string | null
  /** The current folder relative to `top`: empty, or with a slash at its end. */
  readonly prefix: string
  /** Whether the repository has no work tree, even if the current folder stands for one. */
  readonly isBare: boolean
  /** The name of the repository in messages. */
  readonly name: string
}

/** Finds the repository: the named one, or the one that the current folder is in. */
export function findPlace(io: Io, named: string | undefined, given: GivenDirectories): Place {
  if (named !== undefined) return namedPlace(io, named, given)
  const folder = discover(io.cwd, given)
  const directory = folder === null ? null : gitDirectoryAt(folder, given)
  if (folder === null || directory === null) {
    throw fatal('not a git repository (or any of the parent directories): .git')
  }
  const { gitDir } = directory
  if (!fs.existsSync(path.join(folder, '.git'))) {
    const name = gitDir === io.cwd ? `${gitDir}/.` : gitDir
    return { gitDir, top: null, prefix: '', isBare: true, name }
  }
  const below = path.relative(folder, io.cwd).split(path.sep).join('/')
  const prefix = below === '' ? '' : `${bytesOfArgument(below)}/`
  return { gitDir, top: folder, prefix, isBare: false, name: folder }
}

/** Returns the place of a named repository, whose work tree is the current folder. */
function namedPlace(io: Io, named: string, given: GivenDirectories): Place {
  const place = path.resolve(io.cwd, named)
  const isFile = fs.statSync(place, { throwIfNoEntry: false })?.isFile()
  const there = isFile || fs.existsSync(path.join(place, 'HEAD'))
  const directory = there ? gitDirectoryAt(place, given) : null
  if (!directory) throw fatal(`not a git repository: '${named}'`)
  const { gitDir } = directory
  // As git guesses, where the config does not say.
  const isBare = !isFile && path.basename(gitDir) !== '.git'
  return { gitDir, top: io.cwd, prefix: '', isBare, name: io.cwd }
}

/**
 * Returns a path as trees have it: below `prefix`, without `.`, `..` and empty parts, but with
 * the slash at its end; `null` if the path leads out of the tree.
 */
export function normalizePath(prefix: string, given: string): string | null {
  const parts: string[] = []
  const all = `${prefix}${given}`.split('/')
  for (const part of all) {
    if (part === '..') {
      if (parts.pop() === undefined) return null
    } else if (part !== '' && part !== '.') parts.push(part)
  }
  const last = all[all.length - 1] ?? ''
  const asFolder = parts.length > 0 && ['', '.', '..'].includes(last)
  return parts.join('/') + (asFolder ? '/' : '')
}

/** As {@link normalizePath}, but the path may be absolute; messages begin with `name`. */
export function pathInTree(place: Place, prefix: string, given: string, name: string): string {
  const outside = () => {
    return fatal(`${name}'${textOfBytes(given)}' is outside repository at '${place.name}'`)
  }
  let below: string | null = null
  if (!given.startsWith('/')) below = normalizePath(prefix, given)
  else if (place.top !== null) {
    const top = `${bytesOfArgument(place.top)}/`
    const whole = `${given}/`.startsWith(top) ? given.slice(top.length) : null
    below = whole === null ? null : normalizePath('', whole)
  }
  if (below === null) throw outside()
  return below
}
