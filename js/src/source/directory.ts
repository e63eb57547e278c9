/** Folders picked by the user, and the origin's private file system. */
import { PacklensError } from '../errors.js'
import { openHandle } from './access-handle.js'
import { fileFrom, unreadable } from './bytes.js'
import type { FileStore, StoredFile } from './store.js'
import { isPackFile } from './store.js'
import { targetOfDotGit } from './worktree.js'

/** Opens the git directory in `handle`: itself, its `.git` folder, or where its `.git` file leads. */
export async function directoryStore(handle: FileSystemDirectoryHandle): Promise<FileStore> {
  const gitDirectory = await findGitDirectory(handle)
  if (gitDirectory) return new DirectoryStore(gitDirectory)
  const what = 'no git repository in this folder: choose one that has a .git folder'
  throw new PacklensError('NOT_FOUND', what, { subject: handle.name })
}

async function findGitDirectory(
  handle: FileSystemDirectoryHandle,
): Promise<FileSystemDirectoryHandle | null> {
  const dotGit = await folderAt(handle, ['.git'])
  if (dotGit) return dotGit
  const file = await fileAt(handle, ['.git'])
  if (file) {
    const target = targetOfDotGit(await (await file.getFile()).text()) ?? ''
    const parts = target.split('/')
    const inside = !target.startsWith('/') && !parts.includes('..')
    const found = inside ? await folderAt(handle, parts) : null
    if (found) return found
    const what = 'the .git file leads out of this folder: choose the folder it names'
    throw new PacklensError('NOT_FOUND', what, { subject: target })
  }
  const bare = (await fileAt(handle, ['HEAD'])) && (await folderAt(handle, ['objects']))
  return bare ? handle : null
}

class DirectoryStore implements FileStore {
  readonly #root: FileSystemDirectoryHandle

  constructor(root: FileSystemDirectoryHandle) {
    this.#root = root
  }

  async open(path: string): Promise<StoredFile | null> {
    // An alternate that lies elsewhere on the disk is out of reach.
    const handle = path.startsWith('/') ? null : await fileAt(this.#root, path.split('/'))
    if (!handle) return null
    // A handle keeps others from writing: it is for files that are never rewritten.
    const held = isPackFile(path) ? await openHandle(handle) : null
    if (held) return held
    const file = await orNull(() => handle.getFile())
    return file && fileFrom(file)
  }

  async list(path: string): Promise<string[]> {
    const folder = path.startsWith('/') ? null : await folderAt(this.#root, path.split('/'))
    const names: string[] = []
    if (!folder) return names
    for await (const [name, entry] of folder.entries()) {
      names.push(entry.kind === 'directory' ? `${name}/` : name)
    }
    return names
  }
}

async function folderAt(
  root: FileSystemDirectoryHandle,
  parts: readonly string[],
): Promise<FileSystemDirectoryHandle | null> {
  let folder = root
  for (const part of parts) {
    if (part === '' || part === '.') continue
    const next = await orNull(() => folder.getDirectoryHandle(part))
    if (!next) return null
    folder = next
  }
  return folder
}

async function fileAt(
  root: FileSystemDirectoryHandle,
  parts: readonly string[],
): Promise<FileSystemFileHandle | null> {
  const folder = await folderAt(root, parts.slice(0, -1))
  const name = parts[parts.length - 1]
  if (!folder || !name) return null
  return orNull(() => folder.getFileHandle(name))
}

/** What is not there, or is a folder where a file was asked for, is `null`. */
async function orNull<T>(ask: () => Promise<T>): Promise<T | null> {
  try {
    return await ask()
  } catch (error) {
    const names = ['NotFoundError', 'TypeMismatchError', 'TypeError']
    if (error instanceof Error && names.includes(error.name)) return null
    throw unreadable(error)
  }
}
