/** Prints what a search finds, as `git grep` does. */
import type { GrepHit } from '../../../base/types.js'
import type { Lines } from '../base/output.js'
import type { Opened } from '../opening/command.js'
import { fromBytes } from '../text/bytes.js'
import { relativePath } from '../text/relative.js'
import type { GrepArgs } from './grep-args.js'
import { inColor, paintMatches } from './grep-colors.js'

export class GrepPrinter {
  readonly #lines: Lines
  readonly #args: GrepArgs
  /** Whether hunks are separated by marks. */
  readonly #hasHunks: boolean
  #file = ''
  /** The number of the last line of this file that was printed. */
  #last = 0
  /** Whether lines of another file were printed before. */
  #isLater = false

  /** Returns a path as it is shown. */
  readonly #shown: (path: string) => string

  constructor(lines: Lines, args: GrepArgs, { quote, place }: Pick<Opened, 'quote' | 'place'>) {
    const from = args.wholeNames ? '' : place.prefix
    const near = (path: string) => (from === '' ? path : relativePath(path, from))
    this.#shown = args.nul ? near : (path) => quote(near(path))
    this.#lines = lines
    this.#args = args
    const { before = 0, after = 0, functionContext = false } = args.question
    this.#hasHunks = before > 0 || after > 0 || functionContext
  }

  add(spec: string, hit: GrepHit): void {
    const { nul } = this.#args
    const path = fromBytes(hit.pathBytes)
    // One that has no path is the blob that was named.
    const name = path === '' ? this.#shown(spec) : `${spec}:${this.#shown(path)}`
    if (name !== this.#file) {
      this.#file = name
      this.#last = 0
    }
    const shown = inColor(this.#args.palette?.filename, name)
    if (hit.kind === 'binary') this.#lines.addUnchanged(`Binary file ${shown} matches\n`)
    else if (hit.kind === 'file') this.#lines.addUnchanged(`${shown}${nul ? '\0' : '\n'}`)
    else if (hit.kind === 'count') {
      const before = this.#args.names ? `${shown}${this.#mark(':')}` : ''
      this.#lines.addUnchanged(`${before}${hit.count}\n`)
    } else this.#line(shown, hit)
  }

  /** Returns what separates the parts of a line. */
  #mark(mark: string): string {
    return this.#args.nul ? '\0' : inColor(this.#args.palette?.separator, mark)
  }

  #line(name: string, hit: GrepHit): void {
    const { heading, breaks, onlyParts } = this.#args
    const isFirst = this.#last === 0
    if (isFirst && breaks) {
      if (this.#isLater) this.#lines.addUnchanged('\n')
    } else if (this.#hasHunks) {
      const isApart = isFirst ? this.#isLater : hit.line > this.#last + 1
      const marks = inColor(this.#args.palette?.separator, '--')
      if (isApart) this.#lines.addUnchanged(`${marks}\n`)
    }
    // Of lines near a match git prints nothing then, but the marks between lines.
    if (onlyParts && hit.kind !== 'match') return
    this.#isLater = true
    if (isFirst && heading) this.#lines.addUnchanged(`${name}\n`)
    this.#last = hit.line
    const { palette } = this.#args
    if (!onlyParts) {
      this.#lines.addUnchanged(`${this.#head(name, hit, hit.column)}${this.#text(hit)}\n`)
      return
    }
    for (const [start, end] of hit.matches) {
      const part = inColor(palette?.matchselected, fromBytes(hit.bytes.subarray(start, end)))
      this.#lines.addUnchanged(`${this.#head(name, hit, start + 1)}${part}\n`)
    }
  }

  /** Returns a line as it is shown. */
  #text({ kind, bytes, matches }: GrepHit): string {
    const { palette } = this.#args
    const line = fromBytes(bytes)
    if (!palette) return line
    const isMatch = kind === 'match'
    const rest = isMatch
      ? palette.selected
      : kind === 'function'
        ? palette.function
        : palette.context
    const match = isMatch ? palette.matchselected : palette.matchcontext
    return paintMatches(line, matches, { rest, match })
  }

  /** Returns what precedes a line: name, number, column. */
  #head(name: string, hit: GrepHit, column: number): string {
    const { heading, names, numbers, columns, palette } = this.#args
    const mark = this.#mark(hit.kind === 'match' ? ':' : hit.kind === 'function' ? '=' : '-')
    const shown = names && !heading ? `${name}${mark}` : ''
    const number = numbers ? `${inColor(palette?.linenumber, `${hit.line}`)}${mark}` : ''
    const isKnown = columns && hit.column > 0
    const place = isKnown ? `${inColor(palette?.column, `${column}`)}${mark}` : ''
    return `${shown}${number}${place}`
  }
}
