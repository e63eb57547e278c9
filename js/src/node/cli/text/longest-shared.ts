/** The longest runs of lines that both sides of changes have, by an array of sorted suffixes. */
import { commonPrefixes, leastOf, sortedSuffixes } from './suffixes.js'

/**
 * A line with its sign, and what counts of its text. `indent` is the width of an indentation that may
 * be another one, if it is for all lines of a run; an empty line has none, and fits any.
 */
export type SignedLine = readonly [sign: string, text: string, indent?: number]

/** The lines as numbers: the same for the same text, and one of its own where a run ends. */
interface Symbols {
  readonly texts: Int32Array
  /** The same, but with how much more a line is indented than the one before it. */
  readonly numbers: Int32Array
  /** Whether there are indentations. */
  readonly hasIndents: boolean
  /** The nearest line from each one on that is not empty, in whose place a run may begin. */
  readonly filled: Int32Array
  /** The line of each number; -1 for an end. */
  readonly lines: Int32Array
}

/**
 * Returns for each added or removed line how many lines from there on, of the same sign and without
 * another one between, are found in this order on the other side, too; 0 for other lines. Takes
 * about as long as sorting the lines, however often they repeat.
 */
export function longestShared(lines: readonly SignedLine[]): Uint32Array {
  const symbols = symbolsOf(lines)
  const { places, common } = sortedRuns(symbols)
  const shared = new Uint32Array(lines.length)
  const look = (first: number, step: 1 | -1) => {
    // How much the next suffix has in common with the nearest one of each side before it.
    const near = new Map([
      ['+', 0],
      ['-', 0],
    ])
    for (let place = first; place >= 0 && place < places.length; place += step) {
      const at = symbols.lines[places[place] ?? 0] ?? -1
      const sign = lines[at]?.[0] ?? ''
      const other = near.get(sign === '+' ? '-' : '+') ?? 0
      if (near.has(sign)) {
        shared[at] = Math.max(shared[at] ?? 0, other)
        near.set(sign, Number.POSITIVE_INFINITY)
      }
      const length = common[step > 0 ? place + 1 : place] ?? 0
      for (const [side, before] of near) near.set(side, Math.min(before, length))
    }
  }
  look(0, 1)
  look(places.length - 1, -1)
  return shared
}

function symbolsOf(all: readonly SignedLine[]): Symbols {
  const known = new Map<string, number>()
  const numberOf = (text: string) => {
    const number = known.get(text) ?? known.size
    known.set(text, number)
    return number
  }
  const texts: number[] = []
  const numbers: number[] = []
  const lines: number[] = []
  let [ends, last] = [0, '']
  let [before, hasIndents] = [0, false]
  const add = (text: number, number: number, line: number) => {
    texts.push(text)
    numbers.push(number)
    lines.push(line)
  }
  const addEnd = () => add(--ends, ends, -1)
  for (const [at, [sign, text, indent]] of all.entries()) {
    if (last !== '' && sign !== last) addEnd()
    last = sign === '+' || sign === '-' ? sign : ''
    if (last === '') continue
    const plain = numberOf(text)
    if (indent === undefined) add(plain, plain, at)
    else {
      // The first line of a run is not compared with the line before it: see `sortedRuns`.
      add(plain, numberOf(`${text}\n${indent - before}`), at)
      before = indent
      hasIndents = true
    }
  }
  addEnd()
  const filled = Int32Array.from(numbers.keys())
  for (let at = numbers.length - 1; hasIndents && at >= 0; at--) {
    const isEmpty = all[lines[at] ?? -1]?.[1] === ''
    if (isEmpty) filled[at] = filled[at + 1] ?? at
  }
  return {
    ...{ texts: Int32Array.from(texts), numbers: Int32Array.from(numbers), hasIndents },
    ...{ filled, lines: Int32Array.from(lines) },
  }
}

interface Runs {
  readonly places: Int32Array
  /** How much each run has in common with the one before it. */
  readonly common: Int32Array
}

/** Sorts the runs that begin at each line: the first that is not empty may have any indentation. */
function sortedRuns({ texts, numbers, hasIndents, filled }: Symbols): Runs {
  const sorted = sortedSuffixes(numbers)
  const suffixes = commonPrefixes(numbers, sorted)
  if (!hasIndents) return { places: sorted.places, common: suffixes }
  const textAt = (at: number) => texts[at] ?? 0
  const rankAfter = (at: number) => sorted.ranks[at + 1] ?? 0
  /** Returns the lines that are not empty, and how many empty ones both have before these. */
  const begin = (one: number, other: number) => {
    const [first = one, second = other] = [filled[one], filled[other]]
    return { first, second, empty: Math.min(first - one, second - other) }
  }
  const places = Int32Array.from(texts.keys()).sort((one, other) => {
    const { first, second, empty } = begin(one, other)
    const order = textAt(one + empty) - textAt(other + empty)
    return order || rankAfter(first) - rankAfter(second)
  })
  const least = leastOf(suffixes)
  const common = Int32Array.from(places, (other, place) => {
    const one = places[place - 1]
    if (one === undefined) return 0
    const { first, second, empty } = begin(one, other)
    if (textAt(one + empty) !== textAt(other + empty)) return empty
    return empty + 1 + least(rankAfter(first) + 1, rankAfter(second))
  })
  return { places, common }
}
