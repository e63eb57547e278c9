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
  raw: (_, stamp) => `${stamp.seconds} ${zoneOf(stamp)}`,
  unix: (_, { seconds }) => `${seconds}`,
}

const UNSUPPORTED = /^(relative|human|local|format:|auto:|.*-local$)/s

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
