/** Parses dates as git's options take them: exact ones, and words such as `2 weeks ago`. */
import {
  type DateFields,
  isDigit,
  isLetter,
  MONTHS,
  numberAt,
  sharedLength,
  takeSeparated,
  UNKNOWN,
  WEEKDAYS,
} from './date-fields.js'
import { nowInSeconds } from './dates.js'
import { exactSeconds } from './exact-date.js'
import { localTime, secondsOfLocal } from './local-time.js'

const DAY = 86_400

/** The lengths of units that have one; months and years have none. */
const UNITS: Readonly<Record<string, number>> = {
  seconds: 1,
  minutes: 60,
  hours: 3600,
  days: DAY,
  weeks: 7 * DAY,
}

const HOURS = { midnight: 0, noon: 12, tea: 17 }

/** What is added to the hours of each half of the day. */
const HALVES = { pm: 12, am: 0 }

/** Years before are not known. */
const FIRST_YEAR = 1900

const NUMBERS = [
  ...['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'],
]

/** Returns the seconds since 1970 of a date; of a text that is none, the current time, as git. */
export function secondsOfDate(text: string): number {
  return knownSeconds(text) ?? nowInSeconds()
}

/** Returns the seconds since 1970 of a date; `null` if the text says nothing about one. */
export function knownSeconds(text: string): number | null {
  return exactSeconds(text) ?? new LooseDate(text).seconds()
}

class LooseDate {
  readonly #text: string
  readonly #time: number
  readonly #now: Required<DateFields>
  #fields: DateFields & { weekday: number }
  /** A number whose unit is not known yet. */
  #number = 0
  #isTouched = false
  /** Without a day, the time is that of the day before: today it is not over. */
  #isDayBefore = false

  constructor(text: string) {
    this.#text = text
    this.#time = nowInSeconds()
    this.#now = localTime(this.#time)
    this.#fields = localTime(this.#time)
    Object.assign(this.#fields, { year: UNKNOWN, month: UNKNOWN, day: UNKNOWN })
  }

  seconds(): number | null {
    const text = this.#text
    for (let at = 0; at < text.length; ) {
      if (isDigit(text[at])) at = this.#takeNumber(at)
      else if (isLetter(text[at])) at = this.#takeWord(at)
      else at++
    }
    this.#placeNumber()
    if (this.#isDayBefore && this.#fields.day < 0) this.#fields.day = this.#now.day - 1
    return this.#isTouched ? this.#goBack(0) : null
  }

  #takeNumber(at: number): number {
    const text = this.#text
    this.#placeNumber()
    this.#isTouched = true
    const number = numberAt(text, at)
    const { value, end } = number
    if (/[:./-]/.test(text.charAt(end)) && isDigit(text[end + 1])) {
      const after = takeSeparated(text, number, this.#fields, this.#time)
      if (after !== null) return after
    }
    // Zeros come first in numbers of two digits only.
    if (text[at] !== '0' || end - at <= 2) this.#number = value | 0
    return end
  }

  /** Takes a number without a unit as a day, a month or a year. */
  #placeNumber(): void {
    const number = this.#number
    const fields = this.#fields
    if (number === 0) return
    this.#number = 0
    if (fields.day < 0 && number < 32) fields.day = number
    else if (fields.month < 0 && number < 13) fields.month = number - 1
    else if (fields.year < FIRST_YEAR) {
      if (number > 1969 && number < 2100) fields.year = number
      else if (number > 69 && number < 100) fields.year = 1900 + number
      else if (number < 38) fields.year = 2000 + number
    }
  }

  /** Completes the date with the current one, goes back in time, and returns the seconds. */
  #goBack(seconds: number): number {
    const fields = this.#fields
    const now = this.#now
    if (fields.day < 0) fields.day = now.day
    if (fields.month < 0) fields.month = now.month
    if (fields.year < FIRST_YEAR) fields.year = now.month < fields.month ? now.year - 1 : now.year
    const time = secondsOfLocal(fields) - seconds
    this.#fields = localTime(time)
    return time
  }

