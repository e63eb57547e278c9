/** Files and folders below a folder that a page was given. */
import { unreadable } from './bytes.js'

/** The components of a path in the opened folder. */
export type PathComponents = readonly string[]

export async function folderAt(
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

export async function fileAt(
  root: FileSystemDirectoryHandle,
  components: PathComponents,
): Promise<FileSystemFileHandle | null> {
  const folder = await folderAt(root, components.slice(0, -1))
  const name = components[components.length - 1]
  if (!folder || !name || name === '.') return null
  return orNull(() => folder.getFileHandle(name))
}

/** Returns `null` for a missing entry, and for a folder in place of a file or the reverse. */
export async function orNull<T>(ask: () => Promise<T>): Promise<T | null> {
  try {
    return await ask()
  } catch (error) {
    const names = ['NotFoundError', 'TypeMismatchError', 'TypeError']
    if (error instanceof Error && names.includes(error.name)) return null
    throw unreadable(error)
  }
}
