/** Parses dates that say the day and the time, as git writes them and takes them. */
import {
  type DateFields,
  isDigit,
  isLetter,
  MONTHS,
  numberAt,
  setDay,
  setTime,
  sharedLength,
  takeSeparated,
  UNKNOWN,
  utcSeconds,
  WEEKDAYS,
} from './date-fields.js'
import { secondsOfLocal } from './local-time.js'

/** The hours that zones are east of UTC, summer time included. */
const ZONES: Readonly<Record<string, number>> = {
  ...{ idlw: -12, nt: -11, cat: -10, hst: -10, hdt: -9, yst: -9, ydt: -8, pst: -8, pdt: -7 },
  ...{ mst: -7, mdt: -6, cst: -6, cdt: -5, est: -5, edt: -4, ast: -3, adt: -2, wat: -1 },
  ...{ gmt: 0, utc: 0, z: 0, wet: 0, bst: 1, met: 1, mewt: 1, mest: 2, cet: 1, mesz: 2 },
  ...{ fwt: 1, fst: 2, eet: 2, eest: 3, wast: 7, wadt: 8, cct: 8, jst: 9, east: 10 },
  ...{ eadt: 11, gst: 10, nzt: 12, nzst: 12, nzdt: 13, idle: 12 },
}

/** Numbers of more than eight digits are seconds since 1970. */
const LEAST_SECONDS = 100_000_000

/** Returns the seconds since 1970 of an exact date; `null` if the text is none. */
export function exactSeconds(text: string): number | null {
  const [, seconds] = /^@(\d+) [+-]\d{4}(?:\n|$)/.exec(text) ?? []
  if (seconds !== undefined) return Number(seconds)
  return new ExactDate(text.split('\n', 1)[0] ?? '').seconds()
}

