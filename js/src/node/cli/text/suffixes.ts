/** The suffixes of a list of numbers in their order, and what they have in common. */

/** The order of suffixes, and the place of each in it. */
export interface Sorted {
  readonly places: Int32Array
  readonly ranks: Int32Array
}

/** Sorts the suffixes by their first number, then by twice as many each time. */
export function sortedSuffixes(numbers: Int32Array): Sorted {
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
export function commonPrefixes(numbers: Int32Array, { places, ranks }: Sorted): Int32Array {
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

/** Returns what finds the least of some values beside each other, `last` included. */
export function leastOf(values: Int32Array): (first: number, last: number) => number {
  const { length } = values
  // Each value of the first half is the lesser one of two others.
  const tree = new Int32Array(length * 2)
  tree.set(values, length)
  const at = (place: number) => tree[place] ?? 0
  for (let place = length - 1; place > 0; place--) {
    tree[place] = Math.min(at(place * 2), at(place * 2 + 1))
  }
  return (first, last) => {
    let least = Number.POSITIVE_INFINITY
    let [from, to] = [first + length, last + length + 1]
    for (; from < to; from >>= 1, to >>= 1) {
      if (from & 1) least = Math.min(least, at(from++))
      if (to & 1) least = Math.min(least, at(--to))
    }
    return least
  }
}
