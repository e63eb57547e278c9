/** How lists are put in columns: `--column`, `column.ui` and `column.<command>`. */

import { Exit, fatal } from '../base/exit.js'
import { isForTerminal } from '../base/terminal.js'
import type { Opened } from '../opening/command.js'

export interface ColumnStyle {
  readonly when: 'always' | 'never' | 'auto'
  /** Whether rows are filled before columns; `plain` is one column. */
  readonly order: 'column' | 'row' | 'plain'
  /** Whether each column is as wide as its own longest item. */
  readonly isDense: boolean
}

const NEVER: ColumnStyle = { when: 'never', order: 'column', isDense: false }

/** Returns a style with what words say of it: without `when` they mean always. */
function styled(style: ColumnStyle, words: string): ColumnStyle | { readonly unknown: string } {
  let { when, order, isDense } = style
  let isSaid = false
  for (const word of words.split(/[ ,]+/).filter((word) => word !== '')) {
    if (word === 'always' || word === 'never' || word === 'auto') {
      when = word
      isSaid = true
    } else if (word === 'column' || word === 'row' || word === 'plain') order = word
    else if (word === 'dense' || word === 'nodense') isDense = word === 'dense'
    else return { unknown: word }
  }
  return { when: isSaid ? when : 'always', order, isDense }
}

/** Returns the style of a command, changed by the values of its option; `null` is the negated one. */
export function columnStyle(
  { settings }: Pick<Opened, 'settings'>,
  command: string,
  options: readonly (string | null)[],
): ColumnStyle {
  let style = NEVER
  for (const name of ['column.ui', `column.${command}`]) {
    const words = settings.text(name)
    if (words === undefined) continue
    const next = styled(style, words)
    if ('unknown' in next) throw fatal(`invalid ${name} mode ${words}`)
    style = next
  }
  for (const words of options) {
    if (words === null) {
      style = { ...style, when: 'never' }
      continue
    }
    const next = styled(style, words)
    if ('unknown' in next) throw new Exit(129, `error: unsupported option '${next.unknown}'\n`)
    style = next
  }
  return style
}

/** Whether a list is put in columns, or by `plain` in one. */
export function hasColumns(style: ColumnStyle, { io }: Pick<Opened, 'io'>): boolean {
  return style.when === 'always' || (style.when === 'auto' && isForTerminal(io))
}
