/**
 * Reads the repository in a zip file, of a folder with `.git` or of a git directory. Its packs are
 * unpacked when it is opened, other files when they are needed; stored packs stay where they are.
 */
import type { FileEntry } from '@zip.js/zip.js'
import { BlobReader, configure, ZipReader } from '@zip.js/zip.js/lib/zip-core-native.js'
import type { Store } from 'packlens'
import { formatSize } from '../text/format'
import { zip as words } from '../words/zip'
import type { OpeningOptions } from './opened'

/** The most names of files and folders: a file of a few megabytes can have millions. */
const MOST_NAMES = 250_000
/** The names between two reports of progress. */
const MANY_NAMES = 1000
/** The most bytes that are unpacked: a file of a megabyte can unpack to a thousand. */
const MOST_BYTES = 1 << 30
/** The bytes that are collected as arrays at most. */
const LARGE_PART = 8 << 20
/** The least size from which a stored file is read by ranges. */
const LEAST_RANGES = 1 << 20

/** A worker of its own would be a script that the policy of the page does not know. */
configure({ useWebWorkers: false })

interface Folder {
  readonly folders: Map<string, Folder>
  readonly files: Map<string, FileEntry>
}

/** Opens a zip file as a store; errors name it. */
export async function zipStore(file: File, options: OpeningOptions): Promise<Store> {
  try {
    options.signal?.throwIfAborted()
    const root = gitDirectoryIn(await readNames(file, options))
    if (!root) {
      throw new Error(words.noRepository)
    }
    const unpacked = new Unpacked(file)
    await unpackPacks(root, unpacked, options)
    return storeOf(root, unpacked, file)
  } catch (error) {
    options.signal?.throwIfAborted()
    throw named(file, error)
  }
}

function named(file: File, error: unknown): Error {
  const detail = error instanceof Error ? error.message : error
  return new Error(words.failed(file.name, detail), { cause: error })
}

function storeOf(root: Folder, unpacked: Unpacked, file: File): Store {
  return {
    get(path) {
      const names = path.split('/')
      const name = names.pop() ?? ''
      const entry = folderAt(root, names)?.files.get(name)
      if (!entry) return null
      return unpacked.read(entry).catch((error: unknown) => {
        throw named(file, error)
      })
    },
    list(path) {
      const folder = folderAt(root, path.split('/').filter(Boolean))
      if (!folder) return []
      return [...folder.files.keys(), ...Array.from(folder.folders.keys(), (name) => `${name}/`)]
    },
  }
}

/** Reads the names, which are at the end of the file. */
async function readNames(file: File, { signal, onProgress }: OpeningOptions): Promise<Folder> {
  const root: Folder = { folders: new Map(), files: new Map() }
  let count = 0
  const added = () => {
    if (++count > MOST_NAMES) {
      throw new Error(words.manyNames(MOST_NAMES))
    }
    if (count % MANY_NAMES === 0) onProgress?.({ phase: 'names', done: count, total: 0 })
  }
  // Nothing is written anywhere: names that lead out of a folder are keys of a map.
  const zip = new ZipReader(new BlobReader(file), { filenameValidation: 'tolerant' })
  for await (const entry of zip.getEntriesGenerator()) {
    signal?.throwIfAborted()
    const names = entry.filename.split('/')
    const name = names.pop()
    let folder = root
    for (const part of names) {
      const next = folder.folders.get(part) ?? { folders: new Map(), files: new Map() }
      if (!folder.folders.has(part)) added()
      folder.folders.set(part, next)
      folder = next
    }
    if (!name || entry.directory) continue
    added()
    folder.files.set(name, entry)
  }
  return root
}

/** Returns the git directory that is the fewest folders deep. */
function gitDirectoryIn(root: Folder): Folder | null {
  for (let level = [root]; level.length > 0; ) {
    const found = level.find(({ files, folders }) => files.has('HEAD') && folders.has('objects'))
    if (found) return found
    level = level.flatMap(({ folders }) => [...folders.values()])
  }
  return null
}

function folderAt(root: Folder, names: readonly string[]): Folder | undefined {
  let folder: Folder | undefined = root
  for (const name of names) folder = folder?.folders.get(name)
  return folder
}

async function unpackPacks(
  root: Folder,
  unpacked: Unpacked,
  { signal, onProgress }: OpeningOptions,
): Promise<void> {
  const files = [...(folderAt(root, ['objects', 'pack'])?.files.values() ?? [])]
  const total = files.reduce((sum, { uncompressedSize }) => sum + uncompressedSize, 0)
  let done = 0
  const onBytes = (bytes: number) => {
    done += bytes
    onProgress?.({ phase: 'unpack', done, total })
  }
  for (const entry of files) await unpacked.read(entry, { signal, onBytes })
}

interface UnpackOptions {
  readonly signal?: AbortSignal | undefined
  readonly onBytes?: (bytes: number) => void
}

/** The unpacked files, each once. */
class Unpacked {
  readonly #file: File
  readonly #known = new Map<FileEntry, Promise<Blob>>()
  #left = MOST_BYTES

  constructor(file: File) {
    this.#file = file
  }

  /** Returns the content of a file. zip.js stops if it is larger than the zip file says. */
  read(entry: FileEntry, options: UnpackOptions = {}): Promise<Blob> {
    const known = this.#known.get(entry)
    if (known) return known
    const reading = this.#read(entry, options).catch((error: unknown) => {
      const detail = error instanceof Error ? error.message : error
      throw new Error(`${entry.filename}: ${detail}`, { cause: error })
    })
    this.#known.set(entry, reading)
    return reading
  }

  async #read(entry: FileEntry, options: UnpackOptions): Promise<Blob> {
    const { compressionMethod, compressedSize, encrypted } = entry
    if (compressionMethod === 0 && !encrypted && compressedSize >= LEAST_RANGES) {
      await entry.getData(new WritableStream(), { checkOverlappingEntryOnly: true })
      const start = entry.localDirectory?.dataOffset ?? 0
      return this.#file.slice(start, start + compressedSize)
    }
    return this.#unpack(entry, options)
  }

  async #unpack(entry: FileEntry, { signal, onBytes }: UnpackOptions): Promise<Blob> {
    const size = entry.uncompressedSize
    if (size > this.#left) {
      throw new Error(words.large(formatSize(MOST_BYTES)))
    }
    this.#left -= size
    const collected = new Collected()
    const sink = new WritableStream<Uint8Array<ArrayBuffer>>({
      write(chunk) {
        onBytes?.(chunk.length)
        collected.add(chunk)
      },
    })
    await entry.getData(sink, { ...(signal && { signal }) })
    return collected.blob()
  }
}

/**
 * Collects the content of a file. Firefox reports the error of a stream on its console, besides the
 * one that is thrown, if the blob is that of a response with this stream.
 */
class Collected {
  #parts: BlobPart[] = []
  #size = 0

  add(chunk: Uint8Array<ArrayBuffer>): void {
    this.#parts.push(chunk)
    this.#size += chunk.length
    if (this.#size < LARGE_PART) return
    // The browser may put a blob on the disk, unlike an array.
    this.#parts = [this.blob()]
    this.#size = 0
  }

  blob(): Blob {
    return new Blob(this.#parts)
  }
}
