/** The repository that a client of a file system leads to. */
import { PacklensError } from '../errors.js'
import type { LayoutOptions } from './environment.js'
import { isDenied, isPassedOver, unreadableFile } from './failed.js'
import type { Client, FsClient, FsEntry, FsHandle, FsPath, FsStat } from './fs-client.js'
import { clientOf } from './fs-client.js'
import type { FileFacts, FileStore, LentFile, StoredFile } from './store.js'
import { isPackFile } from './store.js'
import { WholeFiles } from './whole-files.js'
import type { GitDirectory } from './worktree.js'
import { located, ownRefs, targetOfDotGit } from './worktree.js'

/**
 * A repository behind a client of a file system, named as isomorphic-git does.
 * One of `dir` and `gitdir` is needed; `gitdir` wins.
 *
 * Large files are read by parts if the client has `open`. If not they are read
 * whole: one larger than `memory` is `LIMIT`, and up to `memory` bytes of them
 * are kept besides what `memory` counts. What the client fails with is the
 * `cause` of a `SOURCE`, unless it says that there is no such file.
 *
 * ```ts
 * import LightningFS from '@isomorphic-git/lightning-fs'
 *
 * const repo = await open({ fs: new LightningFS('name'), dir: '/repo' })
 * ```
 */
export interface FsSource {
  readonly fs: FsClient
  /** A worktree: its `.git` is a folder, or a file that names one. Or a bare repository. */
  readonly dir?: string | undefined
  /** The git directory itself. */
  readonly gitdir?: string | undefined
}

/** A read takes a promise or two, whatever its length. */
const BLOCK = 256 << 10

/** What is larger is read by parts, if the client can. */
const MOST_AT_ONCE = 1 << 20

/** The coarsest clock of a file system, that of FAT, ticks every two seconds. */
const TICK = 2000

const MOST_TEXT = 1 << 16

/** `memory` is the most that is kept of files which the client reads whole. */
export async function fsStore(
  { fs, dir, gitdir }: FsSource,
  memory: number,
  given: GivenPlaces,
): Promise<FileStore> {
  const place = gitdir ?? dir
  if (typeof place !== 'string') {
    throw new PacklensError('BAD_INPUT', '`fs` needs a `dir` or a `gitdir`, a path')
  }
  const client = clientOf(fs)
  const candidates = gitdir === undefined ? [join(place, '.git'), place] : [place]
  for (const candidate of candidates) {
    const found = await gitDirectoryAt(client, candidate, given)
    if (found) return new FsStore(client, found, new WholeFiles(memory))
  }
  const what =
    'no git repository there: give its worktree as `dir`, or its git directory as `gitdir`'
  throw new PacklensError('NOT_FOUND', what, { subject: place })
}

/** Directories that a caller names. */
type GivenPlaces = Pick<LayoutOptions, 'commonDir' | 'objectDirectory'>

async function gitDirectoryAt(
  client: Client,
  place: string,
  given: GivenPlaces,
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
  return path.includes('/') ? path.replace(/\/+[^/]*\/*$/, '') || '/' : '.'
}

class FsStore implements FileStore {
  readonly #client: Client
  readonly #place: GitDirectory
  readonly #whole: WholeFiles

  constructor(client: Client, place: GitDirectory, whole: WholeFiles) {
    this.#client = client
    this.#place = place
    this.#whole = whole
  }

  async open(name: string, bytes: Uint8Array): Promise<StoredFile | null> {
    try {
      return await this.#open(name, this.#locate(name, bytes))
    } catch (error) {
      if (error instanceof PacklensError && isDenied(error.cause)) return unreadableFile(error)
      throw error
    }
  }

  async #open(name: string, path: FsPath): Promise<StoredFile | null> {
    const stat = await this.#client.stat(path)
    if (!stat?.isFile()) return null
    // A pack that a repack deletes is read on through its handle.
    const held = isPackFile(name) || stat.size > MOST_AT_ONCE
    if (!held || !this.#client.open) {
      return this.#whole.file(factsOf(stat), () => this.#client.readFile(path))
    }
    const handle = await this.#client.open(path)
    return handle && heldFile(handle)
  }

  async list(name: string, bytes: Uint8Array): Promise<(string | Uint8Array)[]> {
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
      if (isPassedOver(name, (error as PacklensError | null)?.cause)) return []
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

/** Returns the text of bytes that are UTF-8, `null` for others. */
function textOf(path: FsPath): string | null {
  if (typeof path === 'string') return path
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(path)
  } catch {
    return null
  }
}

function below(folder: FsPath, name: FsPath): FsPath {
  const [start, end] = [textOf(folder), textOf(name)]
  if (start !== null && end !== null) return `${start}/${end}`
  const bytes = (path: FsPath) => (typeof path === 'string' ? new TextEncoder().encode(path) : path)
  return Uint8Array.from([...bytes(folder), 0x2f, ...bytes(name)])
}

/** Microseconds; 0 for a file that may be written again within the same tick. */
function stampOf({ mtimeMs, mtime }: FsStat): number {
  const time = Number(mtimeMs ?? mtime ?? 0)
  return time > 0 && Date.now() - time > TICK ? Math.round(time * 1000) : 0
}

/** A file whose handle stays open until it is closed and no read is under way. */
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
  return { size: stat.size, stamp: stampOf(stat), blockSize: BLOCK }
}
