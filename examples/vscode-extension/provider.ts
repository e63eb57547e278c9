import type { Repository, TreeEntry } from 'packlens/slim'
import { isPacklensError } from 'packlens/slim'
import type { Disposable, FileStat, FileSystemProvider, Uri } from 'vscode'
import { EventEmitter, FilePermission, FileSystemError, FileType } from 'vscode'
import { addressOf } from './address'
import { openRepository } from './open'

/** A repository, at the commit that its revision named when it was opened. */
interface Opened {
  readonly repository: Repository
  readonly commit: string
  /** When the commit was made, in milliseconds. */
  readonly time: number
}

/** Files of git repositories at a revision. They never change. */
export class RepositoryFiles implements FileSystemProvider, Disposable {
  readonly onDidChangeFile = new EventEmitter<never>().event
  readonly #opened = new Map<string, Promise<Opened>>()

  async stat(uri: Uri): Promise<FileStat> {
    const { repository, time } = await this.#open(uri)
    const facts = { ctime: time, mtime: time, permissions: FilePermission.Readonly }
    const entry = await this.#entry(uri)
    if (!entry) return { ...facts, type: FileType.Directory, size: 0 }
    const size = entry.isBlob ? (await repository.info(entry.oid)).size : 0
    return { ...facts, type: typeOf(entry), size }
  }

  async readDirectory(uri: Uri): Promise<[string, FileType][]> {
    const entries = await this.#tree(uri, pathOf(uri))
    return entries.map((entry) => [entry.name, typeOf(entry)])
  }

  async readFile(uri: Uri): Promise<Uint8Array> {
    const { repository, commit } = await this.#open(uri)
    try {
      return (await repository.readBlob(`${commit}:${pathOf(uri)}`)).data
    } catch (error) {
      throw isPacklensError(error, 'WRONG_TYPE')
        ? FileSystemError.FileIsADirectory(uri)
        : asFileError(error, uri)
    }
  }

  watch(): Disposable {
    return { dispose: () => {} }
  }

  createDirectory(uri: Uri): never {
    throw FileSystemError.NoPermissions(uri)
  }

  writeFile(uri: Uri): never {
    throw FileSystemError.NoPermissions(uri)
  }

  delete(uri: Uri): never {
    throw FileSystemError.NoPermissions(uri)
  }

  rename(uri: Uri): never {
    throw FileSystemError.NoPermissions(uri)
  }

  dispose(): void {
    for (const opening of this.#opened.values()) {
      opening.then(({ repository }) => repository.close()).catch(() => {})
    }
    this.#opened.clear()
  }

  /** Returns the entry of a path in its tree; none of the top folder. */
  async #entry(uri: Uri): Promise<TreeEntry | undefined> {
    const path = pathOf(uri)
    if (path === '') return undefined
    const slash = path.lastIndexOf('/')
    const entries = await this.#tree(uri, path.slice(0, Math.max(slash, 0)))
    const entry = entries.find(({ name }) => name === path.slice(slash + 1))
    if (!entry) throw FileSystemError.FileNotFound(uri)
    return entry
  }

  /** Returns the entries of a directory, without submodules: their files are elsewhere. */
  async #tree(uri: Uri, path: string): Promise<TreeEntry[]> {
    const { repository, commit } = await this.#open(uri)
    try {
      const { entries } = await repository.readTree(`${commit}:${path}`)
      return entries.filter(({ isSubmodule }) => !isSubmodule)
    } catch (error) {
      throw isPacklensError(error, 'WRONG_TYPE')
        ? FileSystemError.FileNotADirectory(uri)
        : asFileError(error, uri)
    }
  }

  /** Opens each repository once; after a failure, the next call tries again. */
  async #open(uri: Uri): Promise<Opened> {
    const { authority } = uri
    const opening = this.#opened.get(authority) ?? openAt(authority)
    this.#opened.set(authority, opening)
    try {
      return await opening
    } catch (error) {
      this.#opened.delete(authority)
      throw asFileError(error, uri)
    }
  }
}

async function openAt(authority: string): Promise<Opened> {
  const { repository: name, revision } = addressOf(authority)
  const repository = await openRepository(name)
  try {
    const { oid, committer } = await repository.readCommit(revision)
    return { repository, commit: oid, time: (committer.seconds ?? 0) * 1000 }
  } catch (error) {
    repository.close()
    throw error
  }
}

function pathOf(uri: Uri): string {
  return uri.path.replace(/^\/|\/$/g, '')
}

function typeOf({ isBlob, isSymlink }: TreeEntry): FileType {
  if (isSymlink) return FileType.SymbolicLink
  return isBlob ? FileType.File : FileType.Directory
}

function asFileError(error: unknown, uri: Uri): Error {
  if (!isPacklensError(error)) return error as Error
  if (error.code === 'NOT_FOUND') return FileSystemError.FileNotFound(uri)
  return FileSystemError.Unavailable(`${error.code}: ${error.message}`)
}
