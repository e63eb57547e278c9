/** Reads answers about one pack: decodes the records of their pages. */
import type { Engine, Pages } from './engine.js'
import { PacklensError } from './errors.js'
import type { Finding } from './findings.js'
import { hex } from './hex.js'
import type { OpenOptions } from './open.js'
import type { Pool } from './pool.js'
import { reportTo } from './progress.js'
import type { IndexPackQuestion } from './protocol.js'
import { FINDING_LEVELS, INDEX_RECORDS } from './protocol.js'
import { Reader } from './records.js'
import type { Listing } from './rows.js'
import { allRows } from './rows.js'
import type { AskOptions } from './session.js'
import { INDEX_PATH, PACK_PATH } from './source/pack-files.js'
import { text } from './utf8.js'

/** The options of indexing or checking a pack. */
export interface PackOptions
  extends Pick<
    OpenOptions,
    'memory' | 'objectFormat' | 'worker' | 'workers' | 'onProgress' | 'signal'
  > {
  /**
   * Whether to detect SHA-1 collision attacks, which fail with `CORRUPT`. Default:
   * `detect`, as git does; `trust` takes half as long, for your own packs.
   */
  readonly collisions?: 'detect' | 'trust' | undefined
}

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

/** The approximate bytes of an index or of text in one page. */
export const PACK_PAGE = 256 << 10

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

/** The options of a question about a pack. */
export type IndexPackRequest = Omit<IndexPackQuestion, 'kind' | 'pack' | 'idx'>

/** Returns the question for the core. */
export function packQuestion(
  request: IndexPackRequest,
  pack = PACK_PATH,
  idx = INDEX_PATH,
): IndexPackQuestion {
  return { kind: 'indexPack', pack, idx, ...request }
}

/** The engine that was opened with one pack, and the workers that help it. */
export interface PackReaders {
  readonly engine: Promise<Engine>
  readonly pool: Promise<Pool>
}

/** Returns a listing whose only row is the facts, with which an answer about a pack ends. */
export function factsIn(
  begin: () => Pages,
  receiver: RecordReceiver,
  { signal }: AskOptions,
): Listing<PackFacts> {
  const rowsIn = (page: Uint8Array<ArrayBuffer>) => {
    const facts = dispatchRecords(page, receiver)
    return facts ? [facts] : []
  }
  return { begin, rowsIn, capacity: PACK_PAGE, options: { signal } }
}

/** Returns the facts; an answer without any is a bug. */
export function only([facts]: readonly PackFacts[]): PackFacts {
  if (facts) return facts
  throw new PacklensError('INTERNAL', 'the answer about a pack ends too early')
}

/** Reads an answer to its end, and returns the facts. */
export async function dispatchAll(
  pages: Pages,
  receiver: RecordReceiver,
  options: AskOptions,
): Promise<PackFacts> {
  return only(await allRows(factsIn(() => pages, receiver, options)))
}

/** Returns a receiver that reports the progress to `onProgress`. */
export function reporting(options: Pick<OpenOptions, 'onProgress'>): RecordReceiver {
  return { progress: reportTo(options) }
}

/** Asks an engine about its one pack, then closes the engine and its workers. */
export async function closing<T>(
  readers: PackReaders,
  use: (pages: (request: IndexPackQuestion) => Pages) => Promise<T>,
): Promise<T> {
  const [engine, pool] = await Promise.all([readers.engine, readers.pool])
  try {
    return await use((request) => pool.index(engine, request))
  } finally {
    pool.close()
    engine.close()
  }
}
