/** The hunks of a patch: lines, or runs of words. */
import type { Hunk, HunkLine, HunkWords } from '../base/types.js'
import { text } from '../base/utf8.js'

const LINE_FEED = 0x0a
const ADDED = 0x2b
const REMOVED = 0x2d
const NOTE = 0x5c
const AT_SIGN = 0x40
const TILDE = 0x7e

const POSITION = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@ ?/

/** Reads lines one after the other. */
class LineReader {
  readonly #bytes: Uint8Array
  #at = 0

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
  }

  get done(): boolean {
    return this.#at >= this.#bytes.length
  }

  /** The first byte of the next line. */
  get sign(): number | undefined {
    return this.#bytes[this.#at]
  }

  /** Returns the next line without its line feed. */
  next(): Uint8Array {
    const found = this.#bytes.indexOf(LINE_FEED, this.#at)
    const end = found < 0 ? this.#bytes.length : found
    const line = this.#bytes.subarray(this.#at, end)
    this.#at = end + 1
    return line
  }

  /** Reads the first line of a hunk. */
  header(): Omit<Hunk, 'lines'> {
    // The old lines of a rewritten file may be left out.
    const header = text(this.next()).replace(/^@@ -\?,\?/, '@@ -0,0')
    const [position, ...numbers] = POSITION.exec(header) ?? ['']
    const [oldStart = 0, oldLines = 1, newStart = 0, newLines = 1] = numbers.map((digits) =>
      digits === undefined ? undefined : Number(digits),
    )
    return { oldStart, oldLines, newStart, newLines, heading: header.slice(position.length) }
  }
}

/** Splits the hunks of a patch into lines. */
export function* hunksIn(bytes: Uint8Array): Generator<Hunk, undefined> {
  const from = new LineReader(bytes)
  while (!from.done) {
    const hunk = from.header()
    const lines: HunkLine[] = []
    let { oldStart: oldLine, newStart: newLine } = hunk
    const [oldEnd, newEnd] = [oldLine + hunk.oldLines, newLine + hunk.newLines]
    while (!from.done && (oldLine < oldEnd || newLine < newEnd)) {
      const line = from.next()
      const kind = kindOf(line)
      const isUnterminated = from.sign === NOTE
      if (isUnterminated) from.next()
      lines.push({
        kind,
        text: text(line.subarray(1)),
        oldLine: kind === 'added' ? null : oldLine++,
        newLine: kind === 'removed' ? null : newLine++,
        isUnterminated,
      })
    }
    yield { ...hunk, lines }
  }
}

/** Splits the hunks of a patch that compares words into runs of these. */
export function* wordHunksIn(bytes: Uint8Array): Generator<Hunk, undefined> {
  const from = new LineReader(bytes)
  while (!from.done) {
    const hunk = from.header()
    const words: HunkWords[] = []
    while (!from.done && from.sign !== AT_SIGN) {
      const line = from.next()
      const isEnd = line[0] === TILDE
      words.push(
        isEnd
          ? { kind: 'line-feed', text: '\n' }
          : { kind: kindOf(line), text: text(line.subarray(1)) },
      )
    }
    yield { ...hunk, lines: [], words }
  }
}

function kindOf([sign]: Uint8Array): HunkLine['kind'] {
  return sign === ADDED ? 'added' : sign === REMOVED ? 'removed' : 'context'
}
