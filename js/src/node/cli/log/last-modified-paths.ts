/** The paths of `last-modified`, as directories and the entries in them that are asked for. */

import { fatal } from '../base/exit.js'
import type { Opened } from '../opening/command.js'
import { literalPaths } from '../repository/pathspec.js'

/** Entries of one directory; all of them if there are no names. */
export interface Group {
  readonly directory: string
  readonly names: readonly string[]
}

/**
 * Returns the directories to ask for: one walk answers for each. A path with a `/` at its end
 * stands for the entries of a directory, another one for an entry.
 */
export function groupsOf(
  opened: Opened,
  args: readonly string[],
  { trees }: { readonly trees: boolean },
): Group[] {
  if (args.length === 0) return [{ directory: '', names: [] }]
  const pattern = args.find((arg) => /[*?[\\]/.test(arg))
  if (pattern !== undefined) throw fatal(`packlens last-modified does not support '${pattern}'`)
  const paths = [...new Set(literalPaths(opened, opened.place.prefix, args))]
  if (paths.includes('')) {
    if (paths.length > 1) throw inside()
    return [{ directory: '', names: [] }]
  }
  if (trees && paths.some((path) => path.includes('/'))) {
    throw fatal('packlens last-modified does not support --show-trees of paths in directories')
  }
  const folders = paths.map((path) => (path.endsWith('/') ? path : `${path}/`))
  const isInside = (one: string, at: number) => {
    return folders.some((folder, other) => at !== other && one.startsWith(folder))
  }
  if (folders.some(isInside)) throw inside()
  const groups = new Map<string, string[]>()
  for (const path of paths) {
    const at = path.lastIndexOf('/')
    const directory = at < 0 ? '' : path.slice(0, at)
    const name = path.slice(at + 1)
    const own = groups.get(directory) ?? []
    groups.set(directory, name === '' ? own : [...own, name])
  }
  return [...groups].map(([directory, names]) => ({ directory, names }))
}

function inside() {
  return fatal('packlens last-modified does not support paths inside others')
}
