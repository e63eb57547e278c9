// Pseudo-random choices, the same for the same seed.

/** Returns numbers from 0 up to 1. */
export function numbersFrom(seed) {
  let state = seed >>> 0
  return () => {
    // A linear congruence modulo 2^32; the high bits, which count here, are good.
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

/** Returns `count` members of a list, each once, in random order. */
export function someOf(list, count, random) {
  const all = [...list]
  const most = Math.min(count, all.length)
  for (let at = 0; at < most; at++) {
    const other = at + Math.floor(random() * (all.length - at))
    const taken = all[other]
    all[other] = all[at]
    all[at] = taken
  }
  return all.slice(0, most)
}
