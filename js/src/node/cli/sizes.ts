/** Sizes as git reads them: a number as C has them, and `k`, `m` or `g` behind it. */

const UNITS: Readonly<Record<string, number>> = { '': 1, k: 2 ** 10, m: 2 ** 20, g: 2 ** 30 }

/** Returns how many bytes a size is; `NaN` if it is none. */
export function sizeOf(text: string): number {
  const [, digits, unit = ''] = /^\s*\+?(0x[0-9a-f]+|\d+)([kmg]?)$/i.exec(text) ?? []
  if (!digits) return Number.NaN
  // A zero in front means octal, in which there is no 8.
  const octal = /^0\d/.test(digits)
  if (octal && /[89]/.test(digits)) return Number.NaN
  const bytes = (octal ? Number(`0o${digits}`) : Number(digits)) * (UNITS[unit.toLowerCase()] ?? 1)
  return bytes < 2 ** 64 ? bytes : Number.NaN
}