class ExactDate {
  readonly #text: string
  readonly #fields: DateFields = {
    ...{ year: UNKNOWN, month: UNKNOWN, day: UNKNOWN },
    ...{ hour: UNKNOWN, minute: UNKNOWN, second: UNKNOWN },
  }
  /** Minutes east of UTC. */
  #offset = UNKNOWN
  /** The fields are in UTC, whatever the zone is. */
  #isUtc = false

  constructor(text: string) {
    this.#text = text
  }

  seconds(): number | null {
    for (let at = 0; at < this.#text.length; ) at = Math.max(this.#take(at), at + 1)
    const utc = utcSeconds(this.#fields)
    if (utc === null) return null
    if (this.#isUtc) return utc
    const local = secondsOfLocal(this.#fields)
    return this.#offset === UNKNOWN ? local : utc - this.#offset * 60
  }

  /** Takes what begins at a position; returns the position after it. */
  #take(at: number): number {
    const [character, next] = [this.#text[at], this.#text[at + 1]]
    if (isLetter(character)) return this.#takeWord(at)
    if (isDigit(character)) return this.#takeNumber(at)
    const isSign = character === '-' || character === '+'
    if (isSign && isDigit(next)) return this.#takeZone(at)
    return at
  }

  #takeWord(at: number): number {
    const text = this.#text
    const fields = this.#fields
    for (const [month, name] of MONTHS.entries()) {
      const length = sharedLength(text, at, name)
      if (length < 3) continue
      fields.month = month
      return at + length
    }
    for (const name of WEEKDAYS) {
      const length = sharedLength(text, at, name)
      if (length >= 3) return at + length
    }
    for (const [name, hours] of Object.entries(ZONES)) {
      const length = sharedLength(text, at, name)
      if (length < 3 && length !== name.length) continue
      if (this.#offset === UNKNOWN) this.#offset = hours * 60
      return at + length
    }
    for (const [name, added] of [
      ['pm', 12],
      ['am', 0],
    ] as const) {
      if (sharedLength(text, at, name) !== 2) continue
      fields.hour = (fields.hour % 12) + added
      return at + 2
    }
    if (text[at] === 'T' && isDigit(text[at + 1]) && fields.hour === UNKNOWN) {
      // An hour follows, which may be all that is said of the time.
      fields.minute = fields.second = 0
      return at + 1
    }
    let end = at
    while (isLetter(text[end])) end++
    return end
  }

  /** Takes a zone by its number: `+0200`, `+02:00`, `+02`. */
  #takeZone(at: number): number {
    const text = this.#text
    const { value, end } = numberAt(text, at + 1)
    let [hours, minutes, after] = [value, 0, end]
    const length = end - at - 1
    if (length === 4) [hours, minutes] = [Math.trunc(value / 100), value % 100]
    else if (length !== 2) minutes = Number.POSITIVE_INFINITY
    else if (text[end] === ':') {
      const rest = numberAt(text, end + 1)
      minutes = rest.end - at - 1 === 5 ? rest.value : Number.POSITIVE_INFINITY
      after = rest.end
    }
    if (hours < 24 && minutes < 60) {
      const offset = hours * 60 + minutes
      this.#offset = text[at] === '-' ? -offset : offset
    }
    return after
  }

  #takeNumber(at: number): number {
    const text = this.#text
    const fields = this.#fields
    const number = numberAt(text, at)
    const { value, end } = number
    if (value >= LEAST_SECONDS && this.#isEmpty()) {
      this.#setUtc(value)
      return end
    }
    if (/[:./-]/.test(text.charAt(end)) && isDigit(text[end + 1])) {
      const after = takeSeparated(text, number, fields, Math.floor(Date.now() / 1000))
      if (after !== null) return after
    }
    const digits = end - at
    if (digits === 8 || digits === 6) return this.#takeCompact(value, digits, end)
    if (fields.hour === UNKNOWN && fields.minute === 0 && fields.second === 0) {
      const [hour, minute] = digits === 4 ? [Math.trunc(value / 100), value % 100] : [value, 0]
      const isTime = digits === 4 || digits === 2
      if (isTime && setTime(fields, hour, minute, 0)) return end
      fields.minute = fields.second = UNKNOWN
    }
    if (digits === 4) {
      if (value <= 1400 && this.#offset === UNKNOWN) {
        this.#offset = Math.trunc(value / 100) * 60 + (value % 100)
      } else if (value > 1900 && value < 2100) fields.year = value
    } else if (digits <= 2) this.#takeSmall(value, digits)
    return end
  }

  /** Takes `20050407` or `221300`. */
  #takeCompact(value: number, digits: number, end: number): number {
    const text = this.#text
    const [high, middle, low] = [
      Math.trunc(value / 10_000),
      Math.trunc(value / 100) % 100,
      value % 100,
    ] as const
    if (digits === 8) setDay(this.#fields, [high, middle, low])
    else if (setTime(this.#fields, high, middle, low)) {
      if (text[end] === '.' && isDigit(text[end + 1])) return numberAt(text, end + 1).end
    }
    return end
  }

  /** Takes a number of one or two digits: a day, otherwise a year, otherwise a month. */
  #takeSmall(value: number, digits: number): void {
    const fields = this.#fields
    if (value > 0 && value < 32 && fields.day < 0) {
      fields.day = value
      return
    }
    if (digits === 2 && fields.year < 0) {
      if (value < 10 && fields.day >= 0) {
        fields.year = 2000 + value
        return
      }
      if (value >= 70) {
        fields.year = 1900 + value
        return
      }
    }
    if (value > 0 && value < 13 && fields.month < 0) fields.month = value - 1
  }

  #isEmpty(): boolean {
    const { year, month, day, hour, minute, second } = this.#fields
    return [year, month, day, hour, minute, second].every((part) => part < 0)
  }

  #setUtc(seconds: number): void {
    const date = new Date(seconds * 1000)
    if (Number.isNaN(date.getTime())) return
    this.#isUtc = true
    Object.assign(this.#fields, {
      ...{ year: date.getUTCFullYear(), month: date.getUTCMonth(), day: date.getUTCDate() },
      ...{ hour: date.getUTCHours(), minute: date.getUTCMinutes(), second: date.getUTCSeconds() },
    })
  }
}
