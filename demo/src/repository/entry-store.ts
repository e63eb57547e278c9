/** Reads a dropped folder as a store, for browsers that give no handle for it. */
import type { Store } from 'packlens'
import { errors } from '../words/errors'

export async function entryStore(folder: FileSystemDirectoryEntry): Promise<Store> {
  const dotGit = await directoryIn(folder, '.git')
  const bare = (await fileIn(folder, 'HEAD')) && (await directoryIn(folder, 'objects'))
  const root = dotGit ?? (bare ? folder : null)
  if (!root) {
    throw new Error(errors.noRepository(folder.name))
  }
  return {
    get: (path) => fileIn(root, path),
    async list(path) {
      const directory = await directoryIn(root, path)
      return directory ? namesIn(directory) : []
    },
  }
}

function directoryIn(
  folder: FileSystemDirectoryEntry,
  path: string,
): Promise<FileSystemDirectoryEntry | null> {
  return new Promise((resolve) => {
    const found = (entry: FileSystemEntry) => resolve(entry as FileSystemDirectoryEntry)
    folder.getDirectory(path, {}, found, () => resolve(null))
  })
}

function fileIn(folder: FileSystemDirectoryEntry, path: string): Promise<File | null> {
  return new Promise((resolve, reject) => {
    const found = (entry: FileSystemEntry) => (entry as FileSystemFileEntry).file(resolve, reject)
    folder.getFile(path, {}, found, () => resolve(null))
  })
}

async function namesIn(folder: FileSystemDirectoryEntry): Promise<string[]> {
  const reader = folder.createReader()
  const names: string[] = []
  for (;;) {
    // Some browsers return at most a hundred entries at a time.
    const entries = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    )
    if (entries.length === 0) return names
    names.push(...entries.map((entry) => (entry.isDirectory ? `${entry.name}/` : entry.name)))
  }
}
