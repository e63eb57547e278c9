/** The blocks of a format, which change the text inside them: `%(if)` and `%(align)`. */

import { fatal } from '../base/exit.js'
import { columnsOf } from '../text/columns.js'
import type { Quote } from './ref-format.js'

type Position = 'left' | 'middle' | 'right'

/** A field that begins, divides or ends a block. */
export type BlockPart =
  | { readonly kind: 'if'; readonly equals?: string; readonly isEqual: boolean }
  | { readonly kind: 'align'; readonly width: number; readonly position: Position }
  | { readonly kind: 'then' | 'else' | 'end' }

/** Parses the text between `%(` and `)`; `null` for a field of another kind. */
export function parseBlock(text: string): BlockPart | null {
  const [, name = '', argument] = /^(if|then|else|end|align)(?::(.*))?$/s.exec(text) ?? []
  switch (name) {
    case 'if': {
      if (argument === undefined) return { kind: name, isEqual: true }
      const [, not, equals] = /^(not)?equals=(.*)$/s.exec(argument) ?? []
      if (equals === undefined) throw fatal(`unrecognized %(if) argument: ${argument}`)
      return { kind: name, equals, isEqual: not === undefined }
    }
    case 'align':
      if (argument === undefined) throw fatal('expected format: %(align:<width>,<position>)')
      return parseAlign(argument)
    case 'then':
    case 'else':
    case 'end':
      if (argument !== undefined) throw fatal(`%(${name}) does not take arguments`)
      return { kind: name }
  }
  return null
}

function parseAlign(argument: string): BlockPart {
  let width = -1
  let position: Position = 'left'
  for (const word of argument.split(',')) {
    const [, value = word] = /^(?:position|width)=(.*)$/s.exec(word) ?? []
    const isWidth = !word.startsWith('position=') && /^\d+$/.test(value)
    const isPosition = !word.startsWith('width=') && /^(left|middle|right)$/.test(value)
    if (isWidth) width = Number(value)
    else if (isPosition) position = value as Position
    else if (word.startsWith('position=')) throw fatal(`unrecognized position:${value}`)
    else if (word.startsWith('width=')) throw fatal(`unrecognized width:${value}`)
    else throw fatal(`unrecognized %(align) argument: ${word}`)
  }
  if (width < 0) throw fatal('positive width expected with the %(align) atom')
  return { kind: 'align', width, position }
}

interface Block {
  text: string
  readonly part?: BlockPart
  /** The state of a `%(if)`, which its `%(else)` shares. */
  readonly state?: { hasThen: boolean; hasElse: boolean; fits: boolean }
  /** Whether the block begins with `%(else)`. */
  readonly isElse?: boolean
}

/** Builds the output of one ref. Quotes each value outside of blocks, and each whole block. */
export class Blocks {
  readonly #quote: Quote
  readonly #stack: Block[] = [{ text: '' }]

  constructor(quote: Quote) {
    this.#quote = quote
  }

  addText(text: string): void {
    this.#top.text += text
  }

  addValue(text: string): void {
    this.#top.text += this.#stack.length === 1 ? this.#quote(text) : text
  }

  take(part: BlockPart): void {
    if (part.kind === 'if') {
      this.#stack.push({ text: '', part, state: { hasThen: false, hasElse: false, fits: false } })
    } else if (part.kind === 'align') this.#stack.push({ text: '', part })
    else if (part.kind === 'then') this.#then()
    else if (part.kind === 'else') this.#else()
    else this.#end()
  }

  end(): string {
    if (this.#stack.length > 1) throw fatal('format: %(end) atom missing')
    return this.#top.text
  }

  get #top(): Block {
    return this.#stack[this.#stack.length - 1] as Block
  }

  #then(): void {
    const { part, state, text } = this.#top
    if (part?.kind !== 'if' || !state) {
      throw fatal('format: %(then) atom used without a %(if) atom')
    }
    if (state.hasThen) throw fatal('format: %(then) atom used more than once')
    state.hasThen = true
    const { equals, isEqual } = part
    // Whitespace alone counts as empty.
    const isSome = /[^ \t\n\v\f\r]/.test(text)
    state.fits = equals === undefined ? isSome : (text === equals) === isEqual
    this.#top.text = ''
  }

  #else(): void {
    const { part, state } = this.#top
    if (part?.kind !== 'if' || !state) {
      throw fatal('format: %(else) atom used without a %(if) atom')
    }
    if (!state.hasThen) throw fatal('format: %(else) atom used without a %(then) atom')
    if (state.hasElse) throw fatal('format: %(else) atom used more than once')
    state.hasElse = true
    this.#stack.push({ text: '', part, state, isElse: true })
  }

  #end(): void {
    const { part, state, isElse, text } = this.#stack.pop() as Block
    if (!part) throw fatal('format: %(end) atom used without corresponding atom')
    let made = text
    if (part.kind === 'align') made = aligned(text, part.width, part.position)
    else if (state) {
      if (!state.hasThen) throw fatal('format: %(if) atom used without a %(then) atom')
      const then = isElse ? (this.#stack.pop() as Block).text : text
      made = state.fits ? then : isElse ? text : ''
    }
    this.addValue(made)
  }
}

/** Pads a text to `width` columns. */
function aligned(text: string, width: number, position: Position): string {
  const left = Math.max(width - columnsOf(text), 0)
  const before = position === 'left' ? 0 : position === 'right' ? left : Math.floor(left / 2)
  return `${' '.repeat(before)}${text}${' '.repeat(left - before)}`
}
