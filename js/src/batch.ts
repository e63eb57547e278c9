/** Many objects in one buffer. */

import type { Asker } from './asker.js'
import { questionOptions } from './asker.js'
import type { PathOf } from './engine.js'
import { PacklensError } from './errors.js'
import { decodeRows } from './frame.js'
import type { MaybePromise } from './maybe.js'
import { whenReady } from './maybe.js'
import { FIELDS } from './object-list.js'
import { checkArgument, checkOptions, list } from './options/rules.js'
import { BATCH } from './options/tables.js'
import type { AbortSignal } from './platform-types.js'
import { encodeSpecs } from './specs.js'
import type { BatchPlace, BatchRow } from './types.js'

/** What {@link Repository.readMany} takes. */
export interface BatchOptions {
  /**
   * What is wanted of each object. `size`: its type and size; `info`: also the bytes that it
   * takes and what it builds on, for which the order of its whole pack is read. Default
   * `content`.
   */
  readonly fields?: 'size' | 'info' | 'content' | 'both' | undefined
  /**
   * The memory to fill, at least {@link minBatchSize} bytes of it. Without it a
   * fresh `ArrayBuffer` is made. No more of it is filled at a time than a
   * quarter of the repository's `memory`.
   */
  readonly into?: ArrayBuffer | Uint8Array<ArrayBuffer> | undefined
  /** The most bytes of a fresh buffer. Default 8 MiB, in the order of the pack 12. */
  readonly size?: number | undefined
  /** Reads in the order asked, or as the objects lie in their packs. */
  readonly order?: 'asked' | 'pack' | undefined
  /** Where to go on: the `next` of the batch before, of the same specs. */
  readonly start?: BatchPlace | undefined
  readonly signal?: AbortSignal | undefined
}

/** The smallest buffer that a batch can fill, in bytes. */
export const minBatchSize = 128

/** In the order of the pack objects build on those before them in the same batch. */
const DEFAULT_SIZE = 8 << 20
const DEFAULT_SIZE_IN_PACK_ORDER = 12 << 20

/**
 * Returns how many bytes a batch takes at most.
 *
 * @throws `BAD_INPUT` if no row fits in so few
 */
function batchCapacity({ into, size, order }: BatchOptions): number {
  const byDefault = order === 'pack' ? DEFAULT_SIZE_IN_PACK_ORDER : DEFAULT_SIZE
  const capacity = into?.byteLength ?? size ?? byDefault
  if (capacity >= minBatchSize) return capacity
  const what = `a batch needs a buffer of at least ${minBatchSize} bytes`
  throw new PacklensError('BAD_INPUT', what, { subject: `${capacity}` })
}

/**
 * Objects, content and metadata, in one buffer. Going over it makes the rows;
 * their `data` are views of {@link Batch.buffer}.
 */
export class Batch implements Iterable<BatchRow> {
  /** The one buffer: fresh, or that of `into`. It can be transferred. */
  readonly buffer: ArrayBuffer
  /** The part of the buffer that is filled. */
  readonly bytes: Uint8Array<ArrayBuffer>
  /** Where to go on when the buffer was full; `null` after the last object. */
  readonly next: BatchPlace | null
  readonly #oidLength: number
  readonly #pathOf: PathOf

  /** @internal */
  constructor(
    bytes: Uint8Array<ArrayBuffer>,
    next: BatchPlace | null,
    oidLength: number,
    pathOf: PathOf,
  ) {
    this.buffer = bytes.buffer
    this.bytes = bytes
    this.next = next
    this.#oidLength = oidLength
    this.#pathOf = pathOf
  }

  [Symbol.iterator](): Iterator<BatchRow> {
    return decodeRows(this.bytes, this.#oidLength, this.#pathOf)
  }
}

interface EncodedSpecs {
  readonly specs: Iterable<string>
  readonly encoded: Uint8Array<ArrayBuffer>
}

/** What was encoded for a batch that was full, for the one that continues there. */
const encodedFor = new WeakMap<BatchPlace, EncodedSpecs>()

/** Reads as many objects as fit in one buffer. */
export function readMany(
  asker: Asker,
  specs: Iterable<string>,
  options: BatchOptions,
): MaybePromise<Batch> {
  checkOptions('readMany', options, BATCH)
  checkArgument('readMany', 'the first argument', specs, list)
  const { engine } = asker
  const { into, start = { index: 0, skip: 0 } } = options
  const capacity = batchCapacity(options)
  const fields = FIELDS[options.fields ?? 'content']
  const packOrder = options.order === 'pack'
  const known = encodedFor.get(start)
  const encoded = known?.specs === specs ? known.encoded : encodeSpecs(specs)
  const request = { specs: encoded, fields, packOrder, start, capacity }
  const target = into instanceof ArrayBuffer ? new Uint8Array(into) : into
  const answer = engine.batch(request, target, questionOptions(asker, options))
  return whenReady(answer, ({ bytes, next, pathOf }) => {
    if (next) encodedFor.set(next, { specs, encoded })
    return new Batch(bytes, next, engine.oidLength, pathOf)
  })
}
