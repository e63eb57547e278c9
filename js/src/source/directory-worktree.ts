/**
 * Lists the files of a work tree in a folder that a page was given. A browser knows the size of a
 * file and the millisecond of its last change: the mode and the other fields are unknown. It lists
 * no symbolic links. Nothing is written.
 */
import { orNull } from './directory-handles.js'
import type { ListedFile } from './listed-file.js'
import { listedFile, secondsOf } from './listed-file.js'

/** The text beside that of a file of the git directory: symbolic links are not listed. */
const WITHOUT_LINKS = 'without-links'

/** Describes what is in a folder; `isRepository` says whether its `.git` counts. */
export async function describeDirectory(
  folder: FileSystemDirectoryHandle,
  isRepository: () => Promise<boolean>,
): Promise<Uint8Array[]> {
  const all: Promise<Uint8Array | null>[] = []
  const describe = async (name: string, entry: FileSystemHandle) => {
    if (name === '.git') return (await isRepository()) ? listedFile({ kind: 'r' }, name) : null
    const file = await described(entry as FileSystemFileHandle | FileSystemDirectoryHandle)
    // A file may have been deleted meanwhile.
    return file && listedFile(file, name)
  }
  // The folder itself may have been deleted, too.
  await orNull(async () => {
    for await (const [name, entry] of folder.entries()) all.push(describe(name, entry))
  })
  return (await Promise.all(all)).filter((text) => text !== null)
}

/** Describes a file of the git directory, and what is not listed of the work tree. */
export async function describeIndex(
  handle: FileSystemFileHandle | null,
): Promise<(string | Uint8Array)[]> {
  const file = (handle && (await described(handle))) ?? { kind: 'o' }
  return [listedFile(file, 'index'), WITHOUT_LINKS]
}

async function described(
  handle: FileSystemFileHandle | FileSystemDirectoryHandle,
): Promise<ListedFile | null> {
  if (handle.kind === 'directory') return { kind: 'd' }
  const file = await orNull(() => handle.getFile())
  return file && { kind: 'f', size: file.size, mtime: secondsOf(file.lastModified) }
}
