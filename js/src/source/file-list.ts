/** The files of `<input type="file" webkitdirectory>`, or of a drop. */
import { PacklensError } from '../base/errors.js'
import { fileFrom } from './bytes.js'
import type { LayoutOptions } from './environment.js'
import { unreadableFile } from './failed.js'
import { outside, placeInside } from './inside.js'
import { mapStore } from './packs.js'
import type { FileStore, StoredFile } from './store.js'

/** Files, each with its path: `webkitRelativePath`, or its name without one. */
export type Files = Iterable<File>

export function fileListStore(list: Files, options: LayoutOptions): FileStore {
  const files = new Map<string, StoredFile>()
  for (const file of list) files.set(file.webkitRelativePath || file.name, fileFrom(file))
  const paths = [...files.keys()]
  const root = options.gitDir === undefined ? gitDirectory(paths) : named(paths, options.gitDir)
  const from = root.split('/').slice(0, -1)
  // A worktree may have many files, which listings of the git directory should not scan.
  const inside = mapStore(new Map([...files].filter(([path]) => path.startsWith(root))))
  const around = mapStore(files)
  const storeAt = (place: string) => (`${place}/`.startsWith(root) ? inside : around)
  const locate = (path: string): string | null => {
    const place = placeInside(from, path)
    // The first component of all paths is the folder that was picked.
    if (place && (from.length === 0 || place[0] === from[0])) return place.join('/')
    return options.alternates ? '' : null
  }
  const encoder = new TextEncoder()
  return {
    open(path) {
      const place = locate(path)
      // Not every file must be read: those that a configuration includes are left out.
      if (place === null) return unreadableFile(outside(path))
      return storeAt(place).open(place, encoder.encode(path))
    },
    list(path) {
      const place = locate(path)
      if (place === null) throw outside(path)
      return storeAt(place).list(place, encoder.encode(path))
    },
  }
}

/** Returns the prefix of paths in the git directory `gitDir`. */
function named(paths: readonly string[], gitDir: string): string {
  const picked = paths.find((path) => path.includes('/'))?.split('/', 1) ?? []
  const root = `${placeInside(picked, gitDir)?.join('/')}/`
  if (paths.includes(`${root}HEAD`)) return root
  throw new PacklensError('NOT_FOUND', 'not a git repository', { subject: gitDir })
}

/**
 * Returns whether a path shows that `prefix` is a git directory. A repository without objects
 * has no file below `objects`, but a `config`.
 */
function isInside(path: string, prefix: string): boolean {
  return path.startsWith(`${prefix}objects/`) || path === `${prefix}config`
}

/** Returns the prefix of paths in the git directory: the outermost, if there are several. */
export function gitDirectory(paths: readonly string[]): string {
  const heads = paths
    .filter((path) => path === 'HEAD' || path.endsWith('/HEAD'))
    .map((path) => path.slice(0, path.length - 'HEAD'.length))
    .filter((prefix) => paths.some((path) => isInside(path, prefix)))
    .sort((a, b) => a.split('/').length - b.split('/').length)
  if (heads[0] !== undefined) return heads[0]
  const what = 'no git repository among the files: choose a folder that has a .git folder'
  throw new PacklensError('NOT_FOUND', what)
}
