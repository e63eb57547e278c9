/** Sorts refs for `for-each-ref`: git-for-each-ref(1), `--sort`. */
import { type Atom, parseAtom, type RefFacts } from './ref-atoms.js'

type Compare = (one: RefFacts, other: RefFacts) => number

/** Returns the comparison of refs by keys, of which the last is the primary one. */
export function comparison(
  keys: readonly string[],
  ignoreCase: boolean,
  head: () => string | null,
): Compare {
  const fold = (text: string) =>
    ignoreCase ? text.replace(/[A-Z]/g, (letter) => letter.toLowerCase()) : text
  const byKey = keys.map((key) => keyComparison(key, fold, head)).reverse()
  return (one, other) => {
    for (const compare of byKey) {
      const order = compare(one, other)
      if (order !== 0) return order
    }
    return textOrder(fold(one.ref.name), fold(other.ref.name))
  }
}

function keyComparison(
  key: string,
  fold: (text: string) => string,
  head: () => string | null,
): Compare {
  const reverse = key.startsWith('-') ? -1 : 1
  const field = reverse < 0 ? key.slice(1) : key
  const version = /^(?:version|v):(.*)$/s.exec(field)?.[1]
  const atom = keep(parseAtom(version ?? field, head))
  return (one, other) => {
    const [a, b] = [atom(one), atom(other)]
    if (version !== undefined) return reverse * versionOrder(a.text, b.text)
    if (a.number !== undefined && b.number !== undefined) {
      return reverse * Math.sign(a.number - b.number)
    }
    return reverse * textOrder(fold(a.text), fold(b.text))
  }
}

/** Caches the values of a field, because sorting compares each many times. */
function keep(atom: Atom): Atom {
  const values = new Map<RefFacts, ReturnType<Atom>>()
  return (facts) => {
    const value = values.get(facts) ?? atom(facts)
    values.set(facts, value)
    return value
  }
}

function textOrder(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0
}

/** Compares names with numbers as the C library does: `v1.9` is before `v1.10`. */
export function versionOrder(one: string, other: string): number {
  let at = 0
  while (at < one.length && one[at] === other[at]) at++
  let start = at
  while (start > 0 && isDigit(one[start - 1])) start--
  const common = one.slice(start, at)
  const [a, b] = [isDigit(one[at]), isDigit(other[at])]
  const plain = textOrder(one.slice(at, at + 1), other.slice(at, at + 1))
  if (common.startsWith('0')) {
    // Digits after leading zeros are a fraction: 0.01 is before 0.1, and 00 before 0.
    const onlyZeros = /^0+$/.test(common)
    return onlyZeros && a !== b ? (a ? -1 : 1) : plain
  }
  if (a && b) {
    if (common === '' && (one[at] === '0' || other[at] === '0')) return plain
    return Math.sign(digitsAt(one, at) - digitsAt(other, at)) || plain
  }
  if (common !== '' && a !== b) return a ? 1 : -1
  return plain
}

function isDigit(byte: string | undefined): boolean {
  return byte !== undefined && byte >= '0' && byte <= '9'
}

function digitsAt(text: string, at: number): number {
  let end = at
  while (isDigit(text[end])) end++
  return end - at
}
