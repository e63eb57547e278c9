/**
 * Decodes the findings of the core's checks of a repository;
 * `crate/maintain/src/fsck/finding.rs` encodes them.
 */

import { FINDING_LEVELS, FSCK_PHASES, FSCK_RECORDS } from '../base/protocol.js'
import type { ObjectType } from '../base/types.js'
import { text } from '../base/utf8.js'
import { TYPES } from './frame.js'
import { Reader } from './records.js'

/** A fault of a repository, or a notice about it. */
export interface Finding {
  /**
   * The kind of the finding: git's message id, such as `badDate`, if git has one; otherwise
   * an id such as `missing`, `dangling` or `packChecksum`.
   */
  readonly id: string
  /** The severity that git assigns; `info` is a notice, not a fault. */
  readonly severity: 'error' | 'warn' | 'info'
  /** The object that the finding is about; `null` if no object is known. */
  readonly oid: string | null
  readonly type: ObjectType | null
  /** The object that `oid` links to, if the finding is about a link. */
  readonly to: string | null
  readonly toType: ObjectType | null
  /** git's message, or a description of the damage. */
  readonly message: string
  /** The path of the object's file or pack below the git directory, or the refname; or `null`. */
  readonly place: string | null
  /** The bits of git's exit code that the finding sets. */
  readonly exit: number
  /** The names by which both objects are reached, if requested; empty if unknown. */
  readonly names: readonly [string, string]
}

/** The severities of findings. */
export interface SeverityOptions {
  /**
   * Severities by git's message ids, such as `missingEmail`, as `fsck.<msg-id>` in git's
   * config; ignored findings are not reported. `nulInHeader` and `unterminatedHeader` must
   * stay errors: another severity fails with `BAD_INPUT`, as an unknown id does.
   */
  readonly severities?: Readonly<Record<string, 'error' | 'warn' | 'ignore'>> | undefined
  /** The ids of objects whose findings are not reported, as `fsck.skipList`. */
  readonly skipList?: readonly string[] | undefined
}

/** Returns the severities as lines, in the syntax of `Severities` of the core. */
export function rulesOf({ severities = {}, skipList = [] }: SeverityOptions): string {
  const lines = Object.entries(severities).map(([id, severity]) => `${id}=${severity}`)
  return [...lines, ...skipList].join('\n')
}

/** Receives the records of an answer. */
export interface FindingReceiver {
  progress(phase: (typeof FSCK_PHASES)[number], done: number, total: number): void
  finding(finding: Finding): void
}

/** Decodes the records of a page and passes each to `receiver`. */
export function decodeFindings(
  page: Uint8Array<ArrayBuffer>,
  receiver: FindingReceiver,
  decode = text,
): void {
  const reader = new Reader(page)
  while (!reader.done) {
    const kind = FSCK_RECORDS[reader.u8()]
    reader.u32()
    if (kind === 'progress') {
      const phase = FSCK_PHASES[reader.u8()] ?? 'objects'
      receiver.progress(phase, reader.u64() ?? 0, reader.u64() ?? 0)
      continue
    }
    const severity = FINDING_LEVELS[reader.u8()] ?? 'error'
    const type = TYPES[reader.u8()] ?? null
    const toType = TYPES[reader.u8()] ?? null
    const exit = reader.u8()
    const oid = reader.oid()
    const to = reader.oid()
    const string = () => decode(reader.string())
    const id = string()
    const message = string()
    const place = string() || null
    const names = [string(), string()] as const
    receiver.finding({ id, severity, oid, type, to, toType, message, place, exit, names })
  }
}
