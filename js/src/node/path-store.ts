/** Reads repositories on disk. Bytes go from a file straight into the instance's memory. */
import type { Dirent, Stats } from 'node:fs'
import * as path from 'node:path'
import { PacklensError } from '../base/errors.js'
import { fileFrom } from '../source/bytes.js'
import type { LayoutOptions } from '../source/environment.js'
import {
  isAbsence,
  isSkippedByGit,
  sourceError,
  UnreadableFile,
  unreadableFile,
} from '../source/failed.js'
import type { FileStore, FilledFile, StoredFile } from '../source/store.js'
import { isPackFile } from '../source/store.js'
import type { GitDirectory } from '../source/worktree.js'
import {
  gitInWorktree,
  located,
  nameAfter,
  ownRefs,
  targetOfDotGit,
  worktreeFiles,
  worktreeStat,
} from '../source/worktree.js'
import { fs } from './builtin.js'
import { HeldDescriptor, withinLimit } from './descriptors.js'
import { describeFolder, describeIndex } from './worktree-files.js'

/** The size of a read, which takes 25 µs from the page cache; 4 KiB take 7, 1 MiB takes 127. */
const BLOCK = 128 << 10

/** The directories that a caller may name. */
export interface GivenDirectories extends Pick<LayoutOptions, 'commonDir' | 'objectDirectory'> {
  /** The top folder of the work tree; `null` for none. Default: the folder that has `.git`. */
  readonly worktree?: string | null | undefined
}

export function pathStore(place: string, given: GivenDirectories = {}): FileStore {
  const whole = path.resolve(place)
  const found = gitDirectoryAt(whole, given) ?? refused(place)
  const { worktree } = given
  return new PathStore(found, worktree === undefined ? topFolder(whole, found) : worktree)
}

/** As {@link pathStore}, of the git directory itself, with the folder of a work tree. */
export function gitDirectoryStore(place: string, worktree: string | undefined): FileStore {
  const found = gitDirectory(path.resolve(place), {}) ?? refused(place)
  return new PathStore(found, worktree === undefined ? null : path.resolve(worktree))
}

function refused(place: string): never {
  const what = 'not a git repository: give a worktree, a git directory or a .git file'
  throw new PacklensError('NOT_FOUND', what, { subject: place })
}

/** Returns the folder of the repository that `place` is in: itself or a folder above it. */
export function discover(place: string, given: GivenDirectories = {}): string | null {
  for (let folder = path.resolve(place); ; folder = path.dirname(folder)) {
    if (gitDirectoryAt(folder, given)) return folder
    if (path.dirname(folder) === folder) return null
  }
}

/** Returns the git directory: `place`, its `.git`, or the target of one that is a file. */
export function gitDirectoryAt(place: string, given: GivenDirectories = {}): GitDirectory | null {
  return gitDirectory(path.join(place, '.git'), given) ?? gitDirectory(place, given)
}

/** Returns the git directory at a path, or the one that a `.git` file there names. */
function gitDirectory(place: string, given: GivenDirectories): GitDirectory | null {
  const stat = statOrNull(place)
  const gitDir = stat?.isFile() ? targetOf(place) : place
  if (!stat || !gitDir || !fs.existsSync(path.join(gitDir, 'HEAD'))) return null
  const refDir = commonDirectory(gitDir)
  const commonDir = given.commonDir ?? refDir
  const objects = given.objectDirectory ?? path.join(commonDir, 'objects')
  return fs.existsSync(objects) ? { gitDir, commonDir, refDir } : null
}

/** Returns the folder of a work tree, from a path that leads to a git directory. */
function topFolder(place: string, { gitDir }: GitDirectory): string | null {
  if (statOrNull(place)?.isFile()) return path.dirname(place)
  return gitDir === place ? null : place
}

function targetOf(file: string): string | null {
  const target = targetOfDotGit(readText(file))
  return target ? path.resolve(path.dirname(file), target) : null
}

/** Returns the git directory that worktrees share. */
export function commonDirectory(gitDir: string): string {
  const file = path.join(gitDir, 'commondir')
  return fs.existsSync(file) ? path.resolve(gitDir, readText(file).trimEnd()) : gitDir
}

/** Returns the text of a small file; empty for what is no file. @throws if there is nothing */
export function readText(file: string): string {
  const stat = fs.statSync(file)
  // Opening a pipe would block until a process writes into it.
  return stat.isFile() && stat.size <= 1 << 16 ? fs.readFileSync(file, 'utf8') : ''
}

