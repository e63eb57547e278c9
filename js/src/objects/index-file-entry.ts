/** Entries of the index of a worktree. */
import { hex } from '../base/hex.js'
import type { FileStat, IndexFileEntry, IndexFileEntryJson } from '../base/types.js'
import { text } from '../base/utf8.js'
import { Entry } from './entry.js'
import { Reader } from './records.js'

/** The bits of the flags: see `IndexEntries` of the core. */
const STAGE = 3
const ASSUMED_UNCHANGED = 4
const SKIPPED = 8
const INTENT_TO_ADD = 16

class EntryOfIndexFile extends Entry implements IndexFileEntry {
  declare readonly path: string
  declare readonly pathBytes: Uint8Array
  declare readonly stage: IndexFileEntry['stage']
  declare readonly isAssumedUnchanged: boolean
  declare readonly isSkipped: boolean
  declare readonly isIntentToAdd: boolean
  declare readonly stat: FileStat

  constructor(
    mode: number,
    oid: string,
    { flags, stat, pathBytes }: { flags: number; stat: FileStat; pathBytes: Uint8Array },
  ) {
    super(mode, oid)
    this.path = text(pathBytes)
    this.pathBytes = pathBytes
    this.stage = (flags & STAGE) as IndexFileEntry['stage']
    this.isAssumedUnchanged = (flags & ASSUMED_UNCHANGED) !== 0
    this.isSkipped = (flags & SKIPPED) !== 0
    this.isIntentToAdd = (flags & INTENT_TO_ADD) !== 0
    this.stat = stat
  }

  toJSON(): IndexFileEntryJson {
    const { mode, type, oid, path, stage, isAssumedUnchanged, isSkipped, isIntentToAdd } = this
    const flags = { isAssumedUnchanged, isSkipped, isIntentToAdd }
    return { mode, type, oid, path, stage, ...flags, stat: this.stat }
  }
}

/** Decodes the records of the core's `IndexEntries`. */
export function* decodeIndexFile(
  records: Uint8Array<ArrayBuffer>,
): Generator<IndexFileEntry, undefined> {
  const reader = new Reader(records)
  const time = () => ({ seconds: reader.u32(), nanoseconds: reader.u32() })
  while (!reader.done) {
    const mode = reader.u32()
    const flags = reader.u32()
    const [ctime, mtime] = [time(), time()]
    const [dev, ino, uid, gid] = [reader.u32(), reader.u32(), reader.u32(), reader.u32()]
    const stat = { ctime, mtime, dev, ino, uid, gid, size: reader.u32() }
    const [idLength, pathLength] = [reader.u32(), reader.u32()]
    const oid = hex(reader.bytes(idLength))
    const pathBytes = reader.bytes(pathLength)
    yield new EntryOfIndexFile(mode, oid, { flags, stat, pathBytes })
  }
}
