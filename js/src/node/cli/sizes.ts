/** Sizes as git writes them: digits, and `k`, `m` or `g` behind them. */

const UNITS: Readonly<Record<string, number>> = { '': 1, k: 2 ** 10, m: 2 ** 20, g: 2 ** 30 }

/** Returns how many bytes a size is; `NaN` if it is none. */
export function sizeOf(text: string): number {
  const [, digits, unit = ''] = /^(\d+)([kmg]?)$/i.exec(text) ?? []
  return digits ? Number(digits) * (UNITS[unit.toLowerCase()] ?? 1) : Number.NaN
}
