/** Where `log` prints: beside a graph, or without one. */

import type { Lines } from '../base/output.js'
import type { ListedCommit } from './log-printer.js'

export interface LogLines {
  readonly hasGraph: boolean
  /** The columns that a graph takes beside the text. */
  readonly width: number
  /** Adds text; a graph is drawn before each line. */
  add(text: string): void
  addUnprefixed(text: string): void
  /** Adds the first line of a commit; a graph is drawn before what follows its line feed. */
  addHeader(text: string): void
  /** Goes on to a commit. */
  nextCommit(commit: ListedCommit): void
  /** Draws the graph up to the first line of the commit. */
  beginCommit(): void
  /** Adds the message of a commit, and the rest of its graph. */
  addMessage(text: string): void
  /** Draws the next line of the graph, and does not end it. */
  addOneline(): void
  /** Draws the rest of a commit's graph. */
  addRest(): void
  /** Draws a graph beside an empty line, which it does not end. */
  addPadding(): void
}

/**
 * Lines without a graph. What they begin with is added where a graph would be drawn, so that some
 * have none, as in git.
 */
export class PlainLines implements LogLines {
  readonly hasGraph = false
  readonly width = 0
  readonly #lines: Lines

  constructor(lines: Lines) {
    this.#lines = lines
  }

  add(text: string): void {
    if (text !== '') this.#lines.addPrefix()
    this.addMessage(text)
  }

  addUnprefixed(text: string): void {
    this.#lines.addUnprefixed(text)
  }

  addHeader(text: string): void {
    this.#lines.addUnprefixed(text)
    if (text.endsWith('\n')) this.#lines.addPrefix()
  }

  nextCommit(): void {}

  beginCommit(): void {
    this.#lines.addPrefix()
  }

  addMessage(text: string): void {
    const { prefix } = this.#lines
    // A function, because the prefix may have a sign that a replacement has.
    this.#lines.addUnprefixed(prefix === '' ? text : text.replace(/\n(?!$)/g, () => `\n${prefix}`))
  }

  addOneline(): void {}

  addRest(): void {}

  addPadding(): void {
    this.#lines.addPrefix()
  }
}
