/** The same files, given in every way that a source may have. */
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { deflateSync } from 'node:zlib'
import type { AsyncBuffer, ByteSource, PacksSource, RandomAccess, Store } from 'packlens'
import { type Expected, filesBelow, gitDirectoryOf } from './support.ts'

export type Bytes = Uint8Array<ArrayBuffer>

/** Reads a file into an array that fills its buffer. */
export function bytesOf(file: string): Bytes {
  return new Uint8Array(readFileSync(file))
}

/** The packs of a fixture and their indexes, by their paths. */
export function packFiles(of: { readonly path: string }): { pack: string; idx: string }[] {
  const folder = path.join(gitDirectoryOf(of), 'objects', 'pack')
  if (!existsSync(folder)) return []
  return readdirSync(folder)
    .filter((name) => name.endsWith('.pack'))
    .sort()
    .map((name) => path.join(folder, name))
    .map((pack) => ({ pack, idx: pack.replace(/pack$/, 'idx') }))
}

/** The packs of a fixture, each file made by `make`. */
export function packs(
  of: Expected,
  make: (bytes: Bytes) => ByteSource,
  { idx = true }: { idx?: boolean } = {},
): PacksSource {
  const list = packFiles(of).map((files) => {
    const pack = make(bytesOf(files.pack))
    return idx ? { pack, idx: make(bytesOf(files.idx)) } : { pack }
  })
  return { packs: list, objectFormat: of.objectFormat }
}

/** A view that begins at an odd place of a larger buffer. */
export function inTheMiddle(bytes: Bytes): Bytes {
  const larger = new Uint8Array(bytes.byteLength + 20).fill(0xee)
  larger.set(bytes, 7)
  return larger.subarray(7, 7 + bytes.byteLength)
}

export function asyncBuffer(bytes: Bytes): AsyncBuffer {
  return {
    byteLength: bytes.byteLength,
    slice: async (start, end) => bytes.slice(start, end).buffer,
  }
}

export function randomAccess(bytes: Bytes): RandomAccess {
  return {
    size: bytes.byteLength,
    read: (offset, length) => bytes.subarray(offset, offset + length),
  }
}

export function asyncRandomAccess(bytes: Bytes): RandomAccess {
  return {
    size: bytes.byteLength,
    read: async (offset, length) => bytes.slice(offset, offset + length),
  }
}

/** A store over a git directory, whose files `make` makes. */
export function storeOf(folder: string, make: (bytes: Bytes) => ByteSource = (b) => b): Store {
  return {
    get(name) {
      const file = path.join(folder, name)
      if (!statSync(file, { throwIfNoEntry: false })?.isFile()) return null
      return make(bytesOf(file))
    },
    list(directory) {
      const place = path.join(folder, directory)
      if (!existsSync(place)) return []
      return readdirSync(place, { withFileTypes: true }).map((entry) =>
        entry.isDirectory() ? `${entry.name}/` : entry.name,
      )
    },
  }
}

/** The same, with promises all the way. */
export function asyncStoreOf(folder: string): Store {
  const store = storeOf(folder, asyncRandomAccess)
  return {
    get: async (name) => store.get(name),
    list: async (directory) => (await store.list?.(directory)) ?? [],
  }
}

/** A store of nothing but loose objects, whatever they hold. */
export function looseObjects(objects: [type: string, content: string][]) {
  const files = new Map<string, Bytes>([
    ['HEAD', new TextEncoder().encode('ref: refs/heads/main\n')],
  ])
  const oids = objects.map(([type, content]) => {
    const bytes = Buffer.from(`${type} ${Buffer.byteLength(content)}\0${content}`)
    const oid = createHash('sha1').update(bytes).digest('hex')
    files.set(`objects/${oid.slice(0, 2)}/${oid.slice(2)}`, new Uint8Array(deflateSync(bytes)))
    return oid
  })
  const store: Store = { get: (name) => files.get(name), list: () => [] }
  return { store, oids }
}

/** What `<input webkitdirectory>` gives for a folder called `picked`. */
export function filesOf(folder: string): File[] {
  return filesBelow(folder).map((name) => {
    const file = new File([bytesOf(path.join(folder, name))], path.posix.basename(name))
    return Object.defineProperty(file, 'webkitRelativePath', { value: `picked/${name}` })
  })
}

/** The ids that an index holds, read without packlens. */
export function idsOfIndex(file: string, idLength: number): string[] {
  const bytes = readFileSync(file)
  const second = bytes.readUInt32BE(0) === 0xff744f63
  const count = bytes.readUInt32BE((second ? 8 : 0) + 255 * 4)
  const start = (second ? 8 : 0) + 256 * 4
  const step = second ? idLength : idLength + 4
  const first = start + (second ? 0 : 4)
  return Array.from({ length: count }, (_, at) =>
    bytes.toString('hex', first + at * step, first + at * step + idLength),
  )
}
