/** Colors what the patterns of `--author`, `--committer` and `--grep` match. */
import type { MatchSpansQuestion } from '../../../base/protocol.js'
import { type Palette, painted } from '../color/palette.js'
import type { Reader } from '../repository/reader.js'
import { toBytes } from '../text/bytes.js'

/** The patterns of a history, and how they are written. */
export interface Searched
  extends Readonly<Record<keyof Highlights, readonly string[]>>,
    Pick<MatchSpansQuestion, 'syntax' | 'ignoreCase'> {}

/** Returns texts without line feeds in colors; one call for all texts of a commit is the fastest. */
type Painter = (texts: readonly string[]) => readonly string[]

export interface Highlights {
  readonly author: Painter
  readonly committer: Painter
  readonly message: Painter
}

/** Returns what colors the texts of commits; without colors, texts remain. */
export function highlightsOf(
  reader: Reader,
  searched: Searched,
  palette: Palette | null,
): Highlights {
  const { author, committer, message, syntax, ignoreCase } = searched
  const painter = (patterns: readonly string[]): Painter => {
    if (palette === null || patterns.length === 0) return (texts) => texts
    const expression = reader.specs(patterns.map((pattern) => `p${pattern}`))
    return (texts) => {
      const text = toBytes(texts.join('\n'))
      return paintSpans(texts, reader.matchSpans({ expression, syntax, ignoreCase, text }), palette)
    }
  }
  return { author: painter(author), committer: painter(committer), message: painter(message) }
}

/** @param spans the starts and ends of matches in the texts, joined by line feeds */
function paintSpans(
  texts: readonly string[],
  spans: readonly (readonly [start: number, end: number])[],
  { selected, match }: Palette,
): string[] {
  const shown = (color: string, text: string) => (color === '' ? text : painted(color, text))
  let next = 0
  let base = 0
  return texts.map((text) => {
    let line = ''
    let done = 0
    for (let span = spans[next]; span && span[0] < base + text.length; span = spans[++next]) {
      const [start, end] = [span[0] - base, span[1] - base]
      line += shown(selected, text.slice(done, start)) + shown(match, text.slice(start, end))
      done = end
    }
    base += text.length + 1
    return done === 0 ? text : line + shown(selected, text.slice(done))
  })
}
