/** A folder of the disk as a page is given one: by a handle that reads. */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'

/** Returns the handle of a folder, whose files are read when they are requested. */
export function folderHandle(folder: string): FileSystemDirectoryHandle {
  const handle = {
    kind: 'directory',
    name: path.basename(folder),
    getDirectoryHandle: async (name: string) => {
      if (!isFolder(path.join(folder, name))) throw new DOMException(name, 'TypeMismatchError')
      return folderHandle(path.join(folder, name))
    },
    getFileHandle: async (name: string) => {
      if (isFolder(path.join(folder, name))) throw new DOMException(name, 'TypeMismatchError')
      return fileHandle(path.join(folder, name))
    },
    async *entries() {
      for (const name of readdirSync(folder)) {
        const entry = path.join(folder, name)
        yield [name, isFolder(entry) ? folderHandle(entry) : fileHandle(entry)]
      }
    },
  }
  return handle as unknown as FileSystemDirectoryHandle
}

function fileHandle(file: string): FileSystemFileHandle {
  const getFile = async () => {
    const { mtimeMs } = statSync(file)
    return new File([readFileSync(file)], path.basename(file), { lastModified: mtimeMs })
  }
  const handle = { kind: 'file', name: path.basename(file), getFile }
  return handle as unknown as FileSystemFileHandle
}

function isFolder(entry: string): boolean {
  const stat = statSync(entry, { throwIfNoEntry: false })
  if (!stat) throw new DOMException(entry, 'NotFoundError')
  return stat.isDirectory()
}
