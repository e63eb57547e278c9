/** The files of `<input type="file" webkitdirectory>`, or of a drop. */
import { PacklensError } from '../errors.js'
import { fileFrom } from './bytes.js'
import { mapStore } from './packs.js'
import type { FileStore, StoredFile } from './store.js'

/** Files, each with its path: `webkitRelativePath`, or its name without one. */
export type Files = Iterable<File>

export function fileListStore(list: Files): FileStore {
  const files = Array.from(list, (file) => ({ path: file.webkitRelativePath || file.name, file }))
  const root = gitDirectory(files.map(({ path }) => path))
  const inside = new Map<string, StoredFile>()
  for (const { path, file } of files) {
    if (path.startsWith(root)) inside.set(path.slice(root.length), fileFrom(file))
  }
  return mapStore(inside)
}

/** A repository without objects has no file below `objects`. */
function isInside(path: string, prefix: string): boolean {
  return path.startsWith(`${prefix}objects/`) || path === `${prefix}config`
}

/** Returns what the paths of the git directory begin with, the outermost first. */
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
