/** The lines of a long status: their colors, and what each begins with. */

import { Lines } from '../base/output.js'
import { RESET } from '../color/palette.js'
import type { Opened } from '../opening/command.js'
import { paint, type StatusColors, statusColors } from './status-colors.js'

/** A text, and its color; without one that of headings. */
export type Piece = readonly [text: string, color?: string]

export class StatusPage {
  readonly colors: StatusColors
  /** Whether hints about commands are printed: `advice.statusHints`. */
  readonly hints: boolean
  readonly #lines: Lines
  readonly #comment: string

  constructor(opened: Opened) {
    const { io, settings } = opened
    this.colors = statusColors(opened)
    // GIT_ADVICE=0 hides every hint, since git 2.46.
    const all = io.env.GIT_ADVICE
    const isHidden = all !== undefined && /^(0|false|no|off|)$/i.test(all)
    this.hints = !isHidden && (settings.flag('advice.statusHints') ?? true)
    this.#comment = settings.flag('status.displayCommentPrefix') ? commentOf(opened) : ''
    this.#lines = new Lines(io)
    this.#lines.keepsColors = true
  }

  /** Adds a line in the color of headings. */
  line(text: string, color = this.colors.header): void {
    const isIndented = text === '' || text.startsWith('\t')
    const prefix = this.#comment === '' || isIndented ? this.#comment : `${this.#comment} `
    this.#lines.add(`${paint(`${prefix}${text}`, color)}\n`)
  }

  /** Adds a line of several colors, after a tab or none. */
  pieces(indent: string, pieces: readonly Piece[]): void {
    const prefix = indent === '' && this.#comment !== '' ? `${this.#comment} ` : this.#comment
    const { header } = this.colors
    const all = pieces.map(([text, color = header]) => (text === '' ? '' : paint(text, color)))
    this.#lines.add(`${paint(`${prefix}${indent}`, header)}${all.join('')}\n`)
  }

  /**
   * Adds the lines of a list in columns, which `layOut` makes for lines that begin with so many bytes.
   * git counts those of colors, and ends the color of headings with that of the line.
   */
  columns(color: string, layOut: (indent: number) => readonly string[]): void {
    const indent = `${this.colors.header}${this.#comment}\t${color}`
    const isPainted = color !== '' || this.colors.header !== ''
    for (const line of layOut(indent.length)) {
      this.#lines.add(`${indent}${line}${isPainted ? RESET : ''}\n`)
    }
  }

  /** Adds a line that explains what can be done. */
  hint(text: string): void {
    if (this.hints) this.line(`  (${text})`)
  }

  /** Ends a part. */
  blank(color = this.colors.header): void {
    this.line('', color)
  }

  /** Adds a line without comment mark and color. */
  plain(text: string): void {
    this.#lines.add(`${text}\n`)
  }

  flush(): void {
    this.#lines.flush()
  }
}

/** Returns the mark of comments; `auto` depends on a message, which a status has not. */
export function commentOf({ settings }: Pick<Opened, 'settings'>): string {
  const names = ['core.commentchar', 'core.commentstring']
  const last = settings.last(names)
  const value = last === undefined ? undefined : settings.text(last)
  return value === undefined || value === '' || value.toLowerCase() === 'auto' ? '#' : value
}
