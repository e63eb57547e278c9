/** Formats with placeholders: `--format=%h %s`. See git-log(1), "Pretty formats". */
import { RESET } from '../color/palette.js'
import { colorOf, type FormatColor } from './pretty-colors.js'
import type { PrettyOptions, ShownCommit } from './pretty-context.js'
import { findPlaceholder, type Show } from './pretty-placeholders.js'
import { NO_WRAP, type Padding, padded, type Wrap, wrapText } from './pretty-wrap.js'

/** What happens if a placeholder is empty: `%+`, `%-`, `% `. */
type Magic = '+' | '-' | ' ' | ''

type Item =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'wrap'; readonly wrap: Wrap }
  | { readonly kind: 'pad'; readonly padding: Padding }
  | { readonly kind: 'color'; readonly magic: Magic; readonly color: FormatColor }
  | {
      readonly kind: 'show'
      readonly magic: Magic
      readonly show: Show
      /** The placeholder itself, which is shown if the commit does not have it. */
      readonly source: string
    }

/** Returns the columns of a terminal, for columns that count from the right. */
/** The most columns of `%w()`, `%<()` and the like; git prints placeholders with more unchanged. */
const MAX_COLUMNS = 16 * 1024

const terminalWidth = () => Number(process.env.COLUMNS) || 80

export type Format = (commit: ShownCommit, options: PrettyOptions) => string

/** Parses a format of one character per byte. */
export function parseFormat(format: string): Format {
  const items: Item[] = []
  for (let at = 0; at < format.length; ) {
    const sign = format.indexOf('%', at)
    const end = sign < 0 ? format.length : sign
    if (end > at) items.push({ kind: 'text', text: format.slice(at, end) })
    at = end
    if (sign < 0) break
    const [item, length] = itemOf(format.slice(sign + 1))
    items.push(item)
    at = sign + 1 + length
  }
  return (commit, options) => new Output(commit, options).run(items)
}

/** Parses what follows a `%`; returns also how many characters belong to it. */
function itemOf(format: string): [item: Item, length: number] {
  if (format.startsWith('%')) return [{ kind: 'text', text: '%' }, 1]
  const [sign = ''] = /^[-+ ]/.exec(format) ?? []
  const magic = sign as Magic
  const rest = format.slice(magic.length)
  if (magic === '') {
    const [wrap, wrapLength] = wrapOf(rest)
    if (wrap) return [{ kind: 'wrap', wrap }, wrapLength]
  }
  const [padding, length] = paddingOf(rest)
  if (padding) return [{ kind: 'pad', padding }, magic.length + length]
  const color = colorOf(rest)
  if (color) return [{ kind: 'color', magic, color: color.color }, magic.length + color.length]
  const found = findPlaceholder(rest)
  if (!found) {
    // With a sign, git skips it and the percent sign.
    return magic === '' || rest.startsWith('w')
      ? [{ kind: 'text', text: '%' }, 0]
      : [{ kind: 'text', text: '' }, 1]
  }
  const whole = magic.length + found.length
  const source = `%${format.slice(0, whole)}`
  return [{ kind: 'show', magic, show: found.show, source }, whole]
}

function wrapOf(format: string): [wrap: Wrap | null, length: number] {
  const [whole, width = '', first = '', next = ''] =
    /^w\((?:(\d*)(?:,(\d*)(?:,(\d*))?)?)?\)/.exec(
      format.replace(/^w\([^)]*\)/, (all) => all.replace(/ /g, '')),
    ) ?? []
  if (whole === undefined) return [null, 0]
  const wrap = { width: Number(width), first: Number(first), next: Number(next) }
  if (Math.max(wrap.width, wrap.first, wrap.next) > MAX_COLUMNS) return [null, 0]
  return [wrap, format.indexOf(')') + 1]
}

