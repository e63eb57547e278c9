/** Lines of a file with the commits that last changed them. */
import { hex } from '../base/hex.js'
import type { BlamedLines, BlamedLinesJson } from '../base/types.js'
import { text } from '../base/utf8.js'
import { INSPECT, shown } from './plain.js'
import { Reader } from './records.js'

/** Bits of a record. */
const [ROOT, GUESSED, IGNORED, CUT] = [1, 2, 4, 8]

class LinesOfCommit implements BlamedLines {
  declare readonly start: number
  declare readonly count: number
  declare readonly commit: string
  declare readonly oldStart: number
  declare readonly path: string
  declare readonly isBoundary: boolean
  declare readonly isCut: boolean
  declare readonly isGuessed: boolean
  declare readonly isIgnored: boolean
  declare readonly previous: BlamedLines['previous']
  declare readonly pathBytes: Uint8Array
  declare readonly previousPathBytes: Uint8Array | null

  constructor(reader: Reader) {
    this.start = reader.u32() + 1
    this.count = reader.u32()
    const oldStart = reader.u32() + 1
    const bits = reader.u32()
    const idLength = reader.u32()
    const lengths = [reader.u32(), reader.u32()] as const
    this.commit = hex(reader.bytes(idLength))
    const previous = hex(reader.bytes(idLength))
    this.oldStart = oldStart
    this.pathBytes = reader.bytes(lengths[0])
    this.path = text(this.pathBytes)
    this.isBoundary = (bits & (ROOT | CUT)) !== 0
    this.isCut = (bits & CUT) !== 0
    this.isGuessed = (bits & GUESSED) !== 0
    this.isIgnored = (bits & IGNORED) !== 0
    const previousPath = reader.bytes(lengths[1])
    const isKnown = previousPath.length > 0
    this.previousPathBytes = isKnown ? previousPath : null
    this.previous = isKnown ? { commit: previous, path: text(previousPath) } : null
  }

  toJSON(): BlamedLinesJson {
    const { start, count, commit, oldStart, path, previous } = this
    const { isBoundary, isCut, isGuessed, isIgnored } = this
    const flags = { isBoundary, isCut, isGuessed, isIgnored }
    return { start, count, commit, oldStart, path, ...flags, previous }
  }

  [INSPECT](): object {
    return shown(this)
  }
}

/** Decodes the records of the core's `Blame`. */
export function* decodeBlamed(records: Uint8Array<ArrayBuffer>): Generator<BlamedLines, undefined> {
  const reader = new Reader(records)
  while (!reader.done) yield new LinesOfCommit(reader)
}