class PathStore implements FileStore {
  readonly #place: GitDirectory
  readonly #worktree: string | null

  constructor(place: GitDirectory, worktree: string | null) {
    this.#place = place
    this.#worktree = worktree
  }

  open(name: string, bytes: Uint8Array): StoredFile | null {
    try {
      if (name.startsWith(worktreeFiles)) return this.#openInWorktree(name, bytes)
      const file = this.#locate(name, bytes)
      const stat = statOrNull(file)
      if (!stat?.isFile()) return null
      // A pack stays readable through its descriptor after a repack deletes it.
      return isPackFile(name) ? new HeldFile(file) : new NamedFile(file, stat)
    } catch (error) {
      return isAbsence(error) ? null : unreadableFile(unreadable(Buffer.from(bytes), error))
    }
  }

  list(name: string, bytes: Uint8Array): Uint8Array[] {
    if (name.startsWith(worktreeFiles)) return this.#listInWorktree(name, bytes)
    if (name.startsWith(worktreeStat)) {
      if (this.#worktree === null) return []
      const rest = name.slice(worktreeStat.length)
      return [describeIndex(this.#locate(rest, bytes.subarray(worktreeStat.length)))]
    }
    const names = this.#namesIn(name, bytes)
    if (name !== 'refs' || this.#place.gitDir === this.#place.refDir) return names
    const own = ownRefs.filter((part) => fs.existsSync(path.join(this.#place.gitDir, 'refs', part)))
    const shared = names.filter(
      (part) => !ownRefs.includes(Buffer.from(part).toString().slice(0, -1)),
    )
    return [...shared, ...own.map((part) => Buffer.from(`${part}/`))]
  }

  #namesIn(name: string, bytes: Uint8Array): Uint8Array[] {
    try {
      return listFolder(this.#locate(name, bytes))
    } catch (error) {
      // git skips directories of refs that it has no permission to list.
      if (isSkippedByGit(name, error)) return []
      throw error
    }
  }

  #listInWorktree(name: string, bytes: Uint8Array): Uint8Array[] {
    const git = name.indexOf(gitInWorktree)
    if (git >= 0) return this.#submodule(name, git)?.list(...nameAfter(name, bytes)) ?? []
    const folder = this.#inWorktree(bytes.subarray(worktreeFiles.length))
    if (folder === null) return []
    const isRepository = () => gitDirectoryAt(folder.toString()) !== null
    return describeFolder(folder, readFolder(folder, NAMES), isRepository)
  }

  #openInWorktree(name: string, bytes: Uint8Array): StoredFile | null {
    const git = name.indexOf(gitInWorktree)
    if (git >= 0) return this.#submodule(name, git)?.open(...nameAfter(name, bytes)) ?? null
    const file = this.#inWorktree(bytes.subarray(worktreeFiles.length))
    if (file === null) return null
    const stat = fs.lstatSync(file, { throwIfNoEntry: false })
    if (stat?.isSymbolicLink()) return fileFrom(fs.readlinkSync(file, 'buffer'))
    return stat?.isFile() ? new NamedFile(file, stat) : null
  }

  /** Returns the store of a submodule, whose path is before `git`. */
  #submodule(name: string, git: number): PathStore | null {
    if (this.#worktree === null) return null
    const folder = path.join(this.#worktree, name.slice(worktreeFiles.length, git))
    const found = gitDirectoryAt(folder)
    // A folder that is a bare repository is no work tree.
    return found && found.gitDir !== folder ? new PathStore(found, folder) : null
  }

  #inWorktree(bytes: Uint8Array): Buffer | null {
    if (this.#worktree === null) return null
    return Buffer.concat([Buffer.from(`${this.#worktree}${path.sep}`), bytes])
  }

  #locate(name: string, bytes: Uint8Array): Buffer {
    if (path.isAbsolute(name)) return Buffer.from(bytes)
    const [folder, below] = located(name, this.#place)
    const rest = bytes.subarray(name.length - below.length)
    return Buffer.concat([Buffer.from(folder), Buffer.from(path.sep), rest])
  }
}

/** Returns the names in a folder as bytes, as git does; those of folders end with a slash. */
function listFolder(folder: Buffer): Uint8Array[] {
  return readFolder(folder, 'buffer').map((entry) => {
    const [name, known] = entry instanceof Uint8Array ? [entry] : [entry.name, entry]
    const isFolder =
      known && !known.isSymbolicLink()
        ? known.isDirectory()
        : leadsToFolder(Buffer.concat([folder, Buffer.from(path.sep), name]))
    return isFolder ? Buffer.concat([name, Buffer.from('/')]) : name
  })
}

function leadsToFolder(file: Buffer): boolean {
  try {
    return statOrNull(file)?.isDirectory() ?? false
  } catch {
    // Listed as a file: opening it reports the error.
    return false
  }
}

/** How names are listed with a character for each byte; Bun has no such text, only bytes. */
const NAMES = (process.versions.bun === undefined ? 'latin1' : 'buffer') as 'latin1'

/** Lists a folder. For names that are bytes, Bun returns only names, without their types. */
function readFolder(folder: Buffer, encoding: 'latin1'): (Dirent<string> | Buffer)[]
function readFolder(folder: Buffer, encoding: 'buffer'): (Dirent<Buffer> | Buffer)[]
function readFolder(folder: Buffer, encoding: 'latin1' | 'buffer'): unknown[] {
  const options = { encoding: encoding as 'buffer', withFileTypes: true } as const
  try {
    return withinLimit(() => fs.readdirSync(folder, options))
  } catch (error) {
    if (isAbsence(error)) return []
    throw error
  }
}

/** Returns `null` if there is no such file, which includes any path below a file. */
function statOrNull(file: string | Buffer): Stats | null {
  try {
    return fs.statSync(file, { throwIfNoEntry: false }) ?? null
  } catch (error) {
    if (isAbsence(error)) return null
    throw error
  }
}

/**
 * Returns a number for the time of change and the inode. git replaces a ref by renaming another
 * file, which may have the same size and, within a tick of the file system, the same time.
 */
function stampOf({ mtimeMs, ino }: Stats): number {
  // Both together stay below 2^53.
  return Math.max(1, Math.round(mtimeMs * 1000) + (ino % 65_521) * 68_719_476_767)
}

/** A file that is opened for each read: a ref or a loose object, of which there may be many. */
class NamedFile implements FilledFile {
  readonly size: number
  readonly stamp: number
  readonly blockSize = BLOCK
  readonly #path: Buffer

  constructor(file: Buffer, stat: Stats) {
    this.#path = file
    this.size = stat.size
    this.stamp = stampOf(stat)
  }

  readInto(offset: number, target: Uint8Array): number {
    const descriptor = openOrNull(this.#path)
    if (descriptor === null) return 0
    try {
      const stat = fs.fstatSync(descriptor)
      // Another file may have taken the name since the first `stat`.
      if (stat.size !== this.size || stampOf(stat) !== this.stamp) return 0
      return readFully(descriptor, offset, target)
    } finally {
      fs.closeSync(descriptor)
    }
  }
}

function unreadable(file: Buffer, error: unknown): PacklensError {
  return sourceError(error, 'a file cannot be read', file.toString())
}

/** Opens a file at a path. @throws `NOT_FOUND` if there is none */
export function fileAt(place: string): StoredFile {
  const file = Buffer.from(place)
  if (statOrNull(file)?.isFile()) return new HeldFile(file)
  throw new PacklensError('NOT_FOUND', 'no such file', { subject: place })
}

/** A file that stays open within the limit of {@link HeldDescriptor}. */
class HeldFile implements FilledFile {
  readonly size: number
  readonly stamp: number
  readonly blockSize = BLOCK
  readonly #descriptor: HeldDescriptor

  constructor(file: Buffer) {
    this.#descriptor = new HeldDescriptor(file)
    this.size = this.#descriptor.stat.size
    this.stamp = stampOf(this.#descriptor.stat)
  }

  readInto(offset: number, target: Uint8Array): number {
    return this.#descriptor.use((descriptor) => readFully(descriptor, offset, target)) ?? 0
  }

  close(): void {
    this.#descriptor.close()
  }
}

function openOrNull(file: Buffer): number | null {
  try {
    return withinLimit(() => fs.openSync(file, 'r'))
  } catch (error) {
    if (isAbsence(error)) return null
    throw new UnreadableFile(unreadable(file, error))
  }
}

function readFully(descriptor: number, offset: number, target: Uint8Array): number {
  let done = 0
  while (done < target.byteLength) {
    const left = target.byteLength - done
    const count = fs.readSync(descriptor, target, done, left, offset + done)
    if (count === 0) break
    done += count
  }
  return done
}
