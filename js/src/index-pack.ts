/** Making indexes of packs, and checking packs with theirs. */

import type { Engine, Pages } from './engine.js'
import { PacklensError } from './errors.js'
import type { Finding, SeverityOptions } from './findings.js'
import { rulesOf } from './findings.js'
import { hex } from './hex.js'
import { isPromise } from './maybe.js'
import type { OpenOptions, RepoSource } from './open.js'
import { checkOptions } from './options/rules.js'
import { CHECK_PACK_FILES, INDEX_PACK } from './options/tables.js'
import { joined } from './pages.js'
import type { URL } from './platform-types.js'
import { reportTo } from './progress.js'
import type { IndexPackQuestion } from './protocol.js'
import { FINDING_LEVELS, INDEX_RECORDS } from './protocol.js'
import { Reader, text } from './records.js'
import type { AskOptions } from './session.js'
import type { RandomAccess } from './source/bytes.js'
import { ofCaller } from './source/failed.js'
import type { MissingHook } from './source/fetched.js'
import { INDEX_PATH, PACK_PATH } from './source/pack-files.js'
import type { ByteStream, ReceiveOptions } from './source/received.js'
import { complete, isStream, receive } from './source/received.js'
import { turn } from './turn.js'
import type { WorkerPool } from './worker-pool.js'

/** How a pack is indexed or checked. */
export interface PackOptions
  extends Pick<
    OpenOptions,
    'memory' | 'objectFormat' | 'worker' | 'workers' | 'onProgress' | 'signal'
  > {
  /**
   * Whether to look for content that was made to have the SHA-1 of another; such is
   * `CORRUPT`. Default `detect`, as git does; `trust` takes half as long, for
   * packs of one's own.
   */
  readonly collisions?: 'detect' | 'trust' | undefined
}

/** How a pack on its own is checked. */
export interface CheckPackFilesOptions extends PackOptions {
  /**
   * Told, piece by piece, what `git verify-pack -v` prints of a pack that is as its index
   * says. The bytes are good until this returns.
   */
  readonly onListing?: ((text: Uint8Array<ArrayBuffer>) => void) | undefined
  /** Leaves out the lines about each object: `--stat-only`. */
  readonly statOnly?: boolean | undefined
}

/** How a pack is indexed. */
export interface IndexPackOptions
  extends PackOptions,
    SeverityOptions,
    Pick<ReceiveOptions, 'sink' | 'maxInputSize'> {
  /**
   * A repository that has the bases which a thin pack lacks: {@link PackIndex.completion}.
   * It is only read.
   */
  readonly repository?: RepoSource | string | URL | undefined
  /** Asked for bases that are nowhere, all at once; see {@link OpenOptions.missing}. */
  readonly missing?: MissingHook | undefined
  /**
   * Whether commits, trees, tags and blobs that git reads settings from are checked by the
   * rules of `git fsck --strict`, and all that they lead to must be in the pack or in
   * `repository`: `index-pack --strict`. `objects` does without the latter:
   * `--fsck-objects`. One thread does it all. Default: no.
   */
  readonly strict?: boolean | 'objects' | undefined
  /** Told what `strict` finds; behind an error comes the one that ends it. */
  readonly onFinding?: ((finding: PackFinding) => void) | undefined
}

/** What git would say of an object of a pack. */
export type PackFinding = Pick<Finding, 'id' | 'severity' | 'message'> & { readonly oid: string }

/** What is known of a pack that is whole. */
export interface PackFacts {
  /** The hash that the pack ends with, and is called by. */
  readonly oid: string
  /** How many objects it has. */
  readonly objects: number
}

/** The indexes of a pack, as `git index-pack --rev-index` writes them. */
export interface PackIndex extends PackFacts {
  /** What belongs into `pack-….idx`, version 2. */
  readonly idx: Uint8Array<ArrayBuffer>
  /** What belongs into `pack-….rev`, version 1. */
  readonly rev: Uint8Array<ArrayBuffer>
  /** What completes a thin pack; `null` if it stays as it is. */
  readonly completion: PackCompletion | null
  /**
   * The pack, completed, in pieces one behind the other: of a stream whose bytes went to
   * no `sink`, else `null`.
   */
  readonly pack: Uint8Array<ArrayBuffer>[] | null
}

