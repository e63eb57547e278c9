/** Tables of changed files: `--stat` and `--shortstat`. */

import type { Io } from '../base/io.js'
import type { Palette } from '../color/palette.js'
import { columnsOf as columnsOfText, lastColumns } from '../text/columns.js'
import { paintedSigns, paintedSizes } from './diff-colors.js'

/** A changed file. */
export interface StatRow {
  readonly name: string
  readonly path: string
  /** Lines; of a binary file bytes of the new and the old content, 0 if they are the same. */
  readonly added: number
  readonly removed: number
  readonly isBinary: boolean
}

/** The widths that options set; 0 for none. */
export interface StatWidths {
  readonly width: number
  readonly name: number
  readonly graph: number
}

/** What git takes for the width of a terminal that `COLUMNS` does not say. */
export const WIDTH = 80

/** Columns beside the name, the number and the graph: a space, ` | `, a space, and one at the end. */
const OTHER_COLUMNS = 6

/** Returns the columns that a table takes without an option: those of the terminal. */
export function columnsOfTerminal({ COLUMNS = '' }: Io['env']): number {
  const columns = Number.parseInt(COLUMNS, 10)
  return columns > 0 ? columns : WIDTH
}

const digits = (number: number) => String(number).length

/** Returns the table of changed files, of which at most `most` are listed, and the sums. */
export function statTable(
  rows: readonly StatRow[],
  widths: StatWidths,
  most: number,
  palette: Palette | null,
): string {
  const listed = rows.slice(0, most || rows.length)
  const [name, number, graph] = columnsOf(listed, widths)
  const changes = listed.map(({ added, removed, isBinary }) => (isBinary ? 0 : added + removed))
  const largest = Math.max(0, ...changes)
  let text = ''
  for (const row of listed) {
    const { added, removed, isBinary } = row
    const begin = ` ${padded(shortened(row.name, name), name)} | `
    if (isBinary) {
      const sizes = palette
        ? paintedSizes(palette, removed, added)
        : ` ${removed} -> ${added} bytes`
      const bytes = added + removed === 0 ? '' : sizes
      text += `${begin}${'Bin'.padStart(number)}${bytes}\n`
      continue
    }
    const total = added + removed
    const [plus, minus] = scaled(added, removed, graph, largest)
    const signs = ['+'.repeat(plus), '-'.repeat(minus)] as const
    const bar = palette ? paintedSigns(palette, ...signs) : signs.join('')
    text += `${begin}${String(total).padStart(number)}${total > 0 ? ` ${bar}` : ''}\n`
  }
  if (listed.length < rows.length) text += ' ...\n'
  return text + shortStat(rows)
}

/** Returns the sums alone. */
export function shortStat(rows: readonly StatRow[]): string {
  if (rows.length === 0) return ' 0 files changed\n'
  const texts = rows.filter(({ isBinary }) => !isBinary)
  const sum = (of: 'added' | 'removed') => texts.reduce((all, row) => all + row[of], 0)
  const [added, removed] = [sum('added'), sum('removed')]
  let text = ` ${counted(rows.length, 'file')} changed`
  if (added > 0 || removed === 0) text += `, ${counted(added, 'insertion')}(+)`
  if (removed > 0 || added === 0) text += `, ${counted(removed, 'deletion')}(-)`
  return `${text}\n`
}

const counted = (number: number, what: string) => `${number} ${what}${number === 1 ? '' : 's'}`

/** Returns the widths of the names, the numbers and the graph. */
function columnsOf(rows: readonly StatRow[], widths: StatWidths): [number, number, number] {
  let [longest, largest, binary, number] = [0, 0, 0, 0]
  for (const { name, added, removed, isBinary } of rows) {
    longest = Math.max(longest, columnsOfText(name))
    if (isBinary) {
      // "Bin 1 -> 2 bytes"
      binary = Math.max(binary, 14 + digits(added) + digits(removed))
      number = 3
    } else largest = Math.max(largest, added + removed)
  }
  number = Math.max(number, digits(largest))
  const fixed = number + OTHER_COLUMNS
  const width = Math.max(widths.width || WIDTH, 16 + fixed)
  const limited = (graph: number) => (widths.graph ? Math.min(graph, widths.graph) : graph)
  let graph = limited(largest + 4 > binary ? largest : binary - 4)
  let name = widths.name > 0 ? Math.min(widths.name, longest) : longest
  if (name + fixed + graph > width) {
    // The graph gets three eighths of the width, more if names leave it.
    const share = Math.max(Math.floor((width * 3) / 8) - fixed, 6)
    graph = limited(Math.min(graph, share))
    if (name > width - fixed - graph) name = width - fixed - graph
    else graph = width - fixed - name
  }
  return [name, number, graph]
}

/** Returns a name with spaces up to a width. */
function padded(name: string, width: number): string {
  return name + ' '.repeat(Math.max(width - columnsOfText(name), 0))
}

/** Leaves out the beginning of a long name, up to a slash if there is one in the rest. */
function shortened(name: string, width: number): string {
  if (columnsOfText(name) <= width) return name
  const rest = lastColumns(name, Math.max(width - 3, 0))
  const slash = rest.indexOf('/')
  return `...${slash < 0 ? rest : rest.slice(slash)}`
}

/** Returns how many signs stand for the lines, if the largest change fills the graph. */
function scaled(
  added: number,
  removed: number,
  width: number,
  largest: number,
): [plus: number, minus: number] {
  if (width > largest) return [added, removed]
  // At least one sign for any change.
  const scale = (lines: number) =>
    lines === 0 ? 0 : 1 + Math.floor((lines * (width - 1)) / largest)
  const total = Math.max(scale(added + removed), added > 0 && removed > 0 ? 2 : 0)
  if (added < removed) return [scale(added), total - scale(added)]
  return [total - scale(removed), scale(removed)]
}
