/** Parses values of git's configuration: <https://git-scm.com/docs/git-config#_values>. */

const UNITS = ['', 'k', 'm', 'g']

const LARGEST = 2 ** 31 - 1

/** Returns what a value means as a boolean; `null` for one that git refuses. */
export function configBoolean(value: string): boolean | null {
  if (/^(true|yes|on)$/i.test(value)) return true
  if (/^(false|no|off|)$/i.test(value)) return false
  const number = configInteger(value)
  return number === null ? null : number !== 0
}

/** Returns what a value means as a number up to `largest`; `null` for one that git refuses. */
export function configInteger(value: string, largest = LARGEST): number | null {
  // As C parses numbers: octal ones begin with 0, and only spaces of C may precede.
  const number = /^[ \t-\r]*([-+]?)(0x[\da-f]+|0[0-7]*|[1-9]\d*)([kmg]?)$/i.exec(value)
  if (!number) return null
  const [, sign, digits = '', unit = ''] = number
  const size = Number(/^0[0-7]/.test(digits) ? `0o${digits}` : digits)
  const absolute = size * 1024 ** UNITS.indexOf(unit.toLowerCase())
  if (absolute > largest) return null
  return sign === '-' && absolute > 0 ? -absolute : absolute
}
