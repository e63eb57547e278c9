/** A repository that is read through a file system client. */
import { PacklensError } from '../base/errors.js'
import { fileFrom } from './bytes.js'
import type { LayoutOptions } from './environment.js'
import { isDenied, isSkippedByGit, unreadableFile } from './failed.js'
import type { Client, FsClient, FsEntry, FsHandle, FsPath, FsStat } from './fs-client.js'
import { clientOf } from './fs-client.js'
import { below, textOf } from './fs-paths.js'
import { described, describeFolder } from './fs-worktree.js'
import type { FileFacts, FileStore, LentFile, StoredFile } from './store.js'
import { isPackFile } from './store.js'
import { WholeFiles } from './whole-files.js'
import type { GitDirectory } from './worktree.js'
import {
  gitInWorktree,
  located,
  nameAfter,
  ownRefs,
  targetOfDotGit,
  worktreeFiles,
  worktreeStat,
} from './worktree.js'

/**
 * A repository that is read through a file system client, with option names as in
 * isomorphic-git. One of `dir` and `gitdir` is required; `gitdir` takes precedence.
 *
 * Large files are read by ranges if the client has `open`. Otherwise they are read whole: a
 * file larger than `memory` fails with `LIMIT`, and up to `memory` bytes of such files are
 * cached in addition to what `memory` counts. If the client throws, the call fails with
 * `SOURCE`, whose `cause` is the client's error, unless that means that a file does not exist.
 * Node's own `fs` is not called: its files are read as those of a path.
 *
 * ```ts
 * import LightningFS from '@isomorphic-git/lightning-fs'
 *
 * const repo = await open({ fs: new LightningFS('name'), dir: '/repo' })
 * ```
 */
export interface FsSource {
  readonly fs: FsClient
  /** A worktree, whose `.git` is a folder or a file that names one; or a bare repository. */
  readonly dir?: string | undefined
  /** The git directory itself; `dir` is then the worktree. */
  readonly gitdir?: string | undefined
}

/**
 * A read takes a promise or two, whatever its length. Blocks are small at first, for callers that
 * show one commit, and grow fast for those that read on.
 */
const BLOCKS = { blockSize: 8 << 10, largestBlock: 256 << 10 }

/** Files of more bytes, and all packs, are read by ranges if the client has `open`. */
const MOST_AT_ONCE = 1 << 20

/** Milliseconds: the coarsest clock of a file system, that of FAT, ticks every two seconds. */
const TICK = 2000

const MOST_TEXT = 1 << 16

/** Opens a repository; up to `memory` bytes of files that are read whole are cached. */
export async function fsStore(
  { fs, dir, gitdir }: FsSource,
  memory: number,
  given: GivenDirectories,
): Promise<FileStore> {
  const place = gitdir ?? dir
  if (typeof place !== 'string') {
    throw new PacklensError('BAD_INPUT', '`fs` needs a path as `dir` or `gitdir`')
  }
  const client = clientOf(fs)
  const candidates = gitdir === undefined ? [join(place, '.git'), place] : [place]
  for (const candidate of candidates) {
    const found = await gitDirectoryAt(client, candidate, given)
    const isBare = gitdir === undefined && candidate === place
    const worktree = isBare ? undefined : dir
    if (found) return new FsStore(client, found, new WholeFiles(memory), worktree)
  }
  const what = 'not a git repository: give its worktree as `dir`, or its git directory as `gitdir`'
  throw new PacklensError('NOT_FOUND', what, { subject: place })
}

/** The directories that the caller names. */
type GivenDirectories = Pick<LayoutOptions, 'commonDir' | 'objectDirectory'>

async function gitDirectoryAt(
  client: Client,
  place: string,
  given: GivenDirectories,
): Promise<GitDirectory | null> {
  const target = targetOfDotGit((await readText(client, place)) ?? '')
  const gitDir = target === null ? place : join(parentOf(place), target)
  if (!(await client.stat(join(gitDir, 'HEAD')))) return null
  const named = (await readText(client, join(gitDir, 'commondir')))?.trimEnd()
  const refDir = named ? join(gitDir, named) : gitDir
  const commonDir = given.commonDir ?? refDir
  const objects = join(commonDir, given.objectDirectory ?? 'objects')
  return (await client.stat(objects)) && { gitDir, commonDir, refDir }
}

async function readText(client: Client, path: string): Promise<string | null> {
  const stat = await client.stat(path)
  const bytes = stat?.isFile() && stat.size <= MOST_TEXT ? await client.readFile(path) : null
  return bytes && new TextDecoder().decode(bytes)
}

function join(folder: string, path: string): string {
  return /^(\/|[A-Za-z]:[\\/])/.test(path) ? path : `${folder.replace(/(?<=.)\/+$/, '')}/${path}`
}

function parentOf(path: string): string {
  // Not `\/*`: in minified code Vite 5 takes it for a comment, and then misses the modules.
  return path.includes('/') ? path.replace(/\/+[^/]*[/]*$/, '') || '/' : '.'
}

class FsStore implements FileStore {
  readonly #client: Client
  readonly #place: GitDirectory
  readonly #whole: WholeFiles
  readonly #worktree: string | undefined

  constructor(
    client: Client,
    place: GitDirectory,
    whole: WholeFiles,
    worktree: string | undefined,
  ) {
    this.#client = client
    this.#place = place
    this.#whole = whole
    this.#worktree = worktree
  }

  async open(name: string, bytes: Uint8Array): Promise<StoredFile | null> {
    try {
      if (name.startsWith(worktreeFiles)) return await this.#openInWorktree(name, bytes)
      return await this.#open(name, this.#locate(name, bytes))
    } catch (error) {
      if (error instanceof PacklensError && isDenied(error.cause)) return unreadableFile(error)
      throw error
    }
  }

