/** Where a command runs: in which repository, and where in its work tree. */
import * as fs from 'node:fs'
import * as path from 'node:path'
import { discover, type GivenPlaces, gitDirectoryAt } from '../path-store.js'
import { bytesOfArgument, textOfBytes } from './bytes.js'
import { fatal } from './exit.js'
import type { Io } from './io.js'

export interface Place {
  readonly gitDir: string
  /** The folder that paths in trees are below, `null` without a work tree. */
  readonly top: string | null
  /** The current folder below that: empty, or with a slash behind it. */
  readonly prefix: string
  /** What messages call the repository. */
  readonly name: string
}

/** Finds the repository: the one that was named, or around the current folder. */
export function findPlace(io: Io, named: string | undefined, given: GivenPlaces): Place {
  if (named !== undefined) return namedPlace(io, named, given)
  const folder = discover(io.cwd, given)
  const directory = folder === null ? null : gitDirectoryAt(folder, given)
  if (folder === null || directory === null) {
    throw fatal('not a git repository (or any of the parent directories): .git')
  }
  const { gitDir } = directory
  if (!fs.existsSync(path.join(folder, '.git'))) {
    const name = gitDir === io.cwd ? `${gitDir}/.` : gitDir
    return { gitDir, top: null, prefix: '', name }
  }
  const below = path.relative(folder, io.cwd).split(path.sep).join('/')
  const prefix = below === '' ? '' : `${bytesOfArgument(below)}/`
  return { gitDir, top: folder, prefix, name: folder }
}

/** A repository that is named has its work tree in the current folder. */
function namedPlace(io: Io, named: string, given: GivenPlaces): Place {
  const place = path.resolve(io.cwd, named)
  const isFile = fs.statSync(place, { throwIfNoEntry: false })?.isFile()
  const there = isFile || fs.existsSync(path.join(place, 'HEAD'))
  const directory = there ? gitDirectoryAt(place, given) : null
  if (!directory) throw fatal(`not a git repository: '${named}'`)
  return { gitDir: directory.gitDir, top: io.cwd, prefix: '', name: io.cwd }
}

/**
 * Returns a path as it stands in trees: below `prefix`, without `.`, `..` and
 * empty parts, `null` if that leads out. A slash at its end stays.
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

/** As {@link normalizePath}, for a path that may be absolute; `name` for messages. */
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
