/** Formats numbers, sizes, dates and ids for people. */
import type { Signature } from 'packlens'
import { first } from '../words/first'
import { currentFormats, formatNumber } from '../words/language'

export function formatSize(bytes: number): string {
  const { units } = first
  const { exact, whole } = currentFormats()
  let value = bytes
  let unit = 0
  while (value >= 1023.95 && unit < units.length - 1) {
    value /= 1024
    unit++
  }
  return `${(unit > 0 && value < 100 ? exact : whole).format(value)} ${units[unit]}`
}

/** Formats a size, with the exact number if the short form hides it. */
export function formatWholeSize(bytes: number): string {
  if (bytes < 1024) return first.bytes(bytes)
  return `${formatSize(bytes)} (${first.bytes(bytes)})`
}

export function formatMilliseconds(value: number): string {
  const { exact } = currentFormats()
  if (value >= 10_000) return first.seconds(exact.format(value / 1000))
  return first.milliseconds(value < 10 ? exact.format(value) : formatNumber(Math.round(value)))
}

export function shortId(oid: string): string {
  return oid.slice(0, 8)
}

/** Formats a time as the author's clock showed it, with its zone. */
export function formatDate({ seconds, offset }: Signature): string {
  if (seconds === null) return first.noDate
  const local = new Date((seconds + offset * 60) * 1000)
  if (Number.isNaN(local.getTime())) return first.after1970(seconds)
  const [day, time] = local.toISOString().split('T')
  return `${day} ${time?.slice(0, 5)} ${formatZone(offset)}`
}

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
  if (seconds === null) return first.noDate
  const distance = seconds - now
  for (const [unit, length] of PERIODS) {
    if (Math.abs(distance) >= length) {
      return currentFormats().times.format(Math.trunc(distance / length), unit)
    }
  }
  return first.justNow
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
