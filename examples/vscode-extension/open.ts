import type { Repository, Store } from 'packlens/slim'
import { open } from 'packlens/slim'
import { FileSystemError, FileType, Uri, workspace } from 'vscode'

/** Opens a repository on a server by ranges, and that of a folder by VS Code's own files. */
export async function openRepository(repository: string): Promise<Repository> {
  const isServed = /^https?:/.test(repository)
  return open(isServed ? repository : await storeOf(Uri.parse(repository, true)))
}

/** Returns the files of a bare repository, or of the one in a work tree. */
async function storeOf(folder: Uri): Promise<Store> {
  const inside = Uri.joinPath(folder, '.git')
  const gitDirectory = (await typeOf(inside)) === FileType.Directory ? inside : folder
  const at = (path: string) => Uri.joinPath(gitDirectory, path)
  return {
    get: (path) => unlessMissing(workspace.fs.readFile(at(path)), null),
    list: async (path) => {
      const entries = await unlessMissing(workspace.fs.readDirectory(at(path)), [])
      return entries.map(([name, type]) => (type & FileType.Directory ? `${name}/` : name))
    },
  }
}

async function typeOf(uri: Uri): Promise<FileType | undefined> {
  return (await unlessMissing(workspace.fs.stat(uri), undefined))?.type
}

/** Other errors are those of packlens' answers, too: as the cause of a `SOURCE`. */
async function unlessMissing<T, Missing>(
  answer: Thenable<T>,
  missing: Missing,
): Promise<T | Missing> {
  try {
    return await answer
  } catch (error) {
    const isMissing = ['FileNotFound', 'FileNotADirectory', 'FileIsADirectory']
    if (error instanceof FileSystemError && isMissing.includes(error.code)) return missing
    throw error
  }
}
