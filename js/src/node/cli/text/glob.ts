/** Patterns of refs in revision options: as in gitglossary(7), but `*` matches slashes too. */

type Token = 'any' | ((byte: string) => boolean)

const CLASSES: Readonly<Record<string, RegExp>> = {
  alnum: /[0-9A-Za-z]/,
  alpha: /[A-Za-z]/,
  blank: /[ \t]/,
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what the class holds
  cntrl: /[\x00-\x1f\x7f]/,
  digit: /[0-9]/,
  graph: /[!-~]/,
  lower: /[a-z]/,
  print: /[ -~]/,
  punct: /[!-/:-@[-`{-~]/,
  space: /[ \t\n\v\f\r]/,
  upper: /[A-Z]/,
  xdigit: /[0-9A-Fa-f]/,
}

/** A pattern, a character a byte. */
export class Glob {
  readonly #tokens: readonly Token[] | null

  constructor(pattern: string) {
    this.#tokens = tokensOf(pattern)
  }

  /**
   * Returns whether all of `text` matches, in time proportional to text and pattern: only the
   * last `*` is ever tried again, since one before it would fit no more.
   */
  fits(text: string): boolean {
    const tokens = this.#tokens
    if (!tokens) return false
    let [at, token] = [0, 0]
    let retry: { readonly token: number; at: number } | undefined
    while (at < text.length) {
      const next = tokens[token]
      if (next === 'any') {
        token++
        retry = { token, at }
      } else if (next?.(text.charAt(at))) {
        at++
        token++
      } else if (retry) {
        retry.at++
        at = retry.at
        token = retry.token
      } else return false
    }
    return tokens.slice(token).every((rest) => rest === 'any')
  }
}

/** Returns the parts of a pattern; `null` if nothing fits it. */
function tokensOf(pattern: string): Token[] | null {
  const tokens: Token[] = []
  for (let at = 0; at < pattern.length; at++) {
    const byte = pattern.charAt(at)
    if (byte === '*') tokens.push('any')
    else if (byte === '?') tokens.push(() => true)
    else if (byte === '[') {
      const set = setAt(pattern, at + 1)
      if (!set) return null
      tokens.push(set.fits)
      at = set.end
    } else {
      const literal = byte === '\\' ? pattern.charAt(++at) : byte
      if (literal === '') return null
      tokens.push((found) => found === literal)
    }
  }
  return tokens
}

/** Reads what follows `[`; `end` is where its `]` is. */
function setAt(
  pattern: string,
  start: number,
): { fits: (byte: string) => boolean; end: number } | null {
  const negated = '!^'.includes(pattern.charAt(start) || ' ')
  const members: ((byte: string) => boolean)[] = []
  const first = start + (negated ? 1 : 0)
  for (let at = first; at < pattern.length; at++) {
    if (pattern[at] === ']' && at > first) {
      return { fits: (byte) => members.some((member) => member(byte)) !== negated, end: at }
    }
    const [whole = '', name = ''] = /^\[:([a-z]*):\]/.exec(pattern.slice(at)) ?? []
    if (whole !== '') {
      const known = CLASSES[name]
      if (!known) return null
      members.push((byte) => known.test(byte))
      at += whole.length - 1
      continue
    }
    if (pattern[at] === '\\') at++
    const from = pattern.charAt(at)
    let to = from
    if (pattern[at + 1] === '-' && at + 2 < pattern.length && pattern[at + 2] !== ']') {
      at += pattern[at + 2] === '\\' ? 3 : 2
      to = pattern.charAt(at)
    }
    members.push((byte) => byte >= from && byte <= to)
  }
  return null
}
