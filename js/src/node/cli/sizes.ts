/** Parses sizes as git does: a number in C's notation, with `k`, `m` or `g` after it. */

const UNITS: Readonly<Record<string, number>> = { '': 1, k: 2 ** 10, m: 2 ** 20, g: 2 ** 30 }

/** Returns a size in bytes; `NaN` if the text is no size. */
export function sizeOf(text: string): number {
  const [, digits, unit = ''] = /^\s*\+?(0x[0-9a-f]+|\d+)([kmg]?)$/i.exec(text) ?? []
  if (!digits) return Number.NaN
  // A leading zero means octal, which has no digits 8 and 9.
  const octal = /^0\d/.test(digits)
  if (octal && /[89]/.test(digits)) return Number.NaN
  const bytes = (octal ? Number(`0o${digits}`) : Number(digits)) * (UNITS[unit.toLowerCase()] ?? 1)
  return bytes < 2 ** 64 ? bytes : Number.NaN
}
