/** Entries of a directory with the commits that last changed them. */
import { hex } from '../base/hex.js'
import type { ModifiedEntry, ModifiedEntryJson } from '../base/types.js'
import { text } from '../base/utf8.js'
import { EntryOfTree } from './entry.js'
import { Reader } from './records.js'

class EntryWithCommit extends EntryOfTree implements ModifiedEntry {
  declare readonly commit: string
  declare readonly isCut: boolean

  constructor(
    mode: number,
    oid: string,
    nameBytes: Uint8Array,
    { commit, isCut }: Pick<ModifiedEntry, 'commit' | 'isCut'>,
  ) {
    super(mode, oid, text(nameBytes), nameBytes)
    this.commit = commit
    this.isCut = isCut
  }

  override toJSON(): ModifiedEntryJson {
    return { ...super.toJSON(), commit: this.commit, isCut: this.isCut }
  }
}

/** Decodes the records of the core's `LastModified`. */
export function* decodeModified(
  records: Uint8Array<ArrayBuffer>,
): Generator<ModifiedEntry, undefined> {
  const reader = new Reader(records)
  while (!reader.done) {
    const mode = reader.u32()
    const idLength = reader.u32()
    const nameLength = reader.u32()
    const isCut = reader.u32() === 1
    const oid = hex(reader.bytes(idLength))
    const commit = hex(reader.bytes(idLength))
    yield new EntryWithCommit(mode, oid, reader.bytes(nameLength), { commit, isCut })
  }
}
