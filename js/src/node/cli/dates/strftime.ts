/** Shows dates by a format of the C library, in its own language: `--date=format:%Y-%m`. */

const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']
const MONTHS = [
  ...['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September'],
  ...['October', 'November', 'December'],
]

/** A date in the calendar of its zone. */
export interface FormattedDate {
  /** The local time, as if it were UTC. */
  readonly date: Date
  readonly year: number
  readonly seconds: bigint
  /** The offset such as `+0100`. */
  readonly offset: string
  /** The name of the zone; empty if only the offset is known. */
  readonly zone: string
}

/** Formats that stand for others. */
const LONG: Readonly<Record<string, string>> = {
  c: '%a %b %e %H:%M:%S %Y',
  D: '%m/%d/%y',
  F: '%Y-%m-%d',
  h: '%b',
  r: '%I:%M:%S %p',
  R: '%H:%M',
  T: '%H:%M:%S',
  x: '%m/%d/%y',
  X: '%H:%M:%S',
}

const padded = (number: number, size: number, by = '0') => `${number}`.padStart(size, by)
const DAY = 86_400_000

type Show = (of: FormattedDate) => string

const dayOfYear = ({ date }: FormattedDate) =>
  Math.floor((date.getTime() - Date.UTC(date.getUTCFullYear(), 0, 1)) / DAY)
const hour12 = ({ date }: FormattedDate) => date.getUTCHours() % 12 || 12
/** Returns the number of the week that begins on Sunday (0) or Monday (1). */
const week = (of: FormattedDate, first: number) =>
  Math.floor((dayOfYear(of) + 7 - ((of.date.getUTCDay() + 7 - first) % 7)) / 7)

const SHOW: Readonly<Record<string, Show>> = {
  a: ({ date }) => DAYS[date.getUTCDay()]?.slice(0, 3) ?? '',
  A: ({ date }) => DAYS[date.getUTCDay()] ?? '',
  b: ({ date }) => MONTHS[date.getUTCMonth()]?.slice(0, 3) ?? '',
  B: ({ date }) => MONTHS[date.getUTCMonth()] ?? '',
  C: ({ year }) => padded(Math.floor(year / 100), 2),
  d: ({ date }) => padded(date.getUTCDate(), 2),
  e: ({ date }) => padded(date.getUTCDate(), 2, ' '),
  g: (of) => padded(weekYear(of)[0] % 100, 2),
  G: (of) => `${weekYear(of)[0]}`,
  H: ({ date }) => padded(date.getUTCHours(), 2),
  I: (of) => padded(hour12(of), 2),
  j: (of) => padded(dayOfYear(of) + 1, 3),
  k: ({ date }) => padded(date.getUTCHours(), 2, ' '),
  l: (of) => padded(hour12(of), 2, ' '),
  m: ({ date }) => padded(date.getUTCMonth() + 1, 2),
  M: ({ date }) => padded(date.getUTCMinutes(), 2),
  n: () => '\n',
  p: ({ date }) => (date.getUTCHours() < 12 ? 'AM' : 'PM'),
  P: ({ date }) => (date.getUTCHours() < 12 ? 'am' : 'pm'),
  s: ({ seconds }) => `${seconds}`,
  S: ({ date }) => padded(date.getUTCSeconds(), 2),
  t: () => '\t',
  u: ({ date }) => `${date.getUTCDay() || 7}`,
  U: (of) => padded(week(of, 0), 2),
  V: (of) => padded(weekYear(of)[1], 2),
  w: ({ date }) => `${date.getUTCDay()}`,
  W: (of) => padded(week(of, 1), 2),
  y: ({ year }) => padded(year % 100, 2),
  Y: ({ year }) => `${year}`,
  z: ({ offset }) => offset,
  Z: ({ zone }) => zone,
  '%': () => '%',
}

export function strftime(format: string, of: FormattedDate): string {
  return format.replace(/%([\s\S])/g, (all, letter: string) => {
    const long = Object.hasOwn(LONG, letter) ? LONG[letter] : undefined
    if (long !== undefined) return strftime(long, of)
    const show = Object.hasOwn(SHOW, letter) ? SHOW[letter] : undefined
    return show ? show(of) : all
  })
}

/** Returns the year and the number of the week by ISO 8601: the week belongs to its Thursday. */
function weekYear({ date }: FormattedDate): [year: number, week: number] {
  const thursday = new Date(date.getTime() + (4 - (date.getUTCDay() || 7)) * DAY)
  const year = thursday.getUTCFullYear()
  return [year, Math.floor((thursday.getTime() - Date.UTC(year, 0, 1)) / DAY / 7) + 1]
}
