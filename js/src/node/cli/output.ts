/** Gathers lines, so that a listing takes few writes. */
import { toBytes } from './bytes.js'
import type { Io } from './io.js'
import { safeOutput } from './terminal.js'

/** The number of bytes that are gathered before they are written. */
export const GATHERED = 64 << 10

export class Lines {
  readonly #io: Io
  #text = ''

  constructor(io: Io) {
    this.#io = io
  }

  /** Adds bytes, one character per byte; a terminal gets `?` for control characters. */
  add(text: string): void {
    this.addUnchanged(safeOutput(this.#io, text))
  }

  /** As {@link Lines.add}, but keeps control characters, which the user asked for. */
  addUnchanged(text: string): void {
    this.#text += text
    if (this.#text.length >= GATHERED) this.flush()
  }

  flush(): void {
    if (this.#text === '') return
    const bytes = toBytes(this.#text)
    this.#text = ''
    this.#io.write(bytes)
  }
}
