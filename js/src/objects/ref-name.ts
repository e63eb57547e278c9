/** How commits are named after refs. */
import { Reader } from './records.js'

/** A record of the core's `NameRev`. */
export interface NamedAfter {
  /** Whether a glob selected only the end of the ref's name. */
  readonly isPart: boolean
  /** The full name of the ref; empty if there is none. */
  readonly ref: Uint8Array
  /** What follows the name of the ref. */
  readonly suffix: Uint8Array
}

export function* decodeRefNames(
  records: Uint8Array<ArrayBuffer>,
): Generator<NamedAfter, undefined> {
  const reader = new Reader(records)
  while (!reader.done) {
    const isPart = reader.u32() === 1
    yield { isPart, ref: reader.string(), suffix: reader.string() }
  }
}
