/**
 * Long answers cross in frames: each page is one, an error is an interruption,
 * and the frame of length 0 is the end. See `framing.ts`.
 */
import { FrameReader, FrameWriter } from '../framing.js'

type Bytes = Uint8Array<ArrayBuffer>

/** Longer than any page, so that each is one frame: copied once, behind its length. */
const MOST_PAGE = 2 ** 31 - 1

const encoder = new TextEncoder()
const decoder = new TextDecoder()

/** Writes pages as frames. */
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

  /** Writes an error, as it crosses. */
  fail(wire: unknown): void {
    this.#writer.interrupt(encoder.encode(JSON.stringify(wire)))
  }

  /** A buffer that was used before costs no clearing, and no page faults. */
  #allocate(size: number): Bytes {
    const spare = this.#spare
    this.#spare = undefined
    if (spare && spare.byteLength >= size) return new Uint8Array(spare)
    // What was too short by a little now would be so again.
    return new Uint8Array(spare ? 2 ** Math.ceil(Math.log2(size)) : size)
  }

  /** Returns what was written since. */
  take(): Bytes[] {
    return this.#frames.splice(0)
  }
}

/** What frames held: a page, and an error if there was one. */
export interface ReadPage {
  readonly bytes: Bytes
  readonly failure: unknown
}

/** Reads pages back, however the bytes of their frames are split. */
export class PageReader {
  readonly #reader = new FrameReader()

  /** True once the end was read. */
  get ended(): boolean {
    return this.#reader.ended
  }

  /**
   * Reads the frames of one answer.
   *
   * @throws `CORRUPT` for what no frames begin with
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

/** Returns the bytes of all; those of one alone are not copied. */
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
