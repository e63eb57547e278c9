/** The same files as every kind of source. */
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { deflateSync } from 'node:zlib'
import type { AsyncBuffer, ByteSource, PacksSource, RandomAccess, Store } from 'packlens'
import { refsOf } from '../support/expected.ts'
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

/** The packs of a fixture and its refs, each file made by `make`. */
export function packs(
  of: Expected,
  make: (bytes: Bytes) => ByteSource,
  { idx = true }: { idx?: boolean } = {},
): PacksSource {
  const list = packFiles(of).map((files) => {
    const pack = make(bytesOf(files.pack))
    return idx ? { pack, idx: make(bytesOf(files.idx)) } : { pack }
  })
  return { packs: list, refs: refsOf(of), objectFormat: of.objectFormat }
}

/** Returns a view at an odd offset of a larger buffer. */
export function inTheMiddle(bytes: Bytes): Bytes {
  const larger = new Uint8Array(bytes.byteLength + 20).fill(0xee)
  larger.set(bytes, 7)
  return larger.subarray(7, 7 + bytes.byteLength)
}

export function syncBuffer(bytes: Bytes): AsyncBuffer {
  return {
    byteLength: bytes.byteLength,
    slice: (start, end) => bytes.slice(start, end).buffer,
  }
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

/** Returns the same store, with promises. */
export function asyncStoreOf(folder: string): Store {
  const store = storeOf(folder, asyncRandomAccess)
  return {
    get: async (name) => store.get(name),
    list: async (directory) => (await store.list?.(directory)) ?? [],
  }
}

/** Returns a store of only loose objects with the given content. */
export function looseObjects(objects: [type: string, content: string | Uint8Array][]) {
  const files = new Map<string, Bytes>()
  files.set('HEAD', new TextEncoder().encode('ref: refs/heads/main\n'))
  const oids = objects.map(([type, content]) => {
    const body = Buffer.from(content as Uint8Array)
    const bytes = Buffer.concat([Buffer.from(`${type} ${body.length}\0`), body])
    const oid = createHash('sha1').update(bytes).digest('hex')
    files.set(`objects/${oid.slice(0, 2)}/${oid.slice(2)}`, new Uint8Array(deflateSync(bytes)))
    return oid
  })
  const store: Store = { get: (name) => files.get(name), list: () => [] }
  return { store, oids }
}

/** Makes a pack of blobs that are not deltas; returns it with the ids. */
export function packOfBlobs(blobs: readonly Uint8Array[]) {
  const header = Buffer.alloc(12)
  header.write('PACK')
  header.writeUInt32BE(2, 4)
  header.writeUInt32BE(blobs.length, 8)
  const entries = blobs.flatMap((blob) => [
    entryHead(3, blob.length),
    deflateSync(blob, { level: 0 }),
  ])
  const body = Buffer.concat([header, ...entries])
  const pack = new Uint8Array(Buffer.concat([body, createHash('sha1').update(body).digest()]))
  const oids = blobs.map((blob) =>
    createHash('sha1').update(`blob ${blob.length}\0`).update(blob).digest('hex'),
  )
  return { pack, oids }
}

/**
 * Makes a pack of chains of blobs, each a delta that replaces some bytes of the one before it;
 * returns it with the ids and the lengths of the entries. The chains are stored one after the other.
 */
export function packOfChains(chains: number, length: number) {
  const header = Buffer.alloc(12)
  header.write('PACK')
  header.writeUInt32BE(2, 4)
  header.writeUInt32BE(chains * length, 8)
  const pieces: Buffer[] = []
  const [oids, size] = [[] as string[], 2000]
  for (let chain = 0; chain < chains; chain++) {
    let content = Buffer.from(noise(chain, size))
    let last = Buffer.concat([entryHead(3, size), deflateSync(content)])
    for (let at = 0; at < length; at++) {
      if (at > 0) {
        // Copies 1,700 bytes from offset 300 on, after 300 others in three pieces.
        const fresh = noise(chain * length + at + 1_000_000, 300)
        const inserts = [0, 100, 200].map((from) => [100, ...fresh.subarray(from, from + 100)])
        const sizes = [0xd0, 0x0f, 0xd0, 0x0f]
        const delta = Buffer.from([...sizes, ...inserts.flat(), 0xb3, 0x2c, 0x01, 0xa4, 0x06])
        content = Buffer.concat([fresh, content.subarray(300)])
        const back = last.length - 128
        const distance = back < 0 ? [last.length] : [0x80 | (back >> 7), back & 127]
        last = Buffer.concat([
          entryHead(6, delta.length),
          Buffer.from(distance),
          deflateSync(delta),
        ])
      }
      pieces.push(last)
      oids.push(createHash('sha1').update(`blob ${size}\0`).update(content).digest('hex'))
    }
  }
  const body = Buffer.concat([header, ...pieces])
  const pack = new Uint8Array(Buffer.concat([body, createHash('sha1').update(body).digest()]))
  return { pack, oids, lengths: pieces.map((piece) => piece.length) }
}

/** Encodes the header of an entry: 4 bits of the size after the type, then 7 a byte. */
function entryHead(type: number, size: number): Buffer {
  const bytes = [(type << 4) | (size & 15)]
  for (let rest = size >> 4; rest > 0; rest >>= 7) {
    bytes.push(rest & 127)
    bytes[bytes.length - 2] = (bytes[bytes.length - 2] ?? 0) | 128
  }
  return Buffer.from(bytes)
}

/** Returns bytes that do not compress, the same for the same seed. */
export function noise(seed: number, size: number): Bytes {
  const block = (at: number) => createHash('sha512').update(`${seed} ${at}`).digest()
  const blocks = Array.from({ length: Math.ceil(size / 64) }, (_, at) => block(at))
  return new Uint8Array(Buffer.concat(blocks).subarray(0, size))
}

/** Returns the files that `<input webkitdirectory>` gives for a folder called `picked`. */
export function filesOf(folder: string): File[] {
  return filesBelow(folder).map((name) => {
    const file = new File([bytesOf(path.join(folder, name))], path.posix.basename(name))
    return Object.defineProperty(file, 'webkitRelativePath', { value: `picked/${name}` })
  })
}

/** Returns the ids of an index, parsed without packlens. */
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

/** Packs whose bytes never arrive; `wasAsked` resolves once they were requested. */
export function hanging() {
  const signals: AbortSignal[] = []
  let asked = () => {}
  const wasAsked = new Promise<void>((resolve) => {
    asked = resolve
  })
  const never: RandomAccess = {
    size: 100_000,
    read: (_offset, _length, options) => {
      if (options?.signal) signals.push(options.signal)
      asked()
      return new Promise(() => {})
    },
  }
  return { source: { packs: [{ pack: never, idx: never }] }, signals, wasAsked }
}
