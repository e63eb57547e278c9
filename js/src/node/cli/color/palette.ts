/** The colors of output that goes to a terminal. */

export const RESET = '\x1b[m'

/** What has a color of its own; an empty text is no color. */
export interface Palette {
  readonly commit: string
  readonly context: string
  readonly meta: string
  readonly frag: string
  readonly func: string
  readonly old: string
  readonly new: string
  readonly whitespace: string
  /** Lines that were moved, also beside another block, and in the middle of a block. */
  readonly oldMoved: string
  readonly oldMovedAlternative: string
  readonly oldMovedDimmed: string
  readonly oldMovedAlternativeDimmed: string
  readonly newMoved: string
  readonly newMovedAlternative: string
  readonly newMovedDimmed: string
  readonly newMovedAlternativeDimmed: string
  /** What a pattern matches, and the rest of its line. */
  readonly match: string
  readonly selected: string
  /** The refs of commits, by their kind. */
  readonly decorate: Readonly<
    Record<'head' | 'local' | 'remote' | 'tag' | 'stash' | 'graft' | 'other', string>
  >
  /** The lanes of a graph, in turn. */
  readonly graph: readonly string[]
}

const code = (codes: string) => `\x1b[${codes}m`
const HUES = ['31', '32', '33', '34', '35', '36']

/** The colors that git has without settings. */
export const PALETTE: Palette = {
  commit: code('33'),
  context: '',
  meta: code('1'),
  frag: code('36'),
  func: '',
  old: code('31'),
  new: code('32'),
  whitespace: code('41'),
  oldMoved: code('1;35'),
  oldMovedAlternative: code('1;34'),
  oldMovedDimmed: code('2'),
  oldMovedAlternativeDimmed: code('2;3'),
  newMoved: code('1;36'),
  newMovedAlternative: code('1;33'),
  newMovedDimmed: code('2'),
  newMovedAlternativeDimmed: code('2;3'),
  match: code('1;31'),
  selected: '',
  decorate: {
    head: code('1;36'),
    local: code('1;32'),
    remote: code('1;31'),
    tag: code('1;33'),
    stash: code('1;35'),
    graft: code('1;34'),
    other: RESET,
  },
  graph: [...HUES, ...HUES.map((hue) => `1;${hue}`)].map(code),
}

export const painted = (color: string, text: string): string => color + text + RESET