/**
 * What completes a thin pack, as `git index-pack --fix-thin` does: its number of objects
 * becomes another one, and in place of its checksum it gets the bases that it lacked.
 * With a pack that came as a stream this is done already.
 *
 * ```ts
 * const head = new DataView(new ArrayBuffer(4))
 * head.setUint32(0, completion.objects)
 * const whole = new Blob([thin.slice(0, 8), head, thin.slice(12, -20), completion.tail])
 * ```
 */
export interface PackCompletion {
  /** How many objects it has then: 4 bytes from byte 8 on, the high ones first. */
  readonly objects: number
  /** Entries, and the checksum it ends with. Before it comes the last entry there was. */
  readonly tail: Uint8Array<ArrayBuffer>
}

/** What takes the records of an answer. */
export interface Taker {
  progress?(done: number, total: number): void
  index?(bytes: Uint8Array<ArrayBuffer>): void
  reverse?(bytes: Uint8Array<ArrayBuffer>): void
  text?(bytes: Uint8Array<ArrayBuffer>): void
  ids?(bytes: Uint8Array<ArrayBuffer>): void
  tail?(bytes: Uint8Array<ArrayBuffer>): void
  /** What engines tell each other of what lies where. */
  section?(bytes: Uint8Array<ArrayBuffer>): void
  rows?(bytes: Uint8Array<ArrayBuffer>): void
  /** `late` tells that it was found behind all objects. */
  finding?(finding: PackFinding, late: boolean): void
}

/** About how many bytes of an index or of text come at once. */
export const PACK_PAGE = 256 << 10

/** How long steps follow each other before others get a turn, in milliseconds. */
const TURN = 30

/**
 * Gives the records of a page to those who take them; the facts come last. Views
 * of the page are good until this returns.
 */
export function takeRecords(page: Uint8Array<ArrayBuffer>, taker: Taker): PackFacts | undefined {
  let facts: PackFacts | undefined
  const view = new DataView(page.buffer, page.byteOffset, page.byteLength)
  for (let at = 0; at < page.byteLength; ) {
    const kind = INDEX_RECORDS[view.getUint8(at)]
    const length = view.getUint32(at + 1, true)
    const start = at + 5
    const content = page.subarray(start, start + length)
    const number = (offset: number) => Number(view.getBigUint64(start + offset, true))
    if (kind === 'progress') taker.progress?.(number(0), number(8))
    else if (kind === 'finding') tellFinding(content, taker)
    else if (kind === 'facts') {
      facts = { objects: view.getUint32(start, true), oid: hex(content.subarray(4)) }
    } else if (kind) taker[kind]?.(content)
    at = start + length
  }
  return facts
}

function tellFinding(record: Uint8Array<ArrayBuffer>, taker: Taker): void {
  const reader = new Reader(record)
  const severity = FINDING_LEVELS[reader.u8()] ?? 'error'
  const late = reader.u8() !== 0
  const oid = reader.oid() ?? ''
  const id = text(reader.string())
  taker.finding?.({ id, severity, oid, message: text(reader.string()) }, late)
}

/** What is done with a pack: the options of the question. */
export type IndexPackRequest = Omit<IndexPackQuestion, 'kind' | 'pack' | 'idx'>

/** Returns the question for the core. */
export function packQuestion(
  request: IndexPackRequest,
  pack = PACK_PATH,
  idx = INDEX_PATH,
): IndexPackQuestion {
  return { kind: 'indexPack', pack, idx, ...request }
}

/** What answers about one pack, and who helps. */
export interface PackReaders {
  readonly engine: Promise<Engine>
  readonly pool: WorkerPool
}

/** Indexes a pack, or takes one in first that comes as a stream. */
export async function indexAny<Pack>(
  pack: Pack | ByteStream,
  options: IndexPackOptions,
  readersOf: (pack: Pack | RandomAccess) => PackReaders,
): Promise<PackIndex> {
  checkOptions('indexPack', options, INDEX_PACK)
  const index = (pack: Pack | RandomAccess) =>
    indexPackWith(readersOf(pack), options, thinOf(options))
  return isStream(pack) ? indexStream(pack, options, index) : index(pack)
}

