/** Batches: many objects in one buffer. */

import { PacklensError } from '../base/errors.js'
import type { MaybePromise } from '../base/maybe.js'
import { whenReady } from '../base/maybe.js'
import type { AbortSignal } from '../base/platform-types.js'
import { encodeSpecs } from '../base/specs.js'
import type { BatchPlace, BatchRow } from '../base/types.js'
import type { Fields, PathOf } from '../engine/engine.js'
import { decodeRows } from '../objects/frame.js'
import { checkArgument, checkOptions, list } from '../options/rules.js'
import { BATCH } from '../options/tables.js'
import type { RepositoryContext } from './repository-context.js'
import { questionOptions } from './repository-context.js'

/** The options of {@link Repository.readMany}. */
export interface BatchOptions {
  /**
   * The fields of each object. `size`: type and size; `info`: also disk size and delta base,
   * for which the order of its whole pack is read. Default: `content`.
   */
  readonly fields?: 'size' | 'info' | 'content' | 'both' | undefined
  /**
   * The buffer to fill, at least {@link minBatchSize} bytes. Default: a new `ArrayBuffer`.
   * One call fills at most a quarter of the repository's `memory`.
   */
  readonly into?: ArrayBuffer | Uint8Array<ArrayBuffer> | undefined
  /** The most bytes of a new buffer. Default: 8 MiB, or 12 MiB with `order: 'pack'`. */
  readonly size?: number | undefined
  /** Reads in the order of the specs, or of the objects in their packs. Default: `asked`. */
  readonly order?: 'asked' | 'pack' | undefined
  /** The position to resume at: `next` of the previous batch of the same specs. */
  readonly start?: BatchPlace | undefined
  readonly signal?: AbortSignal | undefined
}

/** The core's fields, by the names of the option `fields`. */
export const FIELDS = {
  size: {},
  info: { storage: true },
  content: { content: true },
  both: { content: true, storage: true },
} as const satisfies Record<string, Fields>

/** The smallest buffer that a batch can fill, in bytes. */
export const minBatchSize = 128

/**
 * The default sizes of a buffer, in bytes. A larger one pays in pack order, where objects use
 * delta bases earlier in the same batch.
 */
const DEFAULT_SIZE = 8 << 20
const DEFAULT_SIZE_IN_PACK_ORDER = 12 << 20

/**
 * Returns the most bytes that a batch takes.
 *
 * @throws `BAD_INPUT` if that is too few for one row
 */
function batchCapacity({ into, size, order }: BatchOptions): number {
  const byDefault = order === 'pack' ? DEFAULT_SIZE_IN_PACK_ORDER : DEFAULT_SIZE
  const capacity = into?.byteLength ?? size ?? byDefault
  if (capacity >= minBatchSize) return capacity
  const what = `a batch needs a buffer of at least ${minBatchSize} bytes`
  throw new PacklensError('BAD_INPUT', what, { subject: `${capacity}` })
}

/**
 * Objects, content and metadata, in one buffer. Rows are decoded by iterating;
 * their `data` are views of {@link Batch.buffer}.
 */
export class Batch implements Iterable<BatchRow> {
  /** The buffer: a new one, or the one of `into`. Can be transferred. */
  readonly buffer: ArrayBuffer
  /** The filled range of the buffer. */
  readonly bytes: Uint8Array<ArrayBuffer>
  /** The position to resume at if the buffer was full; `null` after the last object. */
  readonly next: BatchPlace | null
  readonly #oidLength: number
  /**
   * Returns the path of a pack below the git directory, by its number in {@link ObjectRow.pack};
   * `undefined` for a number that no row has.
   */
  readonly pathOf: (pack: number) => string | undefined

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
    this.pathOf = pathOf
  }

  [Symbol.iterator](): Iterator<BatchRow> {
    return decodeRows(this.bytes, this.#oidLength, this.pathOf)
  }
}

interface EncodedSpecs {
  readonly specs: Iterable<string>
  readonly encoded: Uint8Array<ArrayBuffer>
}

/** Caches the encoded specs of a full batch for the batch that resumes there. */
const encodedFor = new WeakMap<BatchPlace, EncodedSpecs>()

/** Reads as many objects as fit in one buffer. */
export function readMany(
  context: RepositoryContext,
  specs: Iterable<string>,
  options: BatchOptions,
): MaybePromise<Batch> {
  checkOptions('readMany', options, BATCH)
  checkArgument('readMany', 'the first argument', specs, list)
  const { engine } = context
  const { into, start = { index: 0, skip: 0 } } = options
  const capacity = batchCapacity(options)
  const fields = FIELDS[options.fields ?? 'content']
  const packOrder = options.order === 'pack'
  const known = encodedFor.get(start)
  const encoded = known?.specs === specs ? known.encoded : encodeSpecs(specs)
  const request = { specs: encoded, fields, packOrder, start, capacity }
  const target = into instanceof ArrayBuffer ? new Uint8Array(into) : into
  const answer = engine.batch(request, target, questionOptions(context, options))
  return whenReady(answer, ({ bytes, next, pathOf }) => {
    if (next) encodedFor.set(next, { specs, encoded })
    return new Batch(bytes, next, engine.oidLength, pathOf)
  })
}