  async #open(name: string, path: FsPath): Promise<StoredFile | null> {
    const stat = await this.#client.stat(path)
    if (!stat?.isFile()) return null
    // An open handle can still read a pack that a repack deleted.
    const held = isPackFile(name) || stat.size > MOST_AT_ONCE
    if (!held || !this.#client.open) {
      return this.#whole.file(factsOf(stat), () => this.#client.readFile(path))
    }
    const handle = await this.#client.open(path)
    return handle && heldFile(handle)
  }

  async #openInWorktree(name: string, bytes: Uint8Array): Promise<StoredFile | null> {
    const git = name.indexOf(gitInWorktree)
    if (git >= 0) {
      const inner = await this.#submodule(name, git)
      return inner?.open(...nameAfter(name, bytes)) ?? null
    }
    const path = this.#inWorktree(bytes.subarray(worktreeFiles.length))
    const stat = await this.#client.lstat(path)
    if (!stat?.isSymbolicLink?.()) return this.#open(name, path)
    const link = await this.#client.readlink(path)
    return link && fileFrom(link)
  }

  /** Returns the store of a submodule, whose path is before `git`. */
  async #submodule(name: string, git: number): Promise<FsStore | null> {
    const folder = join(this.#worktree ?? '', name.slice(worktreeFiles.length, git))
    const found = await gitDirectoryAt(this.#client, join(folder, '.git'), {})
    return found && new FsStore(this.#client, found, this.#whole, folder)
  }

  async #listInWorktree(name: string, bytes: Uint8Array): Promise<(string | Uint8Array)[]> {
    const git = name.indexOf(gitInWorktree)
    if (git >= 0) return (await this.#submodule(name, git))?.list(...nameAfter(name, bytes)) ?? []
    const folder = this.#inWorktree(bytes.subarray(worktreeFiles.length))
    const isRepository = async () => {
      const dotGit = `${textOf(folder)}/.git`
      return (await gitDirectoryAt(this.#client, dotGit, {})) !== null
    }
    return describeFolder(this.#client, folder, isRepository)
  }

  #inWorktree(bytes: Uint8Array): FsPath {
    const top = (this.#worktree ?? '').replace(/(?<=.)\/+$/, '')
    return bytes.byteLength === 0 ? top : below(top, textOf(bytes) ?? bytes)
  }

  async list(name: string, bytes: Uint8Array): Promise<(string | Uint8Array)[]> {
    if (name.startsWith(worktreeStat)) {
      if (this.#worktree === undefined) return []
      const rest = name.slice(worktreeStat.length)
      const path = this.#locate(rest, bytes.subarray(worktreeStat.length))
      return [described(await this.#client.stat(path), 'index')]
    }
    if (name.startsWith(worktreeFiles)) return this.#listInWorktree(name, bytes)
    const names = await this.#allowedNamesIn(name, this.#locate(name, bytes))
    const { gitDir, refDir } = this.#place
    if (name !== 'refs' || gitDir === refDir) return names
    const shared = names.filter((part) => !ownRefs.some((own) => textOf(part) === `${own}/`))
    const own = await this.#namesIn(join(gitDir, 'refs'))
    return [...shared, ...own.filter((part) => ownRefs.some((own) => textOf(part) === `${own}/`))]
  }

  async #allowedNamesIn(name: string, folder: FsPath): Promise<FsPath[]> {
    try {
      return await this.#namesIn(folder)
    } catch (error) {
      if (isSkippedByGit(name, (error as PacklensError | null)?.cause)) return []
      throw error
    }
  }

  #namesIn(folder: FsPath): Promise<FsPath[]> {
    const marked = async ({ name, isFolder }: FsEntry): Promise<FsPath> => {
      const folderThere =
        isFolder ?? (await this.#client.stat(below(folder, name)))?.isDirectory() ?? false
      return folderThere ? below(name, '') : name
    }
    return this.#client.list(folder).then((entries) => Promise.all((entries ?? []).map(marked)))
  }

  #locate(name: string, bytes: Uint8Array): FsPath {
    if (name.startsWith('/')) return textOf(bytes) ?? bytes
    const [folder, path] = located(name, this.#place)
    const rest = bytes.subarray(name.length - path.length)
    return below(folder, textOf(rest) ?? rest)
  }
}

/**
 * Returns the time of the last change in microseconds; 0 if it is so recent that another change
 * within the same tick would not show.
 */
function stampOf({ mtimeMs, mtime }: FsStat): number {
  const time = Number(mtimeMs ?? mtime ?? 0)
  return time > 0 && Date.now() - time > TICK ? Math.round(time * 1000) : 0
}

/** Returns a file whose handle is closed once the file is closed and no read is pending. */
async function heldFile(handle: FsHandle): Promise<LentFile> {
  let reading = 0
  let closed = false
  const closeWhenIdle = () => {
    if (closed && reading === 0) handle.close().catch(() => {})
  }
  const close = () => {
    if (closed) return
    closed = true
    closeWhenIdle()
  }
  const read = async (offset: number, length: number) => {
    const target = new Uint8Array(length)
    reading++
    try {
      return target.subarray(0, await readFully(handle, offset, target))
    } finally {
      reading--
      closeWhenIdle()
    }
  }
  try {
    return { ...factsOf(await handle.stat()), read, close }
  } catch (error) {
    close()
    throw error
  }
}

async function readFully(handle: FsHandle, offset: number, target: Uint8Array): Promise<number> {
  let done = 0
  while (done < target.byteLength) {
    const count = await handle.read(target.subarray(done), offset + done)
    if (count === 0) break
    done += count
  }
  return done
}

function factsOf(stat: FsStat): FileFacts {
  return { size: stat.size, stamp: stampOf(stat), ...BLOCKS }
}
