/** Folders that the user picked, and folders of the origin private file system. */
import { PacklensError } from '../base/errors.js'
import { openHandle } from './access-handle.js'
import { fileFrom } from './bytes.js'
import type { PathComponents } from './directory-handles.js'
import { fileAt, folderAt, orNull } from './directory-handles.js'
import { describeDirectory, describeIndex } from './directory-worktree.js'
import type { LayoutOptions } from './environment.js'
import { unreadableFile } from './failed.js'
import { outside, placeInside } from './inside.js'
import type { FileStore, StoredFile } from './store.js'
import { isPackFile } from './store.js'
import type { GitDirectory } from './worktree.js'
import {
  gitInWorktree,
  located,
  ownRefs,
  targetOfDotGit,
  worktreeFiles,
  worktreeStat,
} from './worktree.js'

/** Bytes: longer files are neither `.git` nor `commondir`, and are not read. */
const MOST_TEXT = 1 << 16

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
    const lenient = options.alternates !== undefined
    if (place) return new DirectoryStore(root, place, lenient, worktreeOf(candidate))
  }
  const what = 'no git repository in this folder: choose one that has a .git folder'
  throw new PacklensError('NOT_FOUND', what, { subject: options.gitDir ?? root.name })
}

/** Returns the folder of the work tree: that which has the git directory as its `.git`. */
function worktreeOf(candidate: string): PathComponents | null {
  const place = placeInside([], candidate) ?? []
  return place.at(-1) === '.git' ? place.slice(0, -1) : null
}

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

/**
 * Returns the git directory of a folder within the work tree. One that is `outside` of the opened
 * folder cannot be looked at; git would find it.
 */
async function repositoryAt(
  root: FileSystemDirectoryHandle,
  dotGit: PathComponents,
): Promise<GitDirectory<PathComponents> | 'outside' | null> {
  try {
    return await gitDirectoryAt(root, dotGit.join('/'), {})
  } catch (error) {
    if (error instanceof PacklensError && error.code === 'NOT_FOUND') return 'outside'
    throw error
  }
}

async function textAt(
  root: FileSystemDirectoryHandle,
  components: PathComponents,
): Promise<string | null> {
  const file = await (await fileAt(root, components))?.getFile()
  return file && file.size <= MOST_TEXT ? file.text() : null
}

class DirectoryStore implements FileStore {
  readonly #root: FileSystemDirectoryHandle
  readonly #place: GitDirectory<PathComponents>
  /**
   * Whether paths outside of the folder are missing files instead of errors: if the caller
   * gave `alternates`, those that the repository names may be outside.
   */
  readonly #lenient: boolean
  /** The top folder of the work tree; `null` for none. */
  readonly #worktree: PathComponents | null

  constructor(
    root: FileSystemDirectoryHandle,
    place: GitDirectory<PathComponents>,
    lenient: boolean,
    worktree: PathComponents | null,
  ) {
    this.#root = root
    this.#place = place
    this.#lenient = lenient
    this.#worktree = worktree
  }

  async open(path: string): Promise<StoredFile | null> {
    if (path.startsWith(worktreeFiles)) return this.#openInWorktree(path)
    const place = this.#placeOf(path)
    // Not every file must be read: those that a configuration includes are left out.
    if (!place && !this.#lenient) return unreadableFile(outside(path))
    const handle = place && (await fileAt(this.#root, place))
    if (!handle) return null
    // A handle prevents others from writing, so only files that are never rewritten get one.
    const held = isPackFile(path) ? await openHandle(handle) : null
    if (held) return held
    return openedFile(handle)
  }

  async #openInWorktree(path: string): Promise<StoredFile | null> {
    if (this.#worktree === null) return null
    const git = path.indexOf(gitInWorktree)
    if (git >= 0) {
      const inner = await this.#submodule(path, git)
      return inner?.open(path.slice(git + gitInWorktree.length)) ?? null
    }
    const place = placeInside(this.#worktree, path.slice(worktreeFiles.length))
    const handle = place && (await fileAt(this.#root, place))
    return handle && openedFile(handle)
  }

  /** Returns the store of a submodule, whose path is before `git`. */
  async #submodule(path: string, git: number): Promise<DirectoryStore | null> {
    const place = placeInside(this.#worktree ?? [], path.slice(worktreeFiles.length, git))
    const inner = place && (await repositoryAt(this.#root, [...place, '.git']))
    if (!inner || inner === 'outside') return null
    return new DirectoryStore(this.#root, inner, true, place)
  }

  async #listInWorktree(path: string): Promise<(string | Uint8Array)[]> {
    if (this.#worktree === null) return []
    const git = path.indexOf(gitInWorktree)
    if (git >= 0) {
      const inner = await this.#submodule(path, git)
      return inner?.list(path.slice(git + gitInWorktree.length)) ?? []
    }
    const place = placeInside(this.#worktree, path.slice(worktreeFiles.length))
    const folder = place && (await folderAt(this.#root, place))
    if (!folder) return []
    const dotGit = [...place, '.git']
    return describeDirectory(folder, async () => (await repositoryAt(this.#root, dotGit)) !== null)
  }

  async list(path: string): Promise<(string | Uint8Array)[]> {
    if (path.startsWith(worktreeFiles)) return this.#listInWorktree(path)
    if (path.startsWith(worktreeStat)) {
      const index = this.#worktree && this.#placeOf(path.slice(worktreeStat.length))
      return index ? describeIndex(await fileAt(this.#root, index)) : []
    }
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

async function openedFile(handle: FileSystemFileHandle): Promise<StoredFile | null> {
  const file = await orNull(() => handle.getFile())
  return file && fileFrom(file)
}
