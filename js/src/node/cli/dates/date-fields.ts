/** The parts of a date while it is parsed, and the rules by which numbers become parts. */

/** A part that is not known. */
export const UNKNOWN = -1

/** The parts of a date; months are counted from 0. */
export interface DateFields {
  year: number
  month: number
  day: number
  hour: number
  minute: number
  second: number
  /** Whether a summer time is meant; otherwise the date decides. */
  isSummer?: boolean | undefined
}

const DAY = 86_400

/** A date is not taken for one that is later than this from now. */
const FUTURE = 10 * DAY

export const MONTHS = [
  ...['january', 'february', 'march', 'april', 'may', 'june'],
  ...['july', 'august', 'september', 'october', 'november', 'december'],
]

export const WEEKDAYS = [
  ...['sundays', 'mondays', 'tuesdays', 'wednesdays', 'thursdays', 'fridays', 'saturdays'],
]

export const isDigit = (character: string | undefined): boolean => /^\d$/.test(character ?? '')
export const isLetter = (character: string | undefined): boolean => /^[a-z]$/i.test(character ?? '')

/**
 * Returns how many characters of `text` from `at` on are those of a word, in any case; 0 if
 * they continue otherwise with a letter or a digit.
 */
export function sharedLength(text: string, at: number, word: string): number {
  let length = 0
  for (; at + length < text.length; length++) {
    const character = text.charAt(at + length)
    if (character.toLowerCase() === word.charAt(length)) continue
    return /[a-z0-9]/i.test(character) ? 0 : length
  }
  return length
}

/** Returns the position after the digits at `at`, and their number. */
export function numberAt(text: string, at: number): { value: number; end: number } {
  const [digits = ''] = /^\d*/.exec(text.slice(at)) ?? []
  return { value: Number(digits), end: at + digits.length }
}

/** Sets a time of day; returns whether there is such a time. */
export function setTime(fields: DateFields, hour: number, minute: number, second: number): boolean {
  if (hour > 24 || minute > 59 || second > 60) return false
  Object.assign(fields, { hour, minute, second })
  return true
}

/** Returns the seconds since 1970 of a date in UTC; `null` if a part is unknown or out of range. */
export function utcSeconds(fields: DateFields): number | null {
  const { year, month, day, hour, minute, second } = fields
  if (year < 1970 || year > 2099 || month < 0 || month > 11) return null
  if (hour < 0 || minute < 0 || second < 0) return null
  return Date.UTC(year, month, day, hour, minute, second) / 1000
}

/**
 * Sets a day. With `now` its year may be unknown, and it must not be in the future.
 * Returns whether there is such a day; without `now` the month and day are set even if the
 * year is none.
 */
export function setDay(
  fields: DateFields,
  [year, month, day]: readonly [number, number, number],
  now?: number,
): boolean {
  if (month < 1 || month > 12 || day < 1 || day > 31) return false
  const checked = now === undefined ? fields : { ...fields }
  checked.month = month - 1
  checked.day = day
  const whole = wholeYear(year)
  if (year === UNKNOWN) {
    if (now === undefined) return false
    checked.year = new Date(now * 1000).getUTCFullYear()
  } else if (whole === null) return false
  else checked.year = whole
  if (now === undefined) return true
  const seconds = utcSeconds(checked)
  if (seconds !== null && seconds > now + FUTURE) return false
  fields.month = checked.month
  fields.day = checked.day
  if (year !== UNKNOWN) fields.year = checked.year
  return true
}

/** Returns a year that may be written with two digits; `null` if it is none. */
function wholeYear(year: number): number | null {
  if (year >= 1970 && year < 2100) return year
  if (year > 70 && year < 100) return 1900 + year
  return year < 38 ? 2000 + year : null
}

/**
 * Takes numbers that one character separates, as in `12:30`, `2005-04-07` and `7.4.2005`.
 * Returns the position after them; `null` if they are no date and no time.
 */
export function takeSeparated(
  text: string,
  first: { value: number; end: number },
  fields: DateFields,
  now: number,
): number | null {
  const separator = text.charAt(first.end)
  const second = numberAt(text, first.end + 1)
  const hasThird = text.charAt(second.end) === separator && isDigit(text[second.end + 1])
  const third = hasThird ? numberAt(text, second.end + 1) : { value: UNKNOWN, end: second.end }
  const [a, b, c] = [first.value, second.value, third.value]
  if (separator === ':') {
    if (!setTime(fields, a, b, Math.max(c, 0))) return null
    const { year, month, day } = fields
    const isKnown = year !== UNKNOWN && month !== UNKNOWN && day !== UNKNOWN
    const hasFraction = text.charAt(third.end) === '.' && isDigit(text[third.end + 1])
    // Before a day is known, `12:30:10.5.days.ago` has days after the dot.
    return hasFraction && isKnown ? numberAt(text, third.end + 1).end : third.end
  }
  const isFound =
    (a > 70 && (setDay(fields, [a, b, c]) || setDay(fields, [a, c, b]))) ||
    (separator !== '.' && setDay(fields, [c, a, b], now)) ||
    setDay(fields, [c, b, a], now) ||
    (separator === '.' && setDay(fields, [c, a, b], now))
  return isFound ? third.end : null
}
