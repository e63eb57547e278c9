/**
 * Sends long answers between threads in frames: a page is one frame, an error is an
 * interruption, and the frame of length 0 is the end. See `framing.ts`.
 */
import { FrameReader, FrameWriter } from '../objects/framing.js'

type Bytes = Uint8Array<ArrayBuffer>

/** Exceeds any page, so that each is one frame, which is copied once, after its length. */
const MOST_PAGE = 2 ** 31 - 1

const encoder = new TextEncoder()
const decoder = new TextDecoder()

/** Writes the pages of one answer as frames. */
export class PageWriter {
  readonly #frames: Bytes[] = []
  readonly #writer = new FrameWriter((frame) => this.#frames.push(frame), {
    chunkSize: MOST_PAGE,
    allocate: (size) => this.#allocate(size),
  })
  #spare: ArrayBuffer | undefined

  /** Writes a page; the bytes are copied, into `spare` if they fit. */
  page(bytes: Bytes, spare?: ArrayBuffer): void {
    this.#spare = spare
    this.#writer.write(bytes)
    this.#writer.flush()
    this.#spare = undefined
  }

  end(): void {
    this.#writer.end()
  }

  /** Writes a serialized error. */
  fail(wire: unknown): void {
    this.#writer.interrupt(encoder.encode(JSON.stringify(wire)))
  }

  /** Returns memory for a frame. A reused buffer needs no clearing and causes no page faults. */
  #allocate(size: number): Bytes {
    const spare = this.#spare
    this.#spare = undefined
    if (spare && spare.byteLength >= size) return new Uint8Array(spare)
    // Rounded up: a buffer of just this size would often be too short for the next page.
    return new Uint8Array(spare ? 2 ** Math.ceil(Math.log2(size)) : size)
  }

  /** Returns the frames that were written since the last call. */
  take(): Bytes[] {
    return this.#frames.splice(0)
  }
}

/** The content of frames: a page, and a serialized error or `null`. */
export interface ReadPage {
  readonly bytes: Bytes
  readonly failure: unknown
}

/** Reads pages from frames, however the bytes of the frames are split. */
export class PageReader {
  readonly #reader = new FrameReader()

  /** True once the end was read. */
  get ended(): boolean {
    return this.#reader.ended
  }

  /**
   * Reads the frames of one answer.
   *
   * @throws `CORRUPT` if the length of a frame is impossible
   */
  read(pieces: readonly Bytes[]): ReadPage {
    const data: Uint8Array[] = []
    const interruption: Uint8Array[] = []
    for (const piece of pieces) {
      for (const event of this.#reader.read(piece)) {
        if (event.type === 'data') data.push(event.bytes)
        else if (event.type === 'interruption') interruption.push(event.bytes)
      }
    }
    const failure =
      interruption.length > 0 ? JSON.parse(decoder.decode(joined(interruption))) : null
    return { bytes: joined(data), failure }
  }
}

/** Concatenates byte arrays; returns a single one without a copy. */
function joined(parts: readonly Uint8Array[]): Bytes {
  if (parts.length === 1) return parts[0] as Bytes
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.byteLength, 0))
  let at = 0
  for (const part of parts) {
    all.set(part, at)
    at += part.byteLength
  }
  return all
}
