/** Counts the objects that a repository stores, as `git count-objects -v` does. */

import { PacklensError } from '../base/errors.js'
import type { MaybePromise } from '../base/maybe.js'
import { PackFile } from '../base/protocol.js'
import { GARBAGE } from '../base/protocol-full.js'
import { text } from '../base/utf8.js'
import type { Pages } from '../engine/engine.js'
import { Reader } from '../objects/records.js'
import { checkOptions } from '../options/rules.js'
import { READ } from '../options/tables.js'
import type { ReadOptions } from './reading.js'
import type { RepositoryContext } from './repository-context.js'
import { ofAllRows } from './repository-context.js'

type Bytes = Uint8Array<ArrayBuffer>

/** A pack of a repository. */
export interface StoredPack {
  /** The name of the pack, without a file extension. */
  readonly name: string
  readonly objects: number
  /** The bytes of the pack, and of its index. */
  readonly size: number
  readonly indexSize: number
  /** Whether a `.keep` file excludes the pack from repacking. */
  readonly keep: boolean
  /** Whether a `.promisor` file marks the pack: missing objects it refers to are promised. */
  readonly promisor: boolean
  /** Whether the pack is a cruft pack of unreachable objects, with a `.mtimes` file. */
  readonly cruft: boolean
  /** Whether the pack has a reverse index, and bitmaps. */
  readonly rev: boolean
  readonly bitmap: boolean
}

/** A file in the object directory that git counts as garbage. */
export interface Garbage {
  /** The path below the object directory. */
  readonly path: string
  readonly size: number
  readonly why: 'garbage' | 'no-idx' | 'no-pack' | 'no-idx-or-pack'
}

/** The contents of a repository's own object directory. */
export interface StorageCounts {
  /** The number of loose objects, and their bytes. */
  readonly count: number
  readonly size: number
  /** The number of loose objects that are in a pack as well: `git prune-packed` removes them. */
  readonly prunePackable: number
  /** The number of objects in packs; an object in two packs counts twice. */
  readonly inPack: number
  /** The bytes of packs and their indexes. */
  readonly sizePack: number
  readonly packs: readonly StoredPack[]
  readonly garbage: readonly Garbage[]
  readonly sizeGarbage: number
  /** Directories that objects are borrowed from, below the git directory or absolute. */
  readonly alternates: readonly string[]
}

export const COUNT_OBJECTS = { kind: 'countObjects' } as const

/** The requested size of a page, in bytes; the core returns the whole answer in one page. */
const PAGE = 64 << 10

/** Counts the contents of the repository's own object directory. */
export function storage(
  context: RepositoryContext,
  options: ReadOptions = {},
): MaybePromise<StorageCounts> {
  checkOptions('storage', options, READ)
  const begin = () => context.engine.pages(COUNT_OBJECTS)
  const rowsIn = (page: Bytes, pages: Pages) => (pages.done ? [decodeCounts(page)] : [])
  return ofAllRows(context, { begin, rowsIn, capacity: PAGE, options }, ([counts]) => {
    if (counts) return counts
    throw new PacklensError('INTERNAL', 'the answer about storage ends too early')
  })
}

/** Decodes the record of `CountObjects` of the core. Names are returned as text. */
export function decodeCounts(record: Bytes): StorageCounts {
  const reader = new Reader(record)
  const number = () => reader.u64() ?? 0
  const name = () => text(reader.string())
  const list = <T>(read: () => T) => Array.from({ length: reader.u32() }, read)
  const [count, size, prunePackable] = [number(), number(), number()]
  const packs = list((): StoredPack => {
    const [objects, size, indexSize, bits] = [reader.u32(), number(), number(), reader.u8()]
    const has = (bit: number) => (bits & bit) !== 0
    return {
      name: name(),
      objects,
      size,
      indexSize,
      keep: has(PackFile.keep),
      promisor: has(PackFile.promisor),
      cruft: has(PackFile.cruft),
      rev: has(PackFile.rev),
      bitmap: has(PackFile.bitmap),
    }
  })
  const garbage = list((): Garbage => {
    const why = GARBAGE[reader.u8()] ?? 'garbage'
    return { why, size: number(), path: name() }
  })
  const sum = (sizes: readonly number[]) => sizes.reduce((sum, size) => sum + size, 0)
  return {
    count,
    size,
    prunePackable,
    inPack: sum(packs.map(({ objects }) => objects)),
    sizePack: sum(packs.map(({ size, indexSize }) => size + indexSize)),
    packs,
    garbage,
    sizeGarbage: sum(garbage.map(({ size }) => size)),
    alternates: list(name),
  }
}