function paddingOf(format: string): [padding: Padding | null, length: number] {
  const [whole, sign = '', bar = '', digits = '', cut = 'none'] =
    /^(<|>>|><|>)(\|?)\( *(-?\d+) *(?:, *(trunc|ltrunc|mtrunc) *)?\)/.exec(format) ?? []
  if (whole === undefined) return [null, 0]
  let width = Number(digits)
  const toColumn = bar !== ''
  if (width < 0) {
    if (!toColumn) return [null, 0]
    width += terminalWidth()
  }
  if (width < 0 || width > MAX_COLUMNS) return [null, 0]
  const side = ({ '<': 'right', '>': 'left', '>>': 'steal', '><': 'both' } as const)[sign]
  const kind = ({ trunc: 'right', ltrunc: 'left', mtrunc: 'middle' } as const)[cut] ?? 'none'
  return side ? [{ side, width, toColumn, cut: kind }, whole.length] : [null, 0]
}

/** The text of a commit, while its format is processed. */
class Output {
  readonly #commit: ShownCommit
  readonly #options: PrettyOptions
  #text = ''
  #wrap = NO_WRAP
  /** Where the text begins that `%w()` wraps. */
  #from = 0
  #padding: Padding | null = null
  /** Colors before a placeholder that is padded, which belong to it, and the sign of the first. */
  #colors: { readonly magic: Magic; readonly text: string } | null = null
  /** Whether placeholders have the colors that git gives them: `%C(auto)`. */
  #isAuto = false

  constructor(commit: ShownCommit, options: PrettyOptions) {
    this.#commit = commit
    this.#options = options
  }

  run(items: readonly Item[]): string {
    for (const item of items) this.#add(item)
    this.#endColors()
    this.#endWrap(NO_WRAP)
    return this.#text
  }

  #add(item: Item): void {
    if (item.kind !== 'color' && item.kind !== 'show') this.#endColors()
    switch (item.kind) {
      case 'text':
        this.#text += item.text
        return
      case 'wrap':
        this.#endWrap(item.wrap)
        return
      case 'pad':
        this.#padding = item.padding
        return
      case 'color':
        this.#color(item)
        return
      case 'show':
        this.#show(item)
    }
  }

  #show({ magic, show, source }: Item & { kind: 'show' }): void {
    const auto = this.#isAuto ? this.#options.palette : null
    const shown = show(this.#commit, this.#options, auto) ?? source
    const colors = this.#colors
    this.#colors = null
    this.#put(colors?.magic || magic, (colors?.text ?? '') + shown)
  }

  #color({ magic, color }: Item & { kind: 'color' }): void {
    const { palette } = this.#options
    this.#isAuto = color.isAuto
    const colors = this.#colors?.text ?? ''
    const before = this.#padding ? colors : this.#text
    const isReset = color.isAuto && palette !== null && before !== ''
    const text = isReset ? RESET : color.text(palette !== null)
    if (this.#padding) this.#colors = { magic: this.#colors?.magic || magic, text: colors + text }
    else this.#put(magic, text)
  }

  /** Pads colors that no placeholder follows. */
  #endColors(): void {
    const colors = this.#colors
    if (!colors) return
    this.#colors = null
    this.#put(colors.magic, colors.text)
  }

  /** Adds what stands for a placeholder, padded, with the text that its sign adds or removes. */
  #put(magic: Magic, shown: string): void {
    const before = this.#text
    const { graph } = this.#commit
    const padding = this.#padding
    this.#padding = null
    const text = padding ? padded(before, shown, padding, graph) : before + shown
    if (magic === '-' && text.length === before.length) this.#text = text.replace(/\n+$/, '')
    else if ((magic === '+' || magic === ' ') && text.length !== before.length) {
      const sign = magic === '+' ? '\n' : ' '
      this.#text = text.slice(0, before.length) + sign + text.slice(before.length)
    } else this.#text = text
  }

  #endWrap(next: Wrap): void {
    const wrap = this.#wrap
    if (wrap.width === next.width && wrap.first === next.first && wrap.next === next.next) return
    const [done, rest] = [this.#text.slice(0, this.#from), this.#text.slice(this.#from)]
    if (rest !== '') this.#text = done + wrapText(rest, wrap)
    this.#from = this.#text.length
    this.#wrap = next
  }
}