  /** Takes a word; returns the position after its letters. */
  #takeWord(at: number): number {
    const text = this.#text
    let end = at + 1
    while (isLetter(text[end])) end++
    const length = (word: string) => sharedLength(text, at, word)
    const is = (word: string) => length(word) === word.length
    const month = MONTHS.findIndex((name) => length(name) >= 3)
    if (month >= 0) this.#fields.month = month
    else if (this.#takeTime(is)) return end
    else if (this.#number === 0) {
      const number = NUMBERS.findIndex((name, value) => value > 0 && is(name))
      if (number > 0) this.#number = number
      else if (is('last')) this.#number = 1
      else return end
    } else if (!this.#takeUnit(length)) return end
    this.#isTouched = true
    return end
  }

  /** Takes the name of a day or of a time of day; returns whether it is one. */
  #takeTime(is: (word: string) => boolean): boolean {
    for (const [word, hour] of Object.entries(HOURS)) {
      if (is(word)) return this.#setHour(hour)
    }
    if (is('yesterday')) return this.#setDay(DAY)
    if (is('today')) return this.#setToday()
    if (is('now')) return this.#reset(0)
    for (const [word, added] of Object.entries(HALVES)) {
      if (is(word)) return this.#setHalf(added)
    }
    if (!is('never')) return false
    this.#fields = localTime(0)
    this.#number = 0
    return this.#touch()
  }

  #touch(): true {
    this.#isTouched = true
    return true
  }

  #reset(seconds: number): true {
    this.#number = 0
    this.#goBack(seconds)
    return this.#touch()
  }

  /** Sets the day that is so many seconds ago; a month, a year and a time of day remain. */
  #setDay(seconds: number): true {
    this.#fields.day = this.#now.day
    return this.#reset(seconds)
  }

  /** Sets the current day: its beginning, unless a time was given. */
  #setToday(): true {
    const [given, now] = [this.#fields, this.#now]
    const parts = ['hour', 'minute', 'second'] as const
    if (parts.every((part) => given[part] === now[part])) {
      Object.assign(given, { hour: 0, minute: 0, second: 0 })
    }
    return this.#setDay(0)
  }

  /** Sets a time of day: without a day the last one that is over. */
  #setHour(hour: number): true {
    this.#placeNumber()
    if (this.#fields.day < 0 && this.#fields.hour < hour) this.#isDayBefore = true
    Object.assign(this.#fields, { hour, minute: 0, second: 0 })
    return this.#touch()
  }

  /** Takes a number before it as an hour of this half of the day. */
  #setHalf(added: number): true {
    const fields = this.#fields
    const number = this.#number
    this.#number = 0
    if (number) Object.assign(fields, { hour: number, minute: 0, second: 0 })
    fields.hour = (fields.hour % 12) + added
    return this.#touch()
  }

  /** Takes a unit of the number before it; returns whether it is one. */
  #takeUnit(length: (word: string) => number): boolean {
    const number = this.#number
    const unit = Object.entries(UNITS).find(([name]) => length(name) >= name.length - 1)
    if (unit) {
      this.#number = 0
      this.#goBack(Math.imul(unit[1], number))
      return true
    }
    const weekday = WEEKDAYS.findIndex((name) => length(name) >= 3)
    if (weekday >= 0) {
      const days = this.#fields.weekday - weekday
      this.#number = 0
      const weeks = days <= 0 ? number : number - 1
      this.#goBack(Math.imul(days + 7 * weeks, DAY))
      return true
    }
    if (length('months') >= 5) {
      this.#goBack(0)
      const fields = this.#fields
      const month = fields.month - number
      fields.year += Math.floor(month / 12)
      fields.month = month - 12 * Math.floor(month / 12)
    } else if (length('years') >= 4) {
      this.#goBack(0)
      this.#fields.year -= number
    } else return false
    this.#number = 0
    return true
  }
}
