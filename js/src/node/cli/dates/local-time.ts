/** Converts between seconds since 1970 and the local time. */
import type { DateFields } from './date-fields.js'

const HOUR = 3600

/** Returns how many seconds a zone is east of UTC at a time. */
const offsetAt = (date: Date) => -date.getTimezoneOffset() * 60

/** Returns whether an offset is that of summer time in the year of a date: ahead of winter's. */
function isSummerOffset(offset: number, date: Date): boolean {
  const year = date.getFullYear()
  const offsets = [new Date(year, 0, 1), new Date(year, 6, 1)].map(offsetAt)
  return offset > Math.min(...offsets)
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
    isSummer: isSummerOffset(offsetAt(date), date),
  }
}

/** Returns the seconds since 1970 of a local time; its parts may be out of range. */
export function secondsOfLocal(fields: DateFields): number {
  const { year, month, day, hour, minute, second, isSummer } = fields
  const date = new Date(year, month, day, hour, minute, second)
  // Beyond the dates of JavaScript there is no answer.
  const seconds = Math.floor(date.getTime() / 1000) || 0
  // The hour that clocks skip in spring is told by the offset before, and is in summer by itself.
  const offset = Date.UTC(year, month, day, hour, minute, second) / 1000 - seconds
  if (isSummer === undefined || isSummer === isSummerOffset(offset, date)) return seconds
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
