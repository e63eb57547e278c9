/** Lines that a search finds. */
import { GREP_RECORDS } from '../base/protocol-full.js'
import type { GrepHit, GrepHitJson } from '../base/types.js'
import { text } from '../base/utf8.js'
import { INSPECT, shown } from './plain.js'
import { Reader } from './records.js'

class Hit implements GrepHit {
  declare readonly kind: GrepHit['kind']
  declare readonly pathBytes: Uint8Array
  declare readonly path: string
  declare readonly line: number
  declare readonly column: number
  declare readonly matches: GrepHit['matches']
  declare readonly count: number
  declare readonly bytes: Uint8Array

  constructor(reader: Reader) {
    this.kind = GREP_RECORDS[reader.u32()] ?? 'match'
    const number = reader.u32()
    this.column = reader.u32()
    const [spans, pathLength, lineLength] = [reader.u32(), reader.u32(), reader.u32()]
    this.matches = Array.from({ length: spans }, () => [reader.u32(), reader.u32()] as const)
    this.pathBytes = reader.bytes(pathLength)
    this.path = text(this.pathBytes)
    this.bytes = reader.bytes(lineLength)
    this.line = this.kind === 'count' ? 0 : number
    this.count = this.kind === 'count' ? number : 0
  }

  get text(): string {
    return text(this.bytes)
  }

  toString(): string {
    return this.text
  }

  toJSON(): GrepHitJson {
    const { kind, path, line, column, matches, count, text } = this
    return { kind, path, line, column, matches, count, text }
  }

  [INSPECT](): object {
    return shown(this)
  }
}

/** Decodes the records of the core's `Grep`. */
export function* decodeGrep(records: Uint8Array<ArrayBuffer>): Generator<GrepHit, undefined> {
  const reader = new Reader(records)
  while (!reader.done) yield new Hit(reader)
}
