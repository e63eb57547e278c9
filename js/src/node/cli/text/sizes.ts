/** Sizes in bytes, as git parses and prints them. */

const UNITS: Readonly<Record<string, number>> = { '': 1, k: 2 ** 10, m: 2 ** 20, g: 2 ** 30 }

/** Parses a number in C's notation, with `k`, `m` or `g` after it; `NaN` if the text is no size. */
export function sizeOf(text: string): number {
  const [, digits, unit = ''] = /^\s*\+?(0x[0-9a-f]+|\d+)([kmg]?)$/i.exec(text) ?? []
  if (!digits) return Number.NaN
  // A leading zero means octal, which has no digits 8 and 9.
  const octal = /^0\d/.test(digits)
  if (octal && /[89]/.test(digits)) return Number.NaN
  const bytes = (octal ? Number(`0o${digits}`) : Number(digits)) * (UNITS[unit.toLowerCase()] ?? 1)
  return bytes < 2 ** 64 ? bytes : Number.NaN
}

/** Returns a size as git prints it for people. */
export function humanBytes(bytes: number): string {
  const scaled = (unit: number, rounding: number, name: string) => {
    const more = bytes + rounding
    const whole = Math.floor(more / unit)
    const rest = Math.floor(((more % unit) * 100) / unit)
    return `${whole}.${String(rest).padStart(2, '0')} ${name}`
  }
  if (bytes > 2 ** 30) {
    const rest = Math.floor((bytes % 2 ** 30) / 10737419)
    return `${Math.floor(bytes / 2 ** 30)}.${String(rest).padStart(2, '0')} GiB`
  }
  if (bytes > 2 ** 20) return scaled(2 ** 20, 5243, 'MiB')
  if (bytes > 2 ** 10) return scaled(2 ** 10, 5, 'KiB')
  return `${bytes} ${bytes === 1 ? 'byte' : 'bytes'}`
}
