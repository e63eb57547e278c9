/** Shows dates as git does: git-log(1), `--date`. */
import { fatal } from '../base/exit.js'
import { strftime } from './strftime.js'

const DAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** A point in time, and the time zone of its author: 130 is `+0130`. */
export interface Stamp {
  readonly seconds: bigint
  readonly zone: number
  /** The time zone that is shown, if not `zone`. */
  readonly shownZone?: number
}

/** A point in time in the calendar of its time zone. */
interface CalendarDate {
  readonly date: Date
  /** The real year. `date` is within 400 years of 1970, after which calendars repeat. */
  readonly year: number
  readonly zone: number
}

type Show = (date: CalendarDate) => string

const two = (number: number) => `${number}`.padStart(2, '0')
const sign = (zone: number) => (zone < 0 ? '-' : '+')
const zoneOf = ({ zone }: { zone: number }) =>
  `${sign(zone)}${`${Math.abs(zone)}`.padStart(4, '0')}`
const day = ({ date, year }: CalendarDate) =>
  `${`${year}`.padStart(4, '0')}-${two(date.getUTCMonth() + 1)}-${two(date.getUTCDate())}`
const time = ({ date }: CalendarDate) =>
  `${two(date.getUTCHours())}:${two(date.getUTCMinutes())}:${two(date.getUTCSeconds())}`
const weekday = ({ date }: CalendarDate) => DAYS[date.getUTCDay()]
const month = ({ date }: CalendarDate) => MONTHS[date.getUTCMonth()]

const local: Show = (of) =>
  `${weekday(of)} ${month(of)} ${of.date.getUTCDate()} ${time(of)} ${of.year}`
const normal: Show = (of) => `${local(of)} ${zoneOf(of)}`
const iso: Show = (of) => `${day(of)} ${time(of)} ${zoneOf(of)}`
const strict: Show = (of) => {
  const zone = of.zone === 0 ? 'Z' : zoneOf(of).replace(/(..)$/, ':$1')
  return `${day(of)}T${time(of)}${zone}`
}
const rfc: Show = (of) =>
  `${weekday(of)}, ${of.date.getUTCDate()} ${month(of)} ${of.year} ${time(of)} ${zoneOf(of)}`

/** Returns the current time; the variable sets it in git's own tests. */
export const nowInSeconds = () =>
  Number(process.env.GIT_TEST_DATE_NOW ?? Math.floor(Date.now() / 1000))

/** Returns how long ago a time was, rounded as git does. */
const relative = ({ seconds: then }: Stamp) => {
  const seconds = Number(then)
  const now = nowInSeconds()
  const ago = (count: number, unit: string) => `${count} ${unit}${count === 1 ? '' : 's'} ago`
  if (now < seconds) return 'in the future'
  let left = now - seconds
  if (left < 90) return ago(left, 'second')
  left = Math.floor((left + 30) / 60)
  if (left < 90) return ago(left, 'minute')
  left = Math.floor((left + 30) / 60)
  if (left < 36) return ago(left, 'hour')
  left = Math.floor((left + 12) / 24)
  if (left < 14) return ago(left, 'day')
  if (left < 70) return ago(Math.floor((left + 3) / 7), 'week')
  if (left < 365) return ago(Math.floor((left + 15) / 30), 'month')
  if (left >= 1825) return ago(Math.floor((left + 183) / 365), 'year')
  const all = Math.floor((left * 24 + 365) / 730)
  const [years, months] = [Math.floor(all / 12), all % 12]
  if (months === 0) return ago(years, 'year')
  return `${years} year${years === 1 ? '' : 's'}, ${ago(months, 'month')}`
}

/** The styles that show a calendar date. */
const CALENDAR: Readonly<Record<string, Show>> = {
  '': normal,
  default: normal,
  iso,
  iso8601: iso,
  'iso-strict': strict,
  'iso8601-strict': strict,
  rfc,
  rfc2822: rfc,
  short: day,
}

const OTHERS: Readonly<Record<string, (stamp: Stamp) => string>> = {
  relative,
  raw: ({ seconds, zone, shownZone }) => `${seconds} ${zoneOf({ zone: shownZone ?? zone })}`,
  unix: ({ seconds }) => `${seconds}`,
  human: (stamp) => human(calendarDate(stamp), stamp),
}

/** Returns the function that shows dates in a style. @throws Exit if the style is unknown */
export function dateShower(style: string, isTerminal = false): (stamp: Stamp) => string {
  const [, auto] = /^auto:(.*)$/s.exec(style) ?? []
  if (auto !== undefined) return dateShower(isTerminal ? auto : 'default')
  const [, mode, format] = /^(format|format-local):(.*)$/s.exec(style) ?? []
  if (format !== undefined) {
    const isLocal = mode !== 'format'
    return (stamp) => formatted(format, isLocal ? inLocalZone(stamp) : stamp, isLocal)
  }
  if (style === 'local') return dateShower('default-local')
  const [, plain] = /^(.*)-local$/s.exec(style) ?? []
  if (plain === 'default') return (stamp) => local(calendarDate(inLocalZone(stamp)))
  if (plain !== undefined && plain !== '' && !plain.endsWith('-local')) {
    const show = dateShower(plain)
    return (stamp) => show(inLocalZone(stamp))
  }
  const other = Object.hasOwn(OTHERS, style) ? OTHERS[style] : undefined
  if (other) return other
  const show = Object.hasOwn(CALENDAR, style) ? CALENDAR[style] : undefined
  if (show) return (stamp) => show(calendarDate(stamp))
  throw fatal(`unknown date format ${style}`)
}

/** The year 2100. */
const END_OF_OFFSETS = 4_102_444_800n

