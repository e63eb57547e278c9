/** Parses numbers in options as git does: the whole text has to be a decimal number. */

const MOST = 2 ** 31 - 1
const NUMBER = /^[ \t\n\v\f\r]*[+-]?[0-9]+$/

/** Returns an integer of 32 bits; `null` if the text is not one. */
export function integerOf(text: string): number | null {
  const number = NUMBER.test(text) ? Number(text) : Number.NaN
  return number >= -MOST - 1 && number <= MOST ? number : null
}

/** Returns seconds; `null` if the text is not a number of 64 bits. */
export function secondsOf(text: string): number | null {
  if (!NUMBER.test(text)) return null
  const number = BigInt(text.trim().replace('+', ''))
  return number <= 2n ** 64n - 1n && number > -(2n ** 64n) ? Number(number) : null
}
