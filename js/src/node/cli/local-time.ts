/** Converts between seconds since 1970 and the local time. */
import type { DateFields } from './date-fields.js'

const HOUR = 3600

/** Returns how many seconds a zone is east of UTC at a time. */
const offsetAt = (date: Date) => -date.getTimezoneOffset() * 60

/** Returns whether the local zone has summer time at a time: it is then ahead of winter's. */
function isSummerAt(date: Date): boolean {
  const year = date.getFullYear()
  const offsets = [new Date(year, 0, 1), new Date(year, 6, 1)].map(offsetAt)
  return offsetAt(date) > Math.min(...offsets)
}

export function localTime(seconds: number): Required<DateFields> & { weekday: number } {
  const date = new Date(seconds * 1000)
  return {
    year: date.getFullYear(),
    month: date.getMonth(),
    day: date.getDate(),
    hour: date.getHours(),
    minute: date.getMinutes(),
    second: date.getSeconds(),
    weekday: date.getDay(),
    isSummer: isSummerAt(date),
  }
}

/** Returns the seconds since 1970 of a local time; its parts may be out of range. */
export function secondsOfLocal(fields: DateFields): number {
  const { year, month, day, hour, minute, second, isSummer } = fields
  const date = new Date(year, month, day, hour, minute, second)
  // Beyond the dates of JavaScript there is no answer.
  const seconds = Math.floor(date.getTime() / 1000) || 0
  if (isSummer === undefined || isSummer === isSummerAt(date)) return seconds
  const shift = differenceOfSummer(date)
  return isSummer ? seconds - shift : seconds + shift
}

/** Returns how many seconds clocks are changed in the year of a date. */
function differenceOfSummer(date: Date): number {
  const year = date.getFullYear()
  const [a, b] = [offsetAt(new Date(year, 0, 1)), offsetAt(new Date(year, 6, 1))]
  // Years without summer time take that of others.
  return Math.abs(a - b) || HOUR
}
