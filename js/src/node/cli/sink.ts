/** Where the answers of a batch go. */
import type { Io } from './io.js'

/** Takes answers. Bytes may be views of the instance's memory, and are not kept. */
export interface Sink {
  write(bytes: Uint8Array): void
  /** The answer that was written is complete. */
  endAnswer(): void
  /** Writes what was gathered. */
  flush(): void
  /** Tells the reader why there is nothing to come. */
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
