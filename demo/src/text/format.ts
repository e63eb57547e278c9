/** Formats numbers, sizes, dates and ids for people. */
import type { Signature } from 'packlens'

const numbers = new Intl.NumberFormat('en')
const UNITS = ['KiB', 'MiB', 'GiB', 'TiB'] as const

export function formatNumber(value: number): string {
  return numbers.format(value)
}

/** Returns `1 object`, `2 objects`. */
export function count(value: number, noun: string, plural = `${noun}s`): string {
  return `${formatNumber(value)} ${value === 1 ? noun : plural}`
}

export function formatSize(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`
  let value = bytes / 1024
  let unit = 0
  while (value >= 1023.95 && unit < UNITS.length - 1) {
    value /= 1024
    unit++
  }
  return `${value < 100 ? value.toFixed(1) : Math.round(value)} ${UNITS[unit]}`
}

/** Formats a size, with the exact number if the short form hides it. */
export function formatWholeSize(bytes: number): string {
  if (bytes < 1024) return count(bytes, 'byte')
  return `${formatSize(bytes)} (${formatNumber(bytes)} bytes)`
}

export function formatMilliseconds(value: number): string {
  if (value >= 10_000) return `${(value / 1000).toFixed(1)} s`
  return `${value < 10 ? value.toFixed(1) : formatNumber(Math.round(value))} ms`
}

export function shortId(oid: string): string {
  return oid.slice(0, 8)
}

/** Formats a time as the author's clock showed it, with its zone. */
export function formatDate({ seconds, offset }: Signature): string {
  if (seconds === null) return 'no date'
  const local = new Date((seconds + offset * 60) * 1000)
  if (Number.isNaN(local.getTime())) return `${seconds} seconds after 1970`
  const [day, time] = local.toISOString().split('T')
  return `${day} ${time?.slice(0, 5)} ${formatZone(offset)}`
}

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })
const PERIODS: readonly (readonly [unit: Intl.RelativeTimeFormatUnit, seconds: number])[] = [
  ['year', 31_556_952],
  ['month', 2_629_746],
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
]

/** Formats a time as its distance from `now`, such as `3 weeks ago`. */
export function formatDistance({ seconds }: Signature, now = Date.now() / 1000): string {
  if (seconds === null) return 'no date'
  const distance = seconds - now
  for (const [unit, length] of PERIODS) {
    if (Math.abs(distance) >= length) return relative.format(Math.trunc(distance / length), unit)
  }
  return 'just now'
}

/** Formats a time for the `datetime` attribute; `undefined` for an impossible date. */
export function machineDate({ seconds }: Signature): string | undefined {
  const date = new Date((seconds ?? Number.NaN) * 1000)
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString()
}

function formatZone(minutes: number): string {
  const distance = Math.abs(minutes)
  const hours = Math.floor(distance / 60)
  const digits = `${hours}`.padStart(2, '0') + `${distance % 60}`.padStart(2, '0')
  return (minutes < 0 ? '-' : '+') + digits
}
