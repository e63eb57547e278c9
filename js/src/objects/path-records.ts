/** The records of what files say about paths. */
import type { IgnoreRule, IgnoreRuleJson, PathAttributes } from '../base/types.js'
import { text } from '../base/utf8.js'
import { INSPECT, shown } from './plain.js'
import { Reader } from './records.js'

type Bytes = Uint8Array<ArrayBuffer>

/** A record of the core's `IgnoredPaths` about a path that a line decides about. */
export interface IgnoreRecord {
  /** 1 for the file of `core.excludesFile`, 2 for `info/exclude`, 3 for a `.gitignore`. */
  readonly file: number
  readonly line: number
  readonly isNegative: boolean
  /** How many bytes of the path are the directory of the `.gitignore`. */
  readonly base: number
  readonly pattern: Bytes
}

/** Decodes the records of the core's `IgnoredPaths`, one for each path. */
export function* decodeIgnored(page: Bytes): Generator<IgnoreRecord | null, undefined> {
  const reader = new Reader(page)
  while (!reader.done) {
    const [file, line] = [reader.u32(), reader.u32()]
    const isNegative = reader.u32() === 1
    const base = reader.u32()
    const pattern = reader.string()
    yield file === 0 ? null : { file, line, isNegative, base, pattern }
  }
}

const encoder = new TextEncoder()
const EXCLUDES_FILE = encoder.encode('core.excludesFile')
const INFO_EXCLUDE = encoder.encode('info/exclude')
const GITIGNORE = encoder.encode('.gitignore')

/** The line that decides about a path. */
export class FoundIgnoreRule implements IgnoreRule {
  declare readonly isIgnored: boolean
  declare readonly source: string
  declare readonly sourceBytes: Uint8Array
  declare readonly line: number
  declare readonly pattern: string
  declare readonly patternBytes: Uint8Array

  constructor({ file, line, isNegative, base, pattern }: IgnoreRecord, path: Uint8Array) {
    this.isIgnored = !isNegative
    if (file === 3) this.sourceBytes = new Uint8Array([...path.subarray(0, base), ...GITIGNORE])
    else this.sourceBytes = file === 1 ? EXCLUDES_FILE : INFO_EXCLUDE
    this.source = text(this.sourceBytes)
    this.line = line
    this.patternBytes = pattern
    this.pattern = text(pattern)
  }

  toJSON(): IgnoreRuleJson {
    const { isIgnored, source, line, pattern } = this
    return { isIgnored, source, line, pattern }
  }

  [INSPECT](): object {
    return shown(this)
  }
}

const [UNSPECIFIED, SET, UNSET] = [0, 1, 2]

/** What is said of an attribute; `null` for nothing. */
export type AttributeState = Bytes | boolean | null

/** Decodes the records of the core's `PathsAttributes`: the attributes of each path. */
export function* decodeAttributes(
  page: Bytes,
): Generator<readonly (readonly [name: string, AttributeState])[], undefined> {
  const reader = new Reader(page)
  while (!reader.done) {
    yield Array.from({ length: reader.u32() }, () => {
      const state = reader.u8()
      const [nameLength, valueLength] = [reader.u32(), reader.u32()]
      const name = text(reader.bytes(nameLength))
      const value = reader.bytes(valueLength)
      if (state === UNSPECIFIED) return [name, null] as const
      return [name, state === SET ? true : state === UNSET ? false : value] as const
    })
  }
}

/** Returns the attributes that something is said of. */
export function attributesOf(
  all: readonly (readonly [name: string, AttributeState])[],
): PathAttributes {
  const found: PathAttributes = new Map()
  for (const [name, state] of all) {
    if (state !== null) found.set(name, typeof state === 'boolean' ? state : text(state))
  }
  return found
}
