/** Makes the indexes of packs. */

import type { URL } from '../base/platform-types.js'
import { joined } from '../engine/pages.js'
import type { SeverityOptions } from '../objects/findings.js'
import { rulesOf } from '../objects/findings.js'
import type { PackFacts, PackFinding } from '../objects/pack-records.js'
import type { RepoSource } from '../opening/open.js'
import { INDEX_PACK } from '../options/full-tables.js'
import { checkOptions } from '../options/rules.js'
import type { RandomAccess } from '../source/bytes.js'
import { ofCaller } from '../source/failed.js'
import type { MissingHook } from '../source/fetched.js'
import type { ByteStream, ReceiveOptions } from '../source/received.js'
import { complete, isStream, receive } from '../source/received.js'
import type { IndexPackRequest, PackOptions, PackReaders } from './pack-answers.js'
import { closing, dispatchAll, packQuestion, reporting } from './pack-answers.js'

/** The options of `indexPack`. */
export interface IndexPackOptions
  extends PackOptions,
    SeverityOptions,
    Pick<ReceiveOptions, 'sink' | 'maxInputSize'> {
  /**
   * A repository with the delta bases that a thin pack lacks, see
   * {@link PackIndex.completion}. The repository is only read.
   */
  readonly repository?: RepoSource | string | URL | undefined
  /** Called once for all missing delta bases; see `missing` of `open`. */
  readonly missing?: MissingHook | undefined
  /**
   * Checks commits, trees, tags, `.gitmodules` and `.gitattributes` by the rules of
   * `git fsck --strict`, and that all objects that they link to are in the pack or in
   * `repository`, as `index-pack --strict` does. `objects` omits the check of links, as
   * `--fsck-objects` does. One thread does all the work, without workers. Default: false.
   */
  readonly strict?: boolean | 'objects' | undefined
  /** Called with each finding of `strict`; after one of severity `error` the call fails. */
  readonly onFinding?: ((finding: PackFinding) => void) | undefined
}

/** The indexes of a pack, as `git index-pack --rev-index` writes them. */
export interface PackIndex extends PackFacts {
  /** The content of `pack-….idx`, version 2. */
  readonly idx: Uint8Array<ArrayBuffer>
  /** The content of `pack-….rev`, version 1. */
  readonly rev: Uint8Array<ArrayBuffer>
  /** The completion of a thin pack; `null` if the pack stays unchanged. */
  readonly completion: PackCompletion | null
  /**
   * The completed pack, in pieces to concatenate, if it came from a stream and no `sink` was
   * given; else `null`.
   */
  readonly pack: Uint8Array<ArrayBuffer>[] | null
}

/**
 * The completion of a thin pack, as `git index-pack --fix-thin` makes it: `objects` replaces
 * the number in its header, and `tail` replaces its checksum. A pack from a stream is
 * completed already.
 *
 * ```ts
 * const head = new DataView(new ArrayBuffer(4))
 * head.setUint32(0, completion.objects)
 * const whole = new Blob([thin.slice(0, 8), head, thin.slice(12, -20), completion.tail])
 * ```
 */
export interface PackCompletion {
  /** The number of objects of the completed pack: 4 bytes at offset 8, big-endian. */
  readonly objects: number
  /** The delta bases that the pack lacks, as entries, and the checksum of the completed pack. */
  readonly tail: Uint8Array<ArrayBuffer>
}

/** Indexes a pack; a pack from a stream is stored first. */
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
  const receiver = { ...pieces, ...reporting(options), ...(finding && { finding }) }
  const { collisions } = options
  const [strict, rules] = [strictOf(options), rulesOf(options)]
  const request = packQuestion({ index: true, reverse: true, thin, strict, collisions, rules })
  const facts = await closing(readers, (pages) => dispatchAll(pages(request), receiver, options))
  const completion = tail.length > 0 ? { objects: facts.objects, tail: joined(tail) } : null
  return { ...facts, idx: joined(idx), rev: joined(rev), completion, pack: null }
}

/** Stores a pack from a stream in its sink, indexes it, and completes it there. */
async function indexStream(
  stream: ByteStream,
  options: IndexPackOptions,
  index: (pack: RandomAccess) => Promise<PackIndex>,
): Promise<PackIndex> {
  const { sink, maxInputSize, signal, onProgress } = options
  const callback = ofCaller('onProgress', onProgress)
  const report = (done: number) => callback({ phase: 'receive', done, total: 0 })
  const received = await receive(stream, { sink, maxInputSize, signal, report })
  const made = await index(received.source)
  if (made.completion) await complete(received, made.completion, made.oid.length / 2)
  return { ...made, pack: received.pieces?.() ?? null }
}

function strictOf({
  strict = false,
}: Pick<IndexPackOptions, 'strict'>): IndexPackRequest['strict'] {
  if (strict === 'objects') return strict
  return strict ? 'links' : 'no'
}

/** Returns how to treat delta bases that a pack lacks. */
function thinOf({ repository }: Pick<IndexPackOptions, 'repository'>): IndexPackRequest['thin'] {
  return repository === undefined ? 'refuse' : 'fix'
}

function copyTo(pieces: Uint8Array<ArrayBuffer>[]) {
  return (bytes: Uint8Array<ArrayBuffer>) => {
    pieces.push(bytes.slice())
  }
}
