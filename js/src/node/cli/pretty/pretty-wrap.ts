/** Wraps and pads texts of one character per byte: `%w()`, `%<()` and the like. */
import { replaceColumns, shownColumnsOf } from '../text/columns.js'

/** How lines are wrapped: no wrapping if `width` is 0. */
export interface Wrap {
  readonly width: number
  readonly first: number
  readonly next: number
}

export const NO_WRAP: Wrap = { width: 0, first: 0, next: 0 }

/** Wraps a text: words fill lines; empty lines, and lines that begin with a sign, stay. */
export function wrapText(text: string, { width, first, next }: Wrap): string {
  if (width <= 0) return indentLines(text, first, next)
  let done = ''
  let indent = first
  for (const line of hardLines(text)) {
    const isLast = line.text === '' && line.end === ''
    done += isLast ? '' : fillLine(line.text, width, indent, next) + line.end
    indent = next
  }
  return done
}

/** Splits a text where line feeds stay. */
function hardLines(text: string): { text: string; end: string }[] {
  const lines: { text: string; end: string }[] = []
  let from = 0
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) {
    const after = text[at + 1] ?? ''
    if (/[A-Za-z0-9]/.test(after)) continue
    const isEmpty = after === '\n'
    lines.push({ text: text.slice(from, at), end: isEmpty ? '\n\n' : '\n' })
    if (isEmpty) at++
    from = at + 1
    // One space is not repeated before the first word.
    if (!isEmpty && /[ \t\r]/.test(after)) from++
  }
  lines.push({ text: text.slice(from), end: '' })
  return lines
}

/** Breaks a line at a space, where it would become too wide. */
function fillLine(text: string, width: number, first: number, next: number): string {
  let done = ' '.repeat(Math.max(first, 0))
  let column = Math.abs(first)
  let isFirst = !/^[ \t\r]/.test(text)
  // Of several spaces each begins a word, which is empty.
  for (const [, space = '', word = ''] of text.matchAll(/([ \t\r\n]?)([^ \t\r\n]*)/g)) {
    if (space === '' && word === '') continue
    const size = shownColumnsOf(word)
    const start = space === '\t' ? (column | 7) + 1 : column + space.length
    const after = start + size
    // git has a space in place of a line feed, even at the end of a line.
    if (space === '\n') done += ' '
    if (!isFirst && after > width) {
      done += `\n${' '.repeat(Math.max(next, 0))}${word}`
      column = next + size
    } else {
      done += (space === '\n' ? '' : space) + word
      column = after
    }
    isFirst = false
  }
  return done
}

function indentLines(text: string, first: number, next: number): string {
  if (text === '') return ''
  let indent = Math.max(first, 0)
  let done = ''
  for (const line of text.split(/(?<=\n)/)) {
    done += ' '.repeat(indent) + line
    indent = Math.max(next, 0)
  }
  return done
}

/** How the next placeholder is padded. */
export interface Padding {
  readonly side: 'left' | 'right' | 'both' | 'steal'
  /** The width, or the column up to which a line is filled. */
  readonly width: number
  readonly toColumn: boolean
  readonly cut: 'none' | 'left' | 'middle' | 'right'
}

/** Returns `before` with `text` padded after it; `graph` is the width of a graph beside it. */
export function padded(before: string, text: string, padding: Padding, graph: number): string {
  let { width } = padding
  if (padding.toColumn) width -= graph + shownColumnsOf(before.slice(before.lastIndexOf('\n') + 1))
  const size = shownColumnsOf(text)
  let kept = before
  if (padding.side === 'steal') {
    while (size > width && kept.length > 1 && kept.endsWith(' ')) {
      kept = kept.slice(0, -1)
      width++
    }
  }
  if (size > width) return kept + cut(text, size, width, padding.cut)
  const gap = width - size
  const left = { left: gap, steal: gap, right: 0, both: Math.floor(gap / 2) }[padding.side]
  return kept + ' '.repeat(left) + text + ' '.repeat(gap - left)
}

function cut(text: string, size: number, width: number, where: Padding['cut']): string {
  if (where === 'none') return text
  const from = { left: 0, middle: Math.trunc(width / 2) - 1, right: width - 2 }[where]
  return replaceColumns(text, from, size - (width - 2), '..')
}
