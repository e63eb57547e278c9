import { isPacklensError } from 'packlens/slim'
import type { Disposable, FileStat, FileSystemProvider, Uri } from 'vscode'
import { EventEmitter, FilePermission, FileSystemError, FileType } from 'vscode'
import type { Entry } from '../data-source/types.ts'
import type { Opened, Repositories } from './repositories'
import { NoCommit, pathOf } from './repositories'

/** Files of git repositories at a revision. They never change. */
export class RepositoryFiles implements FileSystemProvider {
  readonly onDidChangeFile = new EventEmitter<never>().event
  readonly #repositories: Repositories

  constructor(repositories: Repositories) {
    this.#repositories = repositories
  }

  async stat(uri: Uri): Promise<FileStat> {
    const { time, entry } = await this.#ask(uri, async ({ source, commit, time }) => {
      return { time, entry: await source.provideEntry(commit, pathOf(uri)) }
    })
    // The files of a submodule are elsewhere.
    if (!entry || entry.type === 'submodule') throw FileSystemError.FileNotFound(uri)
    const facts = { ctime: time, mtime: time, permissions: FilePermission.Readonly }
    return { ...facts, type: TYPES[entry.type], size: entry.size ?? 0 }
  }

  async readDirectory(uri: Uri): Promise<[string, FileType][]> {
    const path = pathOf(uri)
    const directory = await this.#ask(uri, ({ source, commit }) => {
      return source.provideDirectory(commit, path)
    })
    if (!directory) throw FileSystemError.FileNotADirectory(uri)
    const listed = directory.entries.filter(({ type }) => type !== 'submodule')
    const start = path === '' ? 0 : path.length + 1
    return listed.map((entry) => [entry.path.slice(start), TYPES[entry.type]])
  }

  async readFile(uri: Uri): Promise<Uint8Array> {
    const path = pathOf(uri)
    const file = await this.#ask(uri, ({ source, commit }) => source.provideFile(commit, path))
    if (file) return file.content
    const { type } = await this.stat(uri)
    throw type === FileType.Directory
      ? FileSystemError.FileIsADirectory(uri)
      : FileSystemError.FileNotFound(uri)
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

  /** Asks the repository of a URI; errors become those that VS Code knows. */
  async #ask<Answer>(uri: Uri, ask: (opened: Opened) => Promise<Answer>): Promise<Answer> {
    try {
      return await ask(await this.#repositories.at(uri))
    } catch (error) {
      if (error instanceof NoCommit || isPacklensError(error, 'NOT_FOUND')) {
        throw FileSystemError.FileNotFound(uri)
      }
      if (!isPacklensError(error)) throw error
      throw FileSystemError.Unavailable(`${error.code}: ${error.message}`)
    }
  }
}

const TYPES: Readonly<Record<Entry['type'], FileType>> = {
  directory: FileType.Directory,
  submodule: FileType.Directory,
  file: FileType.File,
  link: FileType.SymbolicLink,
}
