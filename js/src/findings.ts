/**
 * What the core finds where it checks a repository; the other side is
 * `crate/maintain/src/fsck/finding.rs`.
 */
import { TYPES } from './frame.js'
import { FINDING_LEVELS, FSCK_PHASES, FSCK_RECORDS } from './protocol.js'
import { Reader } from './records.js'
import type { ObjectType } from './types.js'
import { text } from './utf8.js'

/** Something that is wrong, or to be known, as the core tells it. */
export interface Finding {
  /**
   * What it is: git's message id, such as `badDate`, where git has one; or `missing`,
   * `dangling`, `packChecksum` and the like.
   */
  readonly id: string
  /** As git weighs it; `info` is no fault. */
  readonly severity: 'error' | 'warn' | 'info'
  /** The object it is about; `null` if it is about no object that is known. */
  readonly oid: string | null
  readonly type: ObjectType | null
  /** What that leads to, where this is about a link. */
  readonly to: string | null
  readonly toType: ObjectType | null
  /** What git says of it, or what is wrong with the bytes. */
  readonly message: string
  /** The file it lies in, below the git directory, or the ref it is about; or `null`. */
  readonly place: string | null
  /** The bits it sets in git's exit code. */
  readonly exit: number
  /** How both objects are reached, if that was asked for; empty if it is not known. */
  readonly names: readonly [string, string]
}

/** How much findings weigh. */
export interface SeverityOptions {
  /**
   * By git's message ids, such as `missingEmail`, as `fsck.<msg-id>` of git's config: what
   * is ignored is not told. What is in a header's way, `nulInHeader` and
   * `unterminatedHeader`, stays an error.
   */
  readonly severities?: Readonly<Record<string, 'error' | 'warn' | 'ignore'>> | undefined
  /** Ids of objects of which nothing is told, as `fsck.skipList`. */
  readonly skipList?: readonly string[] | undefined
}

/** Returns the lines that the core takes. */
export function rulesOf({ severities = {}, skipList = [] }: SeverityOptions): string {
  const lines = Object.entries(severities).map(([id, severity]) => `${id}=${severity}`)
  return [...lines, ...skipList].join('\n')
}

/** What takes the records of an answer. */
export interface FindingTaker {
  progress(phase: (typeof FSCK_PHASES)[number], done: number, total: number): void
  finding(finding: Finding): void
}

/** Gives the records of a page to those who take them. */
export function decodeFindings(
  page: Uint8Array<ArrayBuffer>,
  taker: FindingTaker,
  decode = text,
): void {
  const reader = new Reader(page)
  while (!reader.done) {
    const kind = FSCK_RECORDS[reader.u8()]
    reader.u32()
    if (kind === 'progress') {
      const phase = FSCK_PHASES[reader.u8()] ?? 'objects'
      taker.progress(phase, reader.u64() ?? 0, reader.u64() ?? 0)
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
    taker.finding({ id, severity, oid, type, to, toType, message, place, exit, names })
  }
}
