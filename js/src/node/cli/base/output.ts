/** Gathers lines, so that a listing takes few writes. */
import { toBytes } from '../text/bytes.js'
import type { Io } from './io.js'
import { safeOutput } from './terminal.js'

/** The number of bytes that are gathered before they are written. */
export const GATHERED = 64 << 10

/** Colors, which are parts of a split text. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: colors begin with one
const COLORS = /(\x1b\[[\d;]*m)/

export class Lines {
  readonly #io: Io
  #text = ''
  /** Whether a terminal gets the colors of text, whose other control characters are replaced. */
  keepsColors = false
  /** What each line begins with, one character per byte: `--line-prefix`. */
  prefix = ''
  #isAtStart = true

  constructor(io: Io) {
    this.#io = io
  }

  /** Adds bytes, one character per byte; a terminal gets `?` for control characters. */
  add(text: string): void {
    if (this.prefix === '') {
      this.addUnprefixed(text)
      return
    }
    for (const line of text.split(/(?<=\n)/)) {
      if (line !== '' && this.#isAtStart) this.addPrefix()
      this.addUnprefixed(line)
    }
  }

  addPrefix(): void {
    this.addUnprefixed(this.prefix)
  }

  /** As {@link Lines.add}, without the prefix. */
  addUnprefixed(text: string): void {
    const safe = (part: string) => safeOutput(this.#io, part)
    const parts = this.keepsColors ? text.split(COLORS) : [text]
    this.addUnchanged(parts.map((part, at) => (at % 2 === 0 ? safe(part) : part)).join(''))
  }

  /** As {@link Lines.add}, but keeps control characters, which the user asked for. */
  addUnchanged(text: string): void {
    if (text !== '') this.#isAtStart = text.endsWith('\n')
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
