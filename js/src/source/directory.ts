/** Folders that the user picked, and folders of the origin private file system. */
import { PacklensError } from '../base/errors.js'
import { openHandle } from './access-handle.js'
import { fileFrom, unreadable } from './bytes.js'
import type { LayoutOptions } from './environment.js'
import { unreadableFile } from './failed.js'
import { outside, placeInside } from './inside.js'
import type { FileStore, StoredFile } from './store.js'
import { isPackFile } from './store.js'
import type { GitDirectory } from './worktree.js'
import { located, ownRefs, targetOfDotGit } from './worktree.js'

/**
 * Opens the git directory in a folder: `gitDir` if it is given, otherwise `.git`, which may be
 * a file that names the directory, otherwise the folder itself.
 */
export async function directoryStore(
  root: FileSystemDirectoryHandle,
  options: LayoutOptions,
): Promise<FileStore> {
  const candidates = options.gitDir === undefined ? ['.git', '.'] : [options.gitDir]
  for (const candidate of candidates) {
    const place = await gitDirectoryAt(root, candidate, options)
    if (place) return new DirectoryStore(root, place, options.alternates !== undefined)
  }
  const what = 'no git repository in this folder: choose one that has a .git folder'
  throw new PacklensError('NOT_FOUND', what, { subject: options.gitDir ?? root.name })
}

/** The components of a path in the opened folder. */
type PathComponents = readonly string[]

async function gitDirectoryAt(
  root: FileSystemDirectoryHandle,
  candidate: string,
  { commonDir, objectDirectory }: LayoutOptions,
): Promise<GitDirectory<PathComponents> | null> {
  const place = placeInside([], candidate)
  const target = place && targetOfDotGit((await textAt(root, place)) ?? '')
  const gitDir = target ? placeInside(place.slice(0, -1), target) : place
  if (!gitDir) {
    const what =
      'the .git file names a folder outside this one: open that, or a folder that contains both, with `gitDir` its path there'
    throw new PacklensError('NOT_FOUND', what, { subject: target ?? candidate })
  }
  if (!(await fileAt(root, [...gitDir, 'HEAD']))) return null
  const named = (await textAt(root, [...gitDir, 'commondir']))?.trimEnd()
  const refDir = named ? placeInside(gitDir, named) : gitDir
  const common = commonDir === undefined ? refDir : placeInside([], commonDir)
  if (!common || !refDir) throw outside(commonDir ?? named ?? '')
  const objects = placeInside(common, objectDirectory ?? 'objects')
  return objects && (await folderAt(root, objects)) && { gitDir, commonDir: common, refDir }
}

async function textAt(
  root: FileSystemDirectoryHandle,
  components: PathComponents,
): Promise<string | null> {
  const file = await (await fileAt(root, components))?.getFile()
  return file ? file.text() : null
}

class DirectoryStore implements FileStore {
  readonly #root: FileSystemDirectoryHandle
  readonly #place: GitDirectory<PathComponents>
  /**
   * Whether paths outside of the folder are missing files instead of errors: if the caller
   * gave `alternates`, those that the repository names may be outside.
   */
  readonly #lenient: boolean

  constructor(
    root: FileSystemDirectoryHandle,
    place: GitDirectory<PathComponents>,
    lenient: boolean,
  ) {
    this.#root = root
    this.#place = place
    this.#lenient = lenient
  }

  async open(path: string): Promise<StoredFile | null> {
    const place = this.#placeOf(path)
    // Not every file must be read: those that a configuration includes are left out.
    if (!place && !this.#lenient) return unreadableFile(outside(path))
    const handle = place && (await fileAt(this.#root, place))
    if (!handle) return null
    // A handle prevents others from writing, so only files that are never rewritten get one.
    const held = isPackFile(path) ? await openHandle(handle) : null
    if (held) return held
    const file = await orNull(() => handle.getFile())
    return file && fileFrom(file)
  }

  async list(path: string): Promise<string[]> {
    const { gitDir, refDir } = this.#place
    const names = await this.#namesIn(this.#locate(path))
    if (path !== 'refs' || gitDir === refDir) return names
    const isOwn = (name: string) => ownRefs.some((own) => name === `${own}/`)
    const own = await this.#namesIn([...gitDir, 'refs'])
    return [...names.filter((name) => !isOwn(name)), ...own.filter(isOwn)]
  }

  async #namesIn(place: PathComponents | null): Promise<string[]> {
    const folder = place && (await folderAt(this.#root, place))
    const names: string[] = []
    if (!folder) return names
    for await (const [name, entry] of folder.entries()) {
      names.push(entry.kind === 'directory' ? `${name}/` : name)
    }
    return names
  }

  #placeOf(path: string): PathComponents | null {
    return placeInside(...located(path, this.#place))
  }

  #locate(path: string): PathComponents | null {
    const place = this.#placeOf(path)
    if (!place && !this.#lenient) throw outside(path)
    return place
  }
}

async function folderAt(
  root: FileSystemDirectoryHandle,
  components: PathComponents,
): Promise<FileSystemDirectoryHandle | null> {
  let folder = root
  for (const name of components) {
    if (name === '' || name === '.') continue
    const next = await orNull(() => folder.getDirectoryHandle(name))
    if (!next) return null
    folder = next
  }
  return folder
}

async function fileAt(
  root: FileSystemDirectoryHandle,
  components: PathComponents,
): Promise<FileSystemFileHandle | null> {
  const folder = await folderAt(root, components.slice(0, -1))
  const name = components[components.length - 1]
  if (!folder || !name || name === '.') return null
  return orNull(() => folder.getFileHandle(name))
}

/** Returns `null` for a missing entry, and for a folder in place of a file or the reverse. */
async function orNull<T>(ask: () => Promise<T>): Promise<T | null> {
  try {
    return await ask()
  } catch (error) {
    const names = ['NotFoundError', 'TypeMismatchError', 'TypeError']
    if (error instanceof Error && names.includes(error.name)) return null
    throw unreadable(error)
  }
}