/** Indexes the pack that an engine was opened with, and closes the engine. */
export async function indexPackWith(
  readers: PackReaders,
  options: IndexPackOptions,
  thin: IndexPackRequest['thin'] = 'refuse',
): Promise<PackIndex> {
  const idx: Uint8Array<ArrayBuffer>[] = []
  const rev: Uint8Array<ArrayBuffer>[] = []
  const tail: Uint8Array<ArrayBuffer>[] = []
  const pieces = { index: copyTo(idx), reverse: copyTo(rev), tail: copyTo(tail) }
  const finding = options.onFinding && ofCaller('onFinding', options.onFinding)
  const taker = { ...pieces, ...reporting(options), ...(finding && { finding }) }
  const { collisions } = options
  const [strict, rules] = [strictOf(options), rulesOf(options)]
  const request = packQuestion({ index: true, reverse: true, thin, strict, collisions, rules })
  const facts = await closing(readers, (pages) => takeAll(pages(request), taker, options))
  const completion = tail.length > 0 ? { objects: facts.objects, tail: joined(tail) } : null
  return { ...facts, idx: joined(idx), rev: joined(rev), completion, pack: null }
}

/**
 * Takes a pack in that comes as a stream, has it indexed where it was put, and completes
 * it there.
 */
async function indexStream(
  stream: ByteStream,
  options: IndexPackOptions,
  index: (pack: RandomAccess) => Promise<PackIndex>,
): Promise<PackIndex> {
  const { sink, maxInputSize, signal, onProgress } = options
  const tell = ofCaller('onProgress', onProgress)
  const report = (done: number) => tell({ phase: 'receive', done, total: 0 })
  const received = await receive(stream, { sink, maxInputSize, signal, report })
  const made = await index(received.source)
  if (made.completion) await complete(received, made.completion, made.oid.length / 2)
  return { ...made, pack: received.pieces?.() ?? null }
}

/** Verifies the pack that an engine was opened with, and closes the engine. */
export async function checkPackWith(
  open: () => PackReaders,
  options: CheckPackFilesOptions,
): Promise<PackFacts> {
  checkOptions('checkPack', options, CHECK_PACK_FILES)
  const { onListing, statOnly, collisions } = options
  const summary = onListing !== undefined
  const request = packQuestion({ verify: true, lines: summary && !statOnly, summary, collisions })
  const taker = {
    ...reporting(options),
    ...(onListing && { text: ofCaller('onListing', onListing) }),
  }
  return closing(open(), (pages) => takeAll(pages(request), taker, options))
}

function strictOf({
  strict = false,
}: Pick<IndexPackOptions, 'strict'>): IndexPackRequest['strict'] {
  if (strict === 'objects') return strict
  return strict ? 'links' : 'no'
}

/** Tells what is done about bases that a pack lacks. */
function thinOf({ repository }: Pick<IndexPackOptions, 'repository'>): IndexPackRequest['thin'] {
  return repository === undefined ? 'refuse' : 'fix'
}

/** Reads an answer to its end. */
export async function takeAll(pages: Pages, taker: Taker, options: AskOptions): Promise<PackFacts> {
  let facts: PackFacts | undefined
  let turned = performance.now()
  try {
    while (!pages.done) {
      const page = pages.next(PACK_PAGE, options)
      facts = takeRecords(isPromise(page) ? await page : page, taker) ?? facts
      if (performance.now() - turned < TURN) continue
      await turn()
      turned = performance.now()
    }
  } finally {
    pages.end()
  }
  if (facts) return facts
  throw new PacklensError('INTERNAL', 'an answer about a pack that ends too early')
}

/** Has a user's function told how far it has come. */
export function reporting(options: Pick<OpenOptions, 'onProgress'>): Taker {
  return { progress: reportTo(options) }
}

async function closing<T>(
  { engine: opening, pool }: PackReaders,
  use: (pages: (request: IndexPackQuestion) => Pages) => Promise<T>,
): Promise<T> {
  const engine = await opening
  try {
    return await use((request) => pool.index(engine, request))
  } finally {
    pool.close()
    engine.close()
  }
}

function copyTo(pieces: Uint8Array<ArrayBuffer>[]) {
  return (bytes: Uint8Array<ArrayBuffer>) => {
    pieces.push(bytes.slice())
  }
}
