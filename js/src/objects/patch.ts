/** Patches of files. */
import { PATCH_KINDS } from '../base/protocol.js'
import type { FilePatch, FilePatchJson, Hunk, TextPatch, TextPatchJson } from '../base/types.js'
import { text } from '../base/utf8.js'
import type { ChangeRecord, OnRenameLimit } from './change.js'
import { ChangeOfFile, changeIn } from './change.js'
import { hunksIn, wordHunksIn } from './hunks.js'
import { INSPECT, shown } from './plain.js'
import { Reader } from './records.js'

class PatchOfText implements TextPatch {
  declare readonly kind: TextPatch['kind']
  declare readonly added: number
  declare readonly removed: number
  declare readonly bytes: Uint8Array
  readonly #headerLength: number
  readonly #hasWords: boolean
  #hunks: readonly Hunk[] | undefined

  constructor(
    [kind, added, removed]: Summary,
    bytes: Uint8Array,
    { headerLength = 0, hasWords = false },
  ) {
    this.kind = kind
    this.added = added
    this.removed = removed
    this.bytes = bytes
    this.#headerLength = headerLength
    this.#hasWords = hasWords
  }

  get hunks(): readonly Hunk[] {
    const split = this.#hasWords ? wordHunksIn : hunksIn
    this.#hunks ??= [...split(this.bytes.subarray(this.#headerLength))]
    return this.#hunks
  }

  toString(): string {
    return text(this.bytes)
  }

  toJSON(): TextPatchJson {
    const { kind, added, removed, hunks } = this
    return { kind, added, removed, hunks }
  }

  [INSPECT](): object {
    return shown(this)
  }
}

class PatchOfFile extends ChangeOfFile implements FilePatch {
  declare readonly kind: FilePatch['kind']
  declare readonly added: number
  declare readonly removed: number
  declare readonly bytes: Uint8Array
  readonly #patch: PatchOfText

  constructor(change: ChangeRecord, patch: PatchOfText) {
    super(change)
    this.kind = patch.kind
    this.added = patch.added
    this.removed = patch.removed
    this.bytes = patch.bytes
    this.#patch = patch
  }

  get hunks(): readonly Hunk[] {
    return this.#patch.hunks
  }

  override toString(): string {
    return this.#patch.toString()
  }

  override toJSON(): FilePatchJson {
    return { ...super.toJSON(), ...this.#patch.toJSON() }
  }
}

/** What a patch is of, and how many lines it adds and removes. */
type Summary = readonly [kind: TextPatch['kind'], added: number, removed: number]

function summaryIn(reader: Reader): Summary {
  const kind = PATCH_KINDS[reader.u32()] ?? 'text'
  return [kind, reader.u32(), reader.u32()]
}

/** Decodes the record of the core's `TextPatch`; its hunks may be of words. */
export function decodeTextPatch(record: Uint8Array<ArrayBuffer>, hasWords: boolean): TextPatch {
  return new PatchOfText(summaryIn(new Reader(record)), record.subarray(12), { hasWords })
}

/**
 * Decodes the records of the core's `Patches`, whose hunks may be of words; `below` as for
 * {@link changeIn}.
 */
export function* decodePatches(
  records: Uint8Array<ArrayBuffer>,
  onRenameLimit: OnRenameLimit,
  { wordDiff = false, below = 0 } = {},
): Generator<FilePatch, undefined> {
  const reader = new Reader(records)
  while (!reader.done) {
    const change = changeIn(reader, onRenameLimit, below)
    if (!change) continue
    const summary = summaryIn(reader)
    const [headerLength, hunksLength] = [reader.u32(), reader.u32()]
    const bytes = reader.bytes(headerLength + hunksLength)
    // Of a rewritten file, all lines are replaced.
    const hasWords = wordDiff && change.record !== 'rewritten'
    yield new PatchOfFile(change, new PatchOfText(summary, bytes, { headerLength, hasWords }))
  }
}
