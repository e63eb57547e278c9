/** Writes usages: the forms of a command, and a line about each option. */
import type { Description, OptionRow } from './description.js'

/** Where the text about options begins, as in git's usages. */
const COLUMN = 26
const WIDTH = 80
const INDENT = 4

/** Returns the usage of a command: `packlens`, or `packlens` and the name of a command. */
export function usage(called: string, description: Description): string {
  const { usages, groups, notes } = description
  const forms = usages.map((form, at) => {
    const start = `${at === 0 ? 'usage' : '   or'}: ${called} `
    return `${wrapped(form, start, start.length)}\n`
  })
  const options = groups.map(({ title, options }) => {
    return `\n${title === undefined ? '' : `${title}\n`}${options.map(line).join('')}`
  })
  const more = notes === undefined ? '' : `\n${notes}\n`
  return `${forms.join('')}${options.join('')}${more}\n`
}

function line([names, about]: OptionRow): string {
  const start = `${' '.repeat(INDENT)}${names}`
  const isShort = start.length < COLUMN - 1
  const first = isShort ? start.padEnd(COLUMN) : `${start}\n${' '.repeat(COLUMN)}`
  return `${wrapped(about, first, COLUMN)}\n`
}

/** Appends words to `start`; further lines begin at a column. Brackets stay on one line. */
function wrapped(text: string, start: string, column: number): string {
  let out = start
  let at = column
  for (const word of text.match(/(?:\[[^\]]*\]\S*|\([^)]*\)\S*|\S)+/g) ?? []) {
    const isFirst = at === column
    if (!isFirst && at + 1 + word.length > WIDTH) {
      out += `\n${' '.repeat(column)}`
      at = column
    } else if (!isFirst) {
      out += ' '
      at++
    }
    out += word
    at += word.length
  }
  return out
}
