/** Puts a list in columns, as git does. */

import { shownColumnsOf } from '../text/columns.js'
import type { ColumnStyle } from './column-style.js'

/** The columns between two items. */
const PADDING = 1

interface Shape {
  readonly rows: number
  /** The width of each column, with its padding. */
  readonly widths: readonly number[]
}

/** Returns the lines of a list, for as many columns of a terminal. */
export function columnLines(
  items: readonly string[],
  { order, isDense }: Pick<ColumnStyle, 'order' | 'isDense'>,
  room: number,
): string[] {
  if (order === 'plain') return [...items]
  const sizes = items.map(shownColumnsOf)
  const cell = sizes.reduce((most, size) => Math.max(most, size), 0) + PADDING
  const fitting = Math.max(1, Math.floor(room / cell))
  const rows = Math.ceil(items.length / fitting)
  const columns = order === 'row' ? fitting : Math.ceil(items.length / rows)
  const even = { rows, widths: Array.from({ length: columns }, () => cell) }
  const { rows: count, widths } = isDense ? denser(sizes, order, even, room) : even
  return Array.from({ length: count }, (_, row) => {
    let line = ''
    for (const [column, width] of widths.entries()) {
      const at = place(row, column, { rows: count, widths }, order)
      const item = items[at]
      if (item === undefined) break
      const next = place(row, column + 1, { rows: count, widths }, order)
      const isLast = column + 1 === widths.length || next >= items.length
      line += item + (isLast ? '' : ' '.repeat(width - (sizes[at] ?? 0)))
    }
    return line
  })
}

/** Returns the position in the list of what is in a row and a column. */
function place(
  row: number,
  column: number,
  { rows, widths }: Shape,
  order: ColumnStyle['order'],
): number {
  return order === 'row' ? row * widths.length + column : column * rows + row
}

/** Takes rows away as long as columns of their own widths fit. */
function denser(
  sizes: readonly number[],
  order: ColumnStyle['order'],
  even: Shape,
  room: number,
): Shape {
  let best = shrunk(sizes, order, even.rows, even.widths.length)
  while (best.rows > 1) {
    const rows = best.rows - 1
    const next = shrunk(sizes, order, rows, Math.ceil(sizes.length / rows))
    if (next.widths.reduce((sum, width) => sum + width, 0) > room) break
    best = next
  }
  return best
}

function shrunk(
  sizes: readonly number[],
  order: ColumnStyle['order'],
  rows: number,
  columns: number,
): Shape {
  const widths = Array.from({ length: columns }, () => 0)
  for (const [at, size] of sizes.entries()) {
    const column = order === 'row' ? at % columns : Math.floor(at / rows)
    widths[column] = Math.max(widths[column] ?? 0, size + PADDING)
  }
  return { rows, widths }
}
