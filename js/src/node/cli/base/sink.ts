/** Writes the answers of a batch: unchanged, or in frames. */
import { FrameWriter } from '../../../objects/framing.js'
import type { Io } from './io.js'
import { GATHERED } from './output.js'

/** Writes answers. Their bytes may be views of the instance's memory: sinks keep none. */
export interface Sink {
  write(bytes: Uint8Array): void
  /** Completes the answer that was written. */
  endAnswer(): void
  /** Writes the gathered bytes. */
  flush(): void
  /** Reports to the reader why the output ends early. */
  interrupt(message: string): void
}

/** Writes answers as git does, each piece at once. */
export class PlainSink implements Sink {
  readonly #io: Io

  constructor(io: Io) {
    this.#io = io
  }

  write(bytes: Uint8Array): void {
    if (bytes.byteLength > 0) this.#io.write(bytes)
  }

  endAnswer(): void {}

  flush(): void {}

  interrupt(): void {}
}

export interface FrameOptions {
  /** The most bytes of a frame. */
  readonly chunkSize: number
  /** Gathers parts; otherwise each is written when it is complete. */
  readonly buffered: boolean
}

/** Writes each answer as a part of frames: docs/frames.md. */
export class FrameSink implements Sink {
  readonly #io: Io
  readonly #buffered: boolean
  readonly #writer: FrameWriter
  #frames: Uint8Array[] = []
  #size = 0

  constructor(io: Io, { chunkSize, buffered }: FrameOptions) {
    this.#io = io
    this.#buffered = buffered
    const gather = (frame: Uint8Array) => {
      this.#frames.push(frame)
      this.#size += frame.byteLength
      if (this.#size >= GATHERED) this.flush()
    }
    this.#writer = new FrameWriter(gather, { chunkSize })
  }

  write(bytes: Uint8Array): void {
    this.#writer.write(bytes)
  }

  endAnswer(): void {
    this.#writer.end()
    if (!this.#buffered) this.flush()
  }

  flush(): void {
    if (this.#size === 0) return
    const frames = this.#frames
    this.#frames = []
    this.#size = 0
    this.#io.write(frames.length === 1 ? (frames[0] as Uint8Array) : Buffer.concat(frames))
  }

  interrupt(message: string): void {
    this.#writer.interrupt(Buffer.from(message))
    this.flush()
  }
}
