/** Makes invisible characters of a repository's text visible. */

/** A run of text; `hidden` if it stands for characters without a visible form. */
export interface Run {
  readonly text: string
  readonly hidden: boolean
}

/** Control characters, line ends, zero-width and bidirectional characters. */
const INVISIBLE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is matched
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/gu

/** Characters that can show text in another order than it has. */
const TURNING = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u

const SHORT: Readonly<Record<string, string>> = {
  '\t': '\\t',
  '\n': '\\n',
  '\r': '\\r',
  '\b': '\\b',
}

/** Splits a line of text, such as a name or a subject, into runs. */
export function visibleRuns(text: string): Run[] {
  const runs: Run[] = []
  let at = 0
  for (const match of text.matchAll(INVISIBLE)) {
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
    const [, before = '', inner = '', after = ''] =
      /^(\s*)(.*?)(\s*)$/su.exec(strict.decode(bytes)) ?? []
    return [...spaces(before), ...visibleRuns(inner), ...spaces(after)]
  } catch {
    return [...brokenUtf8(bytes)]
  }
}

function spaces(text: string): Run[] {
  return Array.from(text, (space) => ({ text: escapeOf(space), hidden: true }))
}

/** Returns the runs as plain text, for titles and labels. */
export function visibleText(text: string): string {
  return visibleRuns(text)
    .map((run) => run.text)
    .join('')
}

/** Returns whether some of the text is shown in another order than it has. */
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

/** Returns the bytes of the character at `at`; 0 if none begins there. */
function lengthOfCharacter(bytes: Uint8Array, at: number, strict: TextDecoder): number {
  for (let length = 1; length <= 4 && at + length <= bytes.length; length++) {
    try {
      strict.decode(bytes.subarray(at, at + length))
      return length
    } catch {}
  }
  return 0
}
