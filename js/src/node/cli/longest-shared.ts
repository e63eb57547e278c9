/** The longest runs of lines that both sides of changes have, by an array of sorted suffixes. */

/** A line with its sign, and what counts of its text. */
export type SignedLine = readonly [sign: string, text: string]

/** The lines as numbers: the same for the same text, and one of its own where a run ends. */
interface Symbols {
  readonly numbers: Int32Array
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
  const { places, ranks } = sortedSuffixes(symbols.numbers)
  const common = commonPrefixes(symbols.numbers, places, ranks)
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
  const numbers: number[] = []
  const lines: number[] = []
  let [ends, last] = [0, '']
  const add = (number: number, line: number) => {
    numbers.push(number)
    lines.push(line)
  }
  for (const [at, [sign, text]] of all.entries()) {
    if (last !== '' && sign !== last) add(--ends, -1)
    last = sign === '+' || sign === '-' ? sign : ''
    if (last === '') continue
    const number = known.get(text) ?? known.size
    known.set(text, number)
    add(number, at)
  }
  add(--ends, -1)
  return { numbers: Int32Array.from(numbers), lines: Int32Array.from(lines) }
}

/** Sorts the suffixes by their first number, then by twice as many each time. */
function sortedSuffixes(numbers: Int32Array): { places: Int32Array; ranks: Int32Array } {
  const count = numbers.length
  const places = Int32Array.from(numbers.keys())
  let ranks = Int32Array.from(numbers)
  const rankAt = (at: number) => (at < count ? (ranks[at] ?? 0) : Number.NEGATIVE_INFINITY)
  for (let width = 0; ; width = width * 2 || 1) {
    const compare = (one: number, other: number): number => {
      const order = rankAt(one) - rankAt(other)
      // Past the end there is nothing to compare, and both are past it only if they are the same.
      if (order !== 0 || width === 0 || one === other) return order
      return rankAt(one + width) < rankAt(other + width)
        ? -1
        : Number(rankAt(one + width) > rankAt(other + width))
    }
    places.sort(compare)
    const next = new Int32Array(count)
    let rank = 0
    for (let place = 1; place < count; place++) {
      const [before = 0, at = 0] = [places[place - 1], places[place]]
      if (compare(before, at) !== 0) rank++
      next[at] = rank
    }
    ranks = next
    if (rank === count - 1) return { places, ranks }
  }
}

/** Returns how much each sorted suffix has in common with the one before it. */
function commonPrefixes(numbers: Int32Array, places: Int32Array, ranks: Int32Array): Int32Array {
  const common = new Int32Array(numbers.length)
  let length = 0
  for (let at = 0; at < numbers.length; at++) {
    const rank = ranks[at] ?? 0
    if (rank === 0) {
      length = 0
      continue
    }
    const before = places[rank - 1] ?? 0
    // No two are the same to the end, because each has a last number of its own.
    while (at + length < numbers.length && numbers[at + length] === numbers[before + length])
      length++
    common[rank] = length
    if (length > 0) length--
  }
  return common
}
