/** Text that comes from a repository, with all that cannot be seen made visible. */

/** A run of text; `hidden` is what stands for characters that have no shape of their own. */
export interface Run {
  readonly text: string
  readonly hidden: boolean
}

/** Control characters, line ends, zero-width characters, and those that turn the direction of text. */
const UNSEEN =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/gu

/** Characters that can make text read differently from what it is. */
const TURNING = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u

const SHORT: Readonly<Record<string, string>> = {
  '\t': '\\t',
  '\n': '\\n',
  '\r': '\\r',
  '\b': '\\b',
}

/** Splits one line of text, such as a name or a subject. */
export function visibleRuns(text: string): Run[] {
  const runs: Run[] = []
  let at = 0
  for (const match of text.matchAll(UNSEEN)) {
    if (match.index > at) runs.push({ text: text.slice(at, match.index), hidden: false })
    runs.push({ text: escapeOf(match[0]), hidden: true })
    at = match.index + match[0].length
  }
  if (at < text.length) runs.push({ text: text.slice(at), hidden: false })
  return runs
}

/**
 * As {@link visibleRuns} for a name, where spaces at either end matter; bytes
 * that are not UTF-8 are shown as `\xe9`.
 */
export function visibleBytes(bytes: Uint8Array): Run[] {
  const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  try {
    const [, before = '', inner = '', behind = ''] =
      /^(\s*)(.*?)(\s*)$/su.exec(strict.decode(bytes)) ?? []
    return [...spaces(before), ...visibleRuns(inner), ...spaces(behind)]
  } catch {
    return [...brokenUtf8(bytes)]
  }
}

function spaces(text: string): Run[] {
  return Array.from(text, (space) => ({ text: escapeOf(space), hidden: true }))
}

/** The same as plain text, for titles and labels. */
export function visibleText(text: string): string {
  return visibleRuns(text)
    .map((run) => run.text)
    .join('')
}

/** Tells whether some of the text is not shown in the order it is written in. */
export function turnsText(text: string): boolean {
  return TURNING.test(text)
}

function escapeOf(character: string): string {
  const code = character.codePointAt(0) ?? 0
  const digits = code.toString(16)
  return SHORT[character] ?? (code < 256 ? `\\x${digits.padStart(2, '0')}` : `\\u${digits}`)
}

function* brokenUtf8(bytes: Uint8Array): Generator<Run> {
  const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  for (let at = 0; at < bytes.length; ) {
    const length = lengthOfCharacter(bytes, at, strict)
    const character = bytes.subarray(at, at + Math.max(length, 1))
    if (length > 0) yield* visibleRuns(strict.decode(character))
    else yield { text: `\\x${(bytes[at] ?? 0).toString(16).padStart(2, '0')}`, hidden: true }
    at += character.length
  }
}

/** 0 if no character begins here. */
function lengthOfCharacter(bytes: Uint8Array, at: number, strict: TextDecoder): number {
  for (let length = 1; length <= 4 && at + length <= bytes.length; length++) {
    try {
      strict.decode(bytes.subarray(at, at + length))
      return length
    } catch {}
  }
  return 0
}
