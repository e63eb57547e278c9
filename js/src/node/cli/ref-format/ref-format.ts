/** Formats refs for `for-each-ref`: `--format`, and quotes for other languages. */
import { fatal, Misused } from '../base/exit.js'
import { type Atom, parseAtom, type RefFacts } from './ref-atoms.js'
import { type BlockPart, Blocks, parseBlock } from './ref-blocks.js'
import { colorOfField, endsColored, RESET } from './ref-color.js'

/** Sets a color. */
interface Color {
  readonly color: string
}

export type Quote = (text: string) => string

/** Quotes values for languages that evaluate the output. */
export const QUOTES: Readonly<Record<'shell' | 'perl' | 'python' | 'tcl', Quote>> = {
  shell: (text) => `'${text.replace(/['!]/g, (byte) => `'\\${byte}'`)}'`,
  perl: (text) => `'${text.replace(/[\\']/g, '\\$&')}'`,
  python: (text) => `'${text.replace(/[\\']/g, '\\$&').replace(/\n/g, '\\n')}'`,
  tcl: (text) => `"${text.replace(/[[\]{}$\\"]/g, '\\$&').replace(/[\f\r\n\t\v]/g, tclEscape)}"`,
}

const TCL: Readonly<Record<string, string>> = {
  '\f': '\\f',
  '\r': '\\r',
  '\n': '\\n',
  '\t': '\\t',
  '\v': '\\v',
}

function tclEscape(byte: string): string {
  return TCL[byte] ?? byte
}

export interface FormatContext {
  readonly quote: Quote
  /** Makes a value safe to show on a terminal. */
  readonly safe: (text: string) => string
  /** Returns the full name of the branch that is checked out; `null` for a detached HEAD. */
  readonly head: () => string | null
  readonly hasColors: boolean
}

/** Parses a format of one character per byte. @throws Exit if the format is invalid */
export function refFormat(
  format: string,
  { quote, safe, head, hasColors }: FormatContext,
): (facts: RefFacts) => string {
  const pieces: (string | Atom | BlockPart | Color)[] = []
  let rest = format
  // Of the four languages only Perl has strings that can hold any bytes.
  const quotesBytes = ![QUOTES.shell, QUOTES.python, QUOTES.tcl].includes(quote)
  for (;;) {
    const at = rest.indexOf('%')
    if (at < 0) break
    pieces.push(rest.slice(0, at))
    rest = rest.slice(at)
    const hex = /^%([0-9a-fA-F]{2})/.exec(rest)?.[1]
    if (rest.startsWith('%%')) {
      pieces.push('%')
      rest = rest.slice(2)
    } else if (hex !== undefined) {
      pieces.push(String.fromCharCode(Number.parseInt(hex, 16)))
      rest = rest.slice(3)
    } else if (rest.startsWith('%(')) {
      const end = rest.indexOf(')')
      if (end < 0) throw new Misused(`error: malformed format string ${rest}\n`)
      const atom = rest.slice(2, end)
      if (/^\*?raw$/.test(atom) && !quotesBytes) {
        throw fatal(`--format=${atom} cannot be used with --python, --shell, --tcl`)
      }
      const color = colorOfField(atom)
      if (color === null) pieces.push(parseBlock(atom) ?? parseAtom(atom, head))
      else if (hasColors) pieces.push({ color })
      rest = rest.slice(end + 1)
    } else {
      pieces.push('%')
      rest = rest.slice(1)
    }
  }
  pieces.push(rest)
  if (hasColors && endsColored(format)) pieces.push({ color: RESET })
  return (facts) => {
    const blocks = new Blocks(quote)
    for (const piece of pieces) {
      if (typeof piece === 'string') blocks.addText(piece)
      else if (typeof piece === 'function') blocks.addValue(safe(piece(facts).text))
      else if ('color' in piece) blocks.addValue(piece.color)
      else blocks.take(piece)
    }
    return blocks.end()
  }
}
