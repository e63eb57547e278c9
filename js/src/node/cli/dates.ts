/** Dates as git shows them: git-log(1), `--date`. */
import { fatal } from './exit.js'

const DAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** A point in time, and the zone it was noted in: `+0130` is 130. */
export interface Stamp {
  readonly seconds: number
  readonly zone: number
}

type Show = (date: Date, stamp: Stamp) => string

const two = (number: number) => `${number}`.padStart(2, '0')
const sign = (zone: number) => (zone < 0 ? '-' : '+')
const zoneOf = ({ zone }: Stamp) => `${sign(zone)}${`${Math.abs(zone)}`.padStart(4, '0')}`
const day = (date: Date) =>
  `${`${date.getUTCFullYear()}`.padStart(4, '0')}-${two(date.getUTCMonth() + 1)}-${two(date.getUTCDate())}`
const time = (date: Date) =>
  `${two(date.getUTCHours())}:${two(date.getUTCMinutes())}:${two(date.getUTCSeconds())}`
const weekday = (date: Date) => DAYS[date.getUTCDay()]
const month = (date: Date) => MONTHS[date.getUTCMonth()]

const normal: Show = (date, stamp) =>
  `${weekday(date)} ${month(date)} ${date.getUTCDate()} ${time(date)} ${date.getUTCFullYear()} ${zoneOf(stamp)}`
const iso: Show = (date, stamp) => `${day(date)} ${time(date)} ${zoneOf(stamp)}`
const strict: Show = (date, stamp) =>
  `${day(date)}T${time(date)}${zoneOf(stamp).replace(/(..)$/, ':$1')}`
const rfc: Show = (date, stamp) =>
  `${weekday(date)}, ${date.getUTCDate()} ${month(date)} ${date.getUTCFullYear()} ${time(date)} ${zoneOf(stamp)}`

/** How long ago it was, as git rounds it. */
const relative: Show = (_, { seconds }) => {
  // As for git's own tests.
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

const STYLES: Readonly<Record<string, Show>> = {
  '': normal,
  default: normal,
  iso,
  iso8601: iso,
  'iso-strict': strict,
  'iso8601-strict': strict,
  rfc,
  rfc2822: rfc,
  short: day,
  relative,
  raw: (_, stamp) => `${stamp.seconds} ${zoneOf(stamp)}`,
  unix: (_, { seconds }) => `${seconds}`,
}

const UNSUPPORTED = /^(human|local|format:|auto:|.*-local$)/s

/** Returns how dates are shown in a style. @throws Exit if there is no such */
export function dateShower(style: string, command: string): (stamp: Stamp) => string {
  const show = Object.hasOwn(STYLES, style) ? STYLES[style] : undefined
  if (!show) {
    if (UNSUPPORTED.test(style)) throw fatal(`packlens ${command} cannot do dates as '${style}'`)
    throw fatal(`unknown date format ${style}`)
  }
  return (stamp) => {
    const hours = Math.trunc(stamp.zone / 100)
    const minutes = hours * 60 + (stamp.zone % 100)
    const date = new Date((stamp.seconds + minutes * 60) * 1000)
    // What no calendar reaches is shown as the beginning of time.
    if (Number.isNaN(date.getTime())) return show(new Date(0), { seconds: 0, zone: 0 })
    return show(date, stamp)
  }
}

/** Reads the date behind a name and an address; `null` if there is none. */
export function stampIn(person: string): Stamp | null {
  const at = person.indexOf('> ')
  const [, digits, zone] =
    /^\s*(\d+)(?:\s*([+-]?\d+))?/.exec(at < 0 ? '' : person.slice(at + 2)) ?? []
  return digits === undefined ? null : { seconds: Number(digits), zone: Number(zone ?? 0) }
}
