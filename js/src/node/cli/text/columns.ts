/** The width of texts on a terminal, as git counts it. */
import { toBytes } from './bytes.js'

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Characters that take two columns: those that git 2.55 pads as such, of all that there are. */
const WIDE = new RegExp(
  `[${[
    String.raw`\u1100-\u115f\u231a\u231b\u2329\u232a\u23e9-\u23ec\u23f0\u23f3\u25fd\u25fe\u2614\u2615`,
    String.raw`\u2630-\u2637\u2648-\u2653\u267f\u268a-\u268f\u2693\u26a1\u26aa\u26ab\u26bd\u26be`,
    String.raw`\u26c4\u26c5\u26ce\u26d4\u26ea\u26f2\u26f3\u26f5\u26fa\u26fd\u2705\u270a\u270b\u2728`,
    String.raw`\u274c\u274e\u2753-\u2755\u2757\u2795-\u2797\u27b0\u27bf\u2b1b\u2b1c\u2b50\u2b55`,
    String.raw`\u2e80-\u2e99\u2e9b-\u2ef3\u2f00-\u2fd5\u2ff0-\u3029\u302e-\u303e\u3041-\u3096`,
    String.raw`\u309b-\u30ff\u3105-\u312f\u3131-\u318e\u3190-\u31e5\u31ef-\u321e\u3220-\u3247`,
    String.raw`\u3250-\ua48c\ua490-\ua4c6\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe10-\ufe19`,
    String.raw`\ufe30-\ufe52\ufe54-\ufe66\ufe68-\ufe6b\uff01-\uff60\uffe0-\uffe6\u{16fe0}-\u{16fe3}`,
    String.raw`\u{16ff0}-\u{16ff6}\u{17000}-\u{18cd5}\u{18cff}-\u{18d1e}\u{18d80}-\u{18df2}`,
    String.raw`\u{1aff0}-\u{1aff3}\u{1aff5}-\u{1affb}\u{1affd}\u{1affe}\u{1b000}-\u{1b122}\u{1b132}`,
    String.raw`\u{1b150}-\u{1b152}\u{1b155}\u{1b164}-\u{1b167}\u{1b170}-\u{1b2fb}\u{1d300}-\u{1d356}`,
    String.raw`\u{1d360}-\u{1d376}\u{1f004}\u{1f0cf}\u{1f18e}\u{1f191}-\u{1f19a}\u{1f200}-\u{1f202}`,
    String.raw`\u{1f210}-\u{1f23b}\u{1f240}-\u{1f248}\u{1f250}\u{1f251}\u{1f260}-\u{1f265}`,
    String.raw`\u{1f300}-\u{1f320}\u{1f32d}-\u{1f335}\u{1f337}-\u{1f37c}\u{1f37e}-\u{1f393}`,
    String.raw`\u{1f3a0}-\u{1f3ca}\u{1f3cf}-\u{1f3d3}\u{1f3e0}-\u{1f3f0}\u{1f3f4}\u{1f3f8}-\u{1f43e}`,
    String.raw`\u{1f440}\u{1f442}-\u{1f4fc}\u{1f4ff}-\u{1f53d}\u{1f54b}-\u{1f54e}\u{1f550}-\u{1f567}`,
    String.raw`\u{1f57a}\u{1f595}\u{1f596}\u{1f5a4}\u{1f5fb}-\u{1f64f}\u{1f680}-\u{1f6c5}\u{1f6cc}`,
    String.raw`\u{1f6d0}-\u{1f6d2}\u{1f6d5}-\u{1f6d8}\u{1f6dc}-\u{1f6df}\u{1f6eb}\u{1f6ec}`,
    String.raw`\u{1f6f4}-\u{1f6fc}\u{1f7e0}-\u{1f7eb}\u{1f7f0}\u{1f90c}-\u{1f93a}\u{1f93c}-\u{1f945}`,
    String.raw`\u{1f947}-\u{1f9ff}\u{1fa70}-\u{1fa7c}\u{1fa80}-\u{1fa8a}\u{1fa8e}-\u{1fac6}\u{1fac8}`,
    String.raw`\u{1facd}-\u{1fadc}\u{1fadf}-\u{1faea}\u{1faef}-\u{1faf8}\u{20000}-\u{2fffd}`,
    String.raw`\u{30000}-\u{3fffd}`,
  ].join('')}]`,
  'u',
)

/** Characters that take none: controls, marks, and the vowels and finals of Hangul. */
const NONE = /[\p{Cc}\p{Mn}\p{Me}\u1160-\u11ff]|(?!\xad)\p{Cf}/u

/** Returns how many columns a text of one character per byte takes, if it is UTF-8; else its length. */
export function columnsOf(bytes: string): number {
  let count = 0
  for (const one of decoded(bytes)) count += sizeOf(one)
  return count
}

function sizeOf(character: string): number {
  return NONE.test(character) ? 0 : WIDE.test(character) ? 2 : 1
}

/** Returns the end of a text that takes at most `width` columns. */
export function lastColumns(bytes: string, width: number): string {
  const text = wellFormed(bytes)
  if (text === null) return bytes.slice(Math.max(bytes.length - width, 0))
  const characters = [...text]
  const sizes = characters.map(sizeOf)
  let [from, size] = [0, sizes.reduce((sum, one) => sum + one, 0)]
  for (; size > width; from++) size -= sizes[from] ?? 0
  return Buffer.from(characters.slice(from).join('')).toString('latin1')
}

/** The colors of a text, which takes no columns. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: colors begin with one
const COLORS = /\x1b\[[\d;]*m/g

const COLOR_OR_CHARACTER = new RegExp(`${COLORS.source}|.`, 'gsu')

export const withoutColors = (text: string): string => text.replace(COLORS, '')

/** As {@link columnsOf}; colors take no columns. */
export function shownColumnsOf(bytes: string): number {
  return wellFormed(bytes) === null ? bytes.length : columnsOf(withoutColors(bytes))
}

/** As {@link columnsOf}; `null` if the text is not UTF-8 or has control characters. */
export function columnsOfPlain(bytes: string): number | null {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these have no width
  return /[\x00-\x1f\x7f]/.test(bytes) || wellFormed(bytes) === null ? null : columnsOf(bytes)
}

/**
 * Replaces `width` columns from `start` on by a text. Colors and characters without a width stay,
 * and so does text that is not UTF-8.
 */
export function replaceColumns(bytes: string, start: number, width: number, by: string): string {
  let [text, at, left] = ['', 0, by]
  for (const [one] of (wellFormed(bytes) ?? '').matchAll(COLOR_OR_CHARACTER)) {
    const size = one.length > 2 || NONE.test(one) ? 0 : WIDE.test(one) ? 2 : 1
    if (size > 0 && at >= start && at < start + width) {
      text += left
      left = ''
    } else text += one
    at += size
  }
  return wellFormed(bytes) === null ? bytes : Buffer.from(text).toString('latin1')
}

function decoded(bytes: string): string {
  return wellFormed(bytes) ?? 'x'.repeat(bytes.length)
}

/** Decodes UTF-8, of which git thinks that U+FFFE and U+FFFF are not part. */
function wellFormed(bytes: string): string | null {
  if (!/[\x80-\xff]/.test(bytes)) return bytes
  try {
    const text = decoder.decode(toBytes(bytes))
    return /[\ufffe\uffff]/.test(text) ? null : text
  } catch {
    return null
  }
}
