/** Decodes the records of answers about one pack. */

import { hex } from '../base/hex.js'
import { FINDING_LEVELS, INDEX_RECORDS } from '../base/protocol.js'
import { text } from '../base/utf8.js'
import type { Finding } from './findings.js'
import { Reader } from './records.js'

/** A finding about an object of a pack, with git's message. */
export type PackFinding = Pick<Finding, 'id' | 'severity' | 'message'> & { readonly oid: string }

/** The facts about a valid pack. */
export interface PackFacts {
  /** The hash at the end of the pack, which is also in its name. */
  readonly oid: string
  /** The number of objects. */
  readonly objects: number
}

/** Receives the records of an answer. */
export interface RecordReceiver {
  progress?(done: number, total: number): void
  index?(bytes: Uint8Array<ArrayBuffer>): void
  reverse?(bytes: Uint8Array<ArrayBuffer>): void
  text?(bytes: Uint8Array<ArrayBuffer>): void
  ids?(bytes: Uint8Array<ArrayBuffer>): void
  tail?(bytes: Uint8Array<ArrayBuffer>): void
  /** Entries of the pack that workers send to the leader. */
  section?(bytes: Uint8Array<ArrayBuffer>): void
  /** All entries of the pack, which the leader sends to workers. */
  rows?(bytes: Uint8Array<ArrayBuffer>): void
  /** `late`: the finding was made after all objects of the pack were read. */
  finding?(finding: PackFinding, late: boolean): void
}

/**
 * Passes the records of a page to `receiver`, whose views are valid until this returns. Returns
 * the facts, which are the last record of an answer.
 */
export function dispatchRecords(
  page: Uint8Array<ArrayBuffer>,
  receiver: RecordReceiver,
): PackFacts | undefined {
  let facts: PackFacts | undefined
  const view = new DataView(page.buffer, page.byteOffset, page.byteLength)
  for (let at = 0; at < page.byteLength; ) {
    const kind = INDEX_RECORDS[view.getUint8(at)]
    const length = view.getUint32(at + 1, true)
    const start = at + 5
    const content = page.subarray(start, start + length)
    const number = (offset: number) => Number(view.getBigUint64(start + offset, true))
    if (kind === 'progress') receiver.progress?.(number(0), number(8))
    else if (kind === 'finding') reportFinding(content, receiver)
    else if (kind === 'facts') {
      facts = { objects: view.getUint32(start, true), oid: hex(content.subarray(4)) }
    } else if (kind) receiver[kind]?.(content)
    at = start + length
  }
  return facts
}

function reportFinding(record: Uint8Array<ArrayBuffer>, receiver: RecordReceiver): void {
  const reader = new Reader(record)
  const severity = FINDING_LEVELS[reader.u8()] ?? 'error'
  const late = reader.u8() !== 0
  const oid = reader.oid() ?? ''
  const id = text(reader.string())
  receiver.finding?.({ id, severity, oid, message: text(reader.string()) }, late)
}
