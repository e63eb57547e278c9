/** Gathers lines, so that a listing takes few writes. */
import { toBytes } from './bytes.js'
import type { Io } from './io.js'

/** How much is gathered before it is written. */
export const GATHERED = 64 << 10

export class Lines {
  readonly #io: Io
  #text = ''

  constructor(io: Io) {
    this.#io = io
  }

  /** Adds bytes, a character each. */
  add(text: string): void {
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
