/** Entries of trees, and the meaning of their modes. */
import type { TreeEntry, TreeEntryJson, WalkEntry, WalkEntryJson } from '../base/types.js'
import { INSPECT, shown } from './plain.js'

/** The bits of a mode that say what an entry is. */
export const FORMAT = 0o170000
const TREE = 0o040000
const FILE = 0o100000
const SYMLINK = 0o120000
const SUBMODULE = 0o160000
/** The owner's bit; git ignores the other execute bits. */
const EXECUTABLE = 0o100

type EntryType = TreeEntry['type']

/**
 * The names of modes are computed on access. Fields are only declared, because defining
 * and then setting them would cost more than the rest of making an entry.
 */
export abstract class Entry {
  declare readonly mode: number
  declare readonly type: EntryType
  declare readonly oid: string

  constructor(mode: number, oid: string) {
    this.mode = mode
    this.type = typeOfMode(mode)
    this.oid = oid
  }

  abstract toJSON(): object

  [INSPECT](): object {
    return shown(this)
  }

  get isTree(): boolean {
    return this.type === 'tree'
  }

  get isBlob(): boolean {
    return this.type === 'blob'
  }

  get isSubmodule(): boolean {
    return this.type === 'commit'
  }

  get isSymlink(): boolean {
    return (this.mode & FORMAT) === SYMLINK
  }

  get isExecutable(): boolean {
    return (this.mode & FORMAT) === FILE && (this.mode & EXECUTABLE) !== 0
  }
}

export class EntryOfTree extends Entry implements TreeEntry {
  declare readonly name: string
  declare readonly nameBytes: Uint8Array

  constructor(mode: number, oid: string, name: string, nameBytes: Uint8Array) {
    super(mode, oid)
    this.name = name
    this.nameBytes = nameBytes
  }

  toJSON(): TreeEntryJson {
    const { mode, type, oid, name } = this
    return { mode, type, oid, name }
  }
}

export class EntryOfWalk extends Entry implements WalkEntry {
  declare readonly path: string
  declare readonly pathBytes: Uint8Array
  declare readonly size: number | undefined

  constructor(
    mode: number,
    oid: string,
    path: string,
    pathBytes: Uint8Array,
    size: number | undefined,
  ) {
    super(mode, oid)
    this.path = path
    this.pathBytes = pathBytes
    this.size = size
  }

  toJSON(): WalkEntryJson {
    const { mode, type, oid, path, size } = this
    return { mode, type, oid, path, size }
  }
}

/** Returns the type of the object that an entry of this mode names. */
function typeOfMode(mode: number): EntryType {
  const format = mode & FORMAT
  if (format === TREE) return 'tree'
  return format === SUBMODULE ? 'commit' : 'blob'
}
