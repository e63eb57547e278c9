/** Returns the median of some figures, the least and the most. */
export function spread(figures) {
  const sorted = [...figures].sort((a, b) => a - b)
  const middle = (sorted.length - 1) / 2
  const median = (sorted[Math.floor(middle)] + sorted[Math.ceil(middle)]) / 2
  return { median: rounded(median), least: rounded(sorted[0]), most: rounded(sorted.at(-1)) }
}

/** Digits after the sixth are noise. */
function rounded(value) {
  return Number(value.toPrecision(6))
}
