/** Shows dates as git does: git-log(1), `--date`. */
import { fatal } from './exit.js'

const DAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** A point in time, and the time zone of its author: 130 is `+0130`. */
export interface Stamp {
  readonly seconds: bigint
  readonly zone: number
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

const normal: Show = (of) =>
  `${weekday(of)} ${month(of)} ${of.date.getUTCDate()} ${time(of)} ${of.year} ${zoneOf(of)}`
const iso: Show = (of) => `${day(of)} ${time(of)} ${zoneOf(of)}`
const strict: Show = (of) => {
  const zone = of.zone === 0 ? 'Z' : zoneOf(of).replace(/(..)$/, ':$1')
  return `${day(of)}T${time(of)}${zone}`
}
const rfc: Show = (of) =>
  `${weekday(of)}, ${of.date.getUTCDate()} ${month(of)} ${of.year} ${time(of)} ${zoneOf(of)}`

/** Returns how long ago a time was, rounded as git does. */
const relative = ({ seconds: then }: Stamp) => {
  const seconds = Number(then)
  // The variable sets the current time in git's own tests.
  const now = Number(process.env.GIT_TEST_DATE_NOW ?? Math.floor(Date.now() / 1000))
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
  raw: (stamp) => `${stamp.seconds} ${zoneOf(stamp)}`,
  unix: ({ seconds }) => `${seconds}`,
}

const UNSUPPORTED = /^(human|local|format:|auto:|.*-local$)/s

/** Returns the function that shows dates in a style. @throws Exit if the style is unknown */
export function dateShower(style: string, command: string): (stamp: Stamp) => string {
  const other = Object.hasOwn(OTHERS, style) ? OTHERS[style] : undefined
  if (other) return other
  const show = Object.hasOwn(CALENDAR, style) ? CALENDAR[style] : undefined
  if (show) return (stamp) => show(calendarDate(stamp))
  if (UNSUPPORTED.test(style))
    throw fatal(`packlens ${command} does not support dates as '${style}'`)
  throw fatal(`unknown date format ${style}`)
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
  return { date, year: Number(BigInt.asIntN(32, year)), zone: stamp.zone }
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
