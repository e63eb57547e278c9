/** Patches of files. */
import { PATCH_KINDS } from '../base/protocol.js'
import type {
  FilePatch,
  FilePatchJson,
  Hunk,
  HunkLine,
  TextPatch,
  TextPatchJson,
} from '../base/types.js'
import { text } from '../base/utf8.js'
import type { ChangeRecord, OnRenameLimit } from './change.js'
import { ChangeOfFile, changeIn } from './change.js'
import { INSPECT, shown } from './plain.js'
import { Reader } from './records.js'

const LINE_FEED = 0x0a
const ADDED = 0x2b
const REMOVED = 0x2d
const NOTE = 0x5c

const POSITION = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@ ?/

class PatchOfText implements TextPatch {
  declare readonly kind: TextPatch['kind']
  declare readonly added: number
  declare readonly removed: number
  declare readonly bytes: Uint8Array
  readonly #headerLength: number
  #hunks: readonly Hunk[] | undefined

  constructor([kind, added, removed]: Summary, bytes: Uint8Array, headerLength = 0) {
    this.kind = kind
    this.added = added
    this.removed = removed
    this.bytes = bytes
    this.#headerLength = headerLength
  }

  get hunks(): readonly Hunk[] {
    this.#hunks ??= [...hunksIn(this.bytes.subarray(this.#headerLength))]
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

/** Decodes the record of the core's `TextPatch`. */
export function decodeTextPatch(record: Uint8Array<ArrayBuffer>): TextPatch {
  return new PatchOfText(summaryIn(new Reader(record)), record.subarray(12))
}

/** Decodes the records of the core's `Patches`. */
export function* decodePatches(
  records: Uint8Array<ArrayBuffer>,
  onRenameLimit: OnRenameLimit,
): Generator<FilePatch, undefined> {
  const reader = new Reader(records)
  while (!reader.done) {
    const change = changeIn(reader, onRenameLimit)
    if (!change) continue
    const summary = summaryIn(reader)
    const [headerLength, hunksLength] = [reader.u32(), reader.u32()]
    const bytes = reader.bytes(headerLength + hunksLength)
    yield new PatchOfFile(change, new PatchOfText(summary, bytes, headerLength))
  }
}

/** Splits the hunks of a patch into lines. */
function* hunksIn(bytes: Uint8Array): Generator<Hunk, undefined> {
  let at = 0
  const next = () => {
    const found = bytes.indexOf(LINE_FEED, at)
    const end = found < 0 ? bytes.length : found
    const line = bytes.subarray(at, end)
    at = end + 1
    return line
  }
  while (at < bytes.length) {
    // The old lines of a rewritten file may be left out.
    const header = text(next()).replace(/^@@ -\?,\?/, '@@ -0,0')
    const [position, ...numbers] = POSITION.exec(header) ?? ['']
    const [oldStart = 0, oldLines = 1, newStart = 0, newLines = 1] = numbers.map((digits) =>
      digits === undefined ? undefined : Number(digits),
    )
    const lines: HunkLine[] = []
    let [oldLine, newLine] = [oldStart, newStart]
    const [oldEnd, newEnd] = [oldStart + oldLines, newStart + newLines]
    while (at < bytes.length && (oldLine < oldEnd || newLine < newEnd)) {
      const line = next()
      const [sign] = line
      const kind = sign === ADDED ? 'added' : sign === REMOVED ? 'removed' : 'context'
      const isUnterminated = bytes[at] === NOTE
      if (isUnterminated) next()
      lines.push({
        kind,
        text: text(line.subarray(1)),
        oldLine: kind === 'added' ? null : oldLine++,
        newLine: kind === 'removed' ? null : newLine++,
        isUnterminated,
      })
    }
    yield { oldStart, oldLines, newStart, newLines, heading: header.slice(position.length), lines }
  }
}
