/** Patches of the files of a merge. */
import { hex } from '../base/hex.js'
import { CHANGE_RECORDS, PATCH_KINDS } from '../base/protocol.js'
import type { CombinedPatch, CombinedPatchJson } from '../base/types.js'
import { text } from '../base/utf8.js'
import { INSPECT, shown } from './plain.js'
import { Reader } from './records.js'

/** What happened to the file of a parent, and its path, which is another one if it was renamed. */
export interface ParentFile {
  readonly record: (typeof CHANGE_RECORDS)[number]
  readonly pathBytes: Uint8Array
}

class PatchOfMerge implements CombinedPatch {
  declare readonly path: string
  declare readonly kind: CombinedPatch['kind']
  declare readonly mode: number | null
  declare readonly oid: string | null
  declare readonly parents: CombinedPatch['parents']
  declare readonly pathBytes: Uint8Array
  declare readonly bytes: Uint8Array
  readonly #parentFiles: readonly ParentFile[]

  constructor(reader: Reader) {
    const kind = PATCH_KINDS[reader.u32()] ?? 'text'
    const [idLength, count, pathLength] = [reader.u32(), reader.u32(), reader.u32()]
    const length = reader.u32() + reader.u32()
    const modes = Array.from({ length: count + 1 }, () => reader.u32() || null)
    const origins = Array.from({ length: count }, () => [reader.u32(), reader.u32()] as const)
    const sides = modes.map((mode) => {
      const id = reader.bytes(idLength)
      return { mode, oid: mode === null ? null : hex(id) }
    })
    const result = sides.pop()
    this.pathBytes = reader.bytes(pathLength)
    this.path = text(this.pathBytes)
    this.kind = kind
    this.mode = result?.mode ?? null
    this.oid = result?.oid ?? null
    this.parents = sides
    this.#parentFiles = origins.map(([record, length]) => ({
      record: CHANGE_RECORDS[record] ?? 'plain',
      pathBytes: length > 0 ? reader.bytes(length) : this.pathBytes,
    }))
    this.bytes = reader.bytes(length)
  }

  /** Returns the files of the parents; of a patch that is not of {@link decodeCombined} none. */
  static parentFilesOf(patch: CombinedPatch): readonly ParentFile[] {
    return patch instanceof PatchOfMerge ? patch.#parentFiles : []
  }

  toString(): string {
    return text(this.bytes)
  }

  toJSON(): CombinedPatchJson {
    const { path, kind, mode, oid, parents } = this
    return { path, kind, mode, oid, parents }
  }

  [INSPECT](): object {
    return shown(this)
  }
}

export const { parentFilesOf } = PatchOfMerge

/** Decodes the records of the core's `CombinedPatches`. */
export function* decodeCombined(
  records: Uint8Array<ArrayBuffer>,
): Generator<CombinedPatch, undefined> {
  const reader = new Reader(records)
  while (!reader.done) yield new PatchOfMerge(reader)
}
