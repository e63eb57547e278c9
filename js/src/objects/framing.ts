/**
 * Streams in frames: each frame is a length and that many bytes. The length is a signed
 * number of 4 bytes, big-endian. A frame of length 0 ends a part. The length -1 starts an
 * interruption: a part of its own, after which the interrupted part continues. These are the
 * payload frames of Mercurial's bundle2.
 */
import { PacklensError } from '../base/errors.js'

/** The default of `chunkSize`: the length of the longest frame that is written, in bytes. */
export const defaultFrameSize = 32 << 10

const LENGTH_SIZE = 4
const INTERRUPT = -1
const MOST_LENGTH = 2 ** 31 - 1

/** The options of a {@link FrameWriter}. */
export interface FrameOptions {
  readonly chunkSize?: number
  readonly allocate?: (size: number) => Uint8Array<ArrayBuffer>
}

/**
 * Collects bytes and writes them as frames. A frame is written when it is full or flushed,
 * its length and its bytes in one array.
 */
export class FrameWriter {
  readonly #write: (frame: Uint8Array<ArrayBuffer>) => void
  readonly #chunkSize: number
  readonly #allocate: (size: number) => Uint8Array<ArrayBuffer>
  #frame: Uint8Array<ArrayBuffer>
  #filled = 0

  /**
   * @param write is called with each frame, which it may keep.
   * @param chunkSize is the most bytes of a frame, without its length.
   * @param allocate returns memory for a frame: an array of at least `size` bytes.
   * @throws `BAD_INPUT` if `chunkSize` is not a whole number from 1 to 2^31 - 1
   */
  constructor(
    write: (frame: Uint8Array<ArrayBuffer>) => void,
    { chunkSize = defaultFrameSize, allocate = (size) => new Uint8Array(size) }: FrameOptions = {},
  ) {
    if (!(Number.isInteger(chunkSize) && chunkSize >= 1 && chunkSize <= MOST_LENGTH)) {
      const what = `\`chunkSize\` must be a whole number from 1 to ${MOST_LENGTH}`
      throw new PacklensError('BAD_INPUT', what, { subject: `${chunkSize}` })
    }
    this.#write = write
    this.#chunkSize = chunkSize
    this.#allocate = allocate
    this.#frame = new Uint8Array(0)
  }

  /** Adds bytes to the part, and writes full frames. */
  write(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.byteLength; ) {
      const take = Math.min(bytes.byteLength - at, this.#chunkSize - this.#filled)
      this.#reserve(this.#filled + take)
      this.#frame.set(bytes.subarray(at, at + take), LENGTH_SIZE + this.#filled)
      this.#filled += take
      at += take
      if (this.#filled === this.#chunkSize) this.flush()
    }
  }

  /** Writes the collected bytes as a frame, if there are any. */
  flush(): void {
    if (this.#filled === 0) return
    const { buffer, byteOffset } = this.#frame
    new DataView(buffer, byteOffset).setInt32(0, this.#filled)
    this.#write(this.#frame.subarray(0, LENGTH_SIZE + this.#filled))
    this.#frame = new Uint8Array(0)
    this.#filled = 0
  }

  /** Ends the part. */
  end(): void {
    this.flush()
    this.#writeLength(0)
  }

  /** Writes an interruption between two frames; the part continues after it. */
  interrupt(bytes: Uint8Array): void {
    this.flush()
    this.#writeLength(INTERRUPT)
    const inner = new FrameWriter(this.#write, { chunkSize: this.#chunkSize })
    inner.write(bytes)
    inner.end()
  }

  #writeLength(length: number): void {
    const frame = new Uint8Array(LENGTH_SIZE)
    new DataView(frame.buffer).setInt32(0, length)
    this.#write(frame)
  }

  #reserve(size: number): void {
    const needed = LENGTH_SIZE + size
    if (needed <= this.#frame.byteLength) return
    const most = LENGTH_SIZE + this.#chunkSize
    const grown = this.#allocate(Math.min(Math.max(needed, 2 * this.#frame.byteLength), most))
    grown.set(this.#frame)
    this.#frame = grown
  }
}

/**
 * An event of a {@link FrameReader}. `bytes`, and `rest`, the bytes after the end of the
 * part, are views of the bytes that were passed to the reader.
 */
export type FrameEvent =
  | { readonly type: 'data' | 'interruption'; readonly bytes: Uint8Array }
  | { readonly type: 'interruptionEnd' }
  | { readonly type: 'end'; readonly rest: Uint8Array }

/**
 * Reads frames from bytes that arrive in pieces of any size. The reader stores at most 4
 * bytes; it returns all others as views, without a copy.
 */
export class FrameReader {
  readonly #length = new DataView(new ArrayBuffer(LENGTH_SIZE))
  #lengthRead = 0
  #left = 0
  #interrupted = false
  #ended = false

  /** True after the end of the part. */
  get ended(): boolean {
    return this.#ended
  }

  /**
   * Reads the next bytes and returns the events up to the end of the part. Bytes after that
   * end are not read: the last event returns them as `rest`.
   *
   * ```ts
   * for (const event of reader.read(bytes)) {
   *   if (event.type === 'data') use(event.bytes)
   * }
   * ```
   *
   * @throws `CORRUPT` for an invalid length
   */
  *read(bytes: Uint8Array): Generator<FrameEvent, undefined> {
    for (let at = 0; at < bytes.byteLength && !this.#ended; ) {
      if (this.#left > 0) {
        const end = Math.min(at + this.#left, bytes.byteLength)
        this.#left -= end - at
        const type = this.#interrupted ? 'interruption' : 'data'
        yield { type, bytes: bytes.subarray(at, end) }
        at = end
        continue
      }
      this.#length.setUint8(this.#lengthRead++, bytes[at++] as number)
      if (this.#lengthRead < LENGTH_SIZE) continue
      this.#lengthRead = 0
      const event = this.#begin(this.#length.getInt32(0), bytes.subarray(at))
      if (event) yield event
    }
  }

  /** Resets the reader to the beginning of the next part. */
  nextPart(): void {
    this.#lengthRead = 0
    this.#left = 0
    this.#interrupted = false
    this.#ended = false
  }

  /**
   * Checks that the part is complete; to be called after the last bytes.
   *
   * @throws `CORRUPT` if the part has not ended
   */
  finish(): void {
    if (!this.#ended) throw new PacklensError('CORRUPT', 'the frames end too early')
  }

  #begin(length: number, rest: Uint8Array): FrameEvent | undefined {
    if (length > 0) {
      this.#left = length
    } else if (length === 0) {
      if (!this.#interrupted) {
        this.#ended = true
        return { type: 'end', rest }
      }
      this.#interrupted = false
      return { type: 'interruptionEnd' }
    } else if (length === INTERRUPT && !this.#interrupted) {
      this.#interrupted = true
    } else {
      throw new PacklensError('CORRUPT', 'a frame has an invalid length')
    }
    return undefined
  }
}