/** Returns a time with the offset that this machine's zone had then. */
function inLocalZone({ seconds }: Stamp): Stamp {
  const minutes = -new Date(Number(seconds) * 1000).getTimezoneOffset() || 0
  const size = Math.abs(minutes)
  const digits = Math.trunc(size / 60) * 100 + (size % 60)
  const zone = minutes < 0 ? -digits : digits
  const local = seconds + BigInt(minutes * 60)
  // git does not know the offset at these times.
  return local < 0n || local >= END_OF_OFFSETS ? { seconds, zone, shownZone: 0 } : { seconds, zone }
}

function formatted(format: string, stamp: Stamp, isLocal: boolean): string {
  const { date, year, zone } = calendarDate(stamp)
  const offset = zoneOf({ zone })
  const minutes = Math.trunc(zone / 100) * 60 + (zone % 100)
  const isKnown = year >= 1970 && year < 2100
  const seconds = isKnown ? stamp.seconds : BigInt.asUintN(64, -1n - BigInt(minutes * 60))
  return strftime(format, {
    ...{ date, year, seconds, offset },
    zone: isLocal ? zoneName(stamp) : '',
  })
}

/** The regions whose names of time zones are looked up. */
const REGIONS = ['en-US', 'en-GB', 'en-AU', 'en-IN']

/** Returns the name of this machine's zone at a time; an offset if it has none in English. */
function zoneName({ seconds }: Stamp): string {
  const names = REGIONS.map((region) => {
    const options = { timeZoneName: 'short' } as const
    const shown = new Date(Number(seconds) * 1000).toLocaleTimeString(region, options)
    return shown.slice(shown.lastIndexOf(' ') + 1)
  })
  return names.find((name) => !/[+-]/.test(name)) ?? names[0] ?? ''
}

/** Leaves out what the reader knows: the year, the date or the time zone, if they are as now. */
function human(of: CalendarDate, stamp: Stamp): string {
  const seconds = BigInt(nowInSeconds())
  const here = inLocalZone({ seconds, zone: 0 })
  const now = calendarDate(here)
  const { date } = of
  const isThisYear = of.year === now.year
  const isThisMonth = isThisYear && date.getUTCMonth() === now.date.getUTCMonth()
  const days = now.date.getUTCDate() - date.getUTCDate()
  if (isThisMonth && days === 0) return relative(stamp)
  const isRecent = isThisMonth && days > 0 && days < 5
  const hasZone = stamp.zone !== here.zone && isRecent
  const parts = [
    isThisYear ? weekday(of) : '',
    isRecent ? '' : `${month(of)} ${date.getUTCDate()}`,
    isThisYear ? time(of).slice(0, 5) : `${of.year}`,
    hasZone ? zoneOf(of) : '',
  ]
  return parts.filter((part) => part !== '').join(' ')
}

const MOST = 2n ** 64n - 1n
const MOST_SIGNED = 2n ** 63n - 1n
/** The seconds of 400 years, after which dates fall on the same days of the week. */
const CYCLE = 146_097n * 86_400n
/** The last year that the C library can hold: it counts years since 1900 in 32 bits. */
const LAST_YEAR = 2n ** 31n + 1899n

/** Returns the date in the stamp's own zone. @throws Exit if git would not show it */
function calendarDate(stamp: Stamp): CalendarDate {
  const seconds = localSeconds(stamp)
  const date = new Date(Number(seconds % CYCLE) * 1000)
  const year = BigInt(date.getUTCFullYear()) + (seconds / CYCLE) * 400n
  // git shows a date after the last year as the epoch.
  if (year > LAST_YEAR) return { date: new Date(0), year: 1970, zone: 0 }
  const zone = stamp.shownZone ?? stamp.zone
  return { date, year: Number(BigInt.asIntN(32, year)), zone }
}

/** Returns the local seconds of a time zone, whose offset has 32 bits, as in git. */
function localSeconds({ seconds, zone }: Stamp): bigint {
  const minutes = Math.trunc(zone / 100) * 60 + (zone % 100)
  const offset = BigInt(Math.imul(minutes, 60))
  if (minutes > 0 && seconds + BigInt.asUintN(64, offset) > MOST) {
    throw fatal(`Timestamp+tz too large: ${seconds} ${zoneOf({ zone })}`)
  }
  if (minutes < 0 && seconds < -offset) {
    const padded = `-${`${-zone}`.padStart(3, '0')}`
    throw fatal(`Timestamp before Unix epoch: ${seconds} ${padded}`)
  }
  const local = seconds + offset
  if (local > MOST_SIGNED) throw fatal(`Timestamp too large for this system: ${local}`)
  return local
}

const NUMBER = /^[ \t\n\v\f\r]*([+-]?)([0-9]+)/

/**
 * Parses seconds and a time zone as C parses numbers: text that is no number is 0. Returns
 * `null` if one of them is too large.
 */
export function readStamp(text: string): Stamp | null {
  const [all = '', sign, digits] = NUMBER.exec(text) ?? []
  const number = BigInt(digits ?? 0)
  const seconds = sign === '-' ? BigInt.asUintN(64, -number) : number
  const [, zoneSign = '', zoneDigits = '0'] = NUMBER.exec(text.slice(all.length)) ?? []
  if (number > MOST || seconds === MOST || BigInt(zoneDigits) >= MOST_SIGNED) return null
  return { seconds, zone: parseZone(zoneSign + zoneDigits) }
}

/** Parses a time zone as C parses a number, into 32 bits. */
export function parseZone(text: string): number {
  const [, sign, digits = '0'] = NUMBER.exec(text) ?? []
  const most = sign === '-' ? MOST_SIGNED + 1n : MOST_SIGNED
  const number = BigInt(digits) < most ? BigInt(digits) : most
  return Number(BigInt.asIntN(32, sign === '-' ? -number : number))
}
