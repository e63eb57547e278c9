/** The formats of `blame` that people read: the default one, and that of `git annotate`. */

import type { Lines } from '../base/output.js'
import { RESET } from '../color/palette.js'
import type { Stamp } from '../dates/dates.js'
import { dateShower, parseZone } from '../dates/dates.js'
import type { Reader } from '../repository/reader.js'
import { columnsOf } from '../text/columns.js'
import type { BlameArgs } from './blame-args.js'
import { type BlameColors, colorOf } from './blame-colors.js'
import type { Commits, Person } from './blame-commits.js'
import type { Marks } from './blame-marks.js'
import { marksOf } from './blame-marks.js'
import type { BlamedRange } from './blame-ranges.js'

/** The columns of dates, by their style: those of the longest that is usual. */
const DATE_COLUMNS: Readonly<Record<string, number>> = {
  ...{ default: 30, iso: 25, iso8601: 25, 'iso-strict': 25, 'iso8601-strict': 25 },
  ...{ rfc: 31, rfc2822: 31, short: 10, relative: 22, raw: 16, unix: 10 },
}

/** The least columns of raw dates, and of authors in the format of `git annotate`. */
const LEAST = 10

export class Table {
  readonly #lines: Lines
  readonly #args: BlameArgs
  readonly #authorOf: (oid: string) => Person
  readonly #showDate: (stamp: Stamp) => string
  readonly #marks: Marks
  readonly #colors: BlameColors
  /** The commit of the line before. */
  #last = ''
  /** The digits of ids, of which marks such as `^` take some. */
  readonly #digits: number
  /** The widths of columns. */
  readonly #author: number
  readonly #path: number
  readonly #old: number
  readonly #number: number

  /** @param file the path of the file, which is named if lines come from another one */
  constructor(
    lines: Lines,
    args: BlameArgs,
    {
      reader,
      commits,
      file,
      colors,
    }: { reader: Reader; commits: Commits; file: string; colors: BlameColors },
    ranges: readonly BlamedRange[],
  ) {
    this.#lines = lines
    this.#args = args
    this.#authorOf = (oid) => commits(oid).author
    this.#showDate = dateShower(args.date)
    this.#marks = marksOf(args)
    this.#colors = colors
    this.#digits = digitsOf(args, reader, ranges)
    const most = (length: (range: BlamedRange) => number) =>
      ranges.reduce((most, range) => Math.max(most, length(range)), 0)
    const isNamed = args.paths || ranges.some(({ path }) => path !== file)
    this.#path = isNamed ? most(({ path }) => path.length) : 0
    this.#author = args.short ? 0 : most(({ commit }) => columnsOf(this.#shownAuthor(commit)))
    this.#old = `${most(({ oldStart, count }) => oldStart + count - 1)}`.length
    this.#number = `${most(({ start, count }) => start + count - 1)}`.length
  }

  add(range: BlamedRange, text: readonly string[]): void {
    const id = this.#idOf(range)
    for (let at = 0; at < range.count; at++) {
      const color = this.#colorOf(range)
      // The id comes before a date that cannot be shown, as in git.
      this.#lines.add(color ?? '')
      this.#lines.add(id)
      const number = range.start + at
      const head = this.#args.annotates
        ? `\t(${this.#annotatedPerson(range)}\t${number})`
        : this.#headOf(range, at)
      const end = color === null ? '' : RESET
      this.#lines.add(`${head}${end}${text[number - 1] ?? ''}\n`)
    }
  }

  #colorOf({ commit }: BlamedRange): string | null {
    const isRepeated = commit === this.#last
    this.#last = commit
    const { repeated, ages } = this.#colors
    if (this.#args.annotates || (repeated === null && ages === null)) return null
    return colorOf(this.#colors, Number(this.#authorOf(commit).seconds), isRepeated)
  }

  #idOf(range: BlamedRange): string {
    const { annotates, blank } = this.#args
    const { isBoundary } = range
    const id = isBoundary && blank ? ' '.repeat(range.commit.length) : range.commit
    const boundary = isBoundary && !blank && !annotates ? '^' : ''
    const marks = boundary + this.#marks(range).reduce((all, { sign }) => all + sign, '')
    return marks + id.slice(0, this.#digits - marks.length)
  }

  #annotatedPerson({ commit }: BlamedRange): string {
    const author = this.#shownAuthor(commit).padStart(LEAST)
    return `${author}\t${this.#dateOf(this.#authorOf(commit))}`
  }

  #headOf({ path, oldStart, start, commit }: BlamedRange, at: number): string {
    const { numbers, short } = this.#args
    const file = this.#path > 0 ? ` ${path.padEnd(this.#path)}` : ''
    const old = numbers ? ` ${`${oldStart + at}`.padStart(this.#old)}` : ''
    const who = short ? '' : ` (${this.#personOf(commit)}`
    return `${file}${old}${who} ${`${start + at}`.padStart(this.#number)}) `
  }

  #personOf(commit: string): string {
    return `${padded(this.#shownAuthor(commit), this.#author)} ${this.#dateOf(this.#authorOf(commit))}`
  }

  #shownAuthor(commit: string): string {
    const { name, mail } = this.#authorOf(commit)
    return this.#args.mails ? mail : name
  }

  #dateOf({ seconds, zone }: Person): string {
    const { rawDates, date } = this.#args
    if (rawDates) return `${seconds} ${zone}`.padStart(LEAST)
    const shown = this.#showDate({ seconds, zone: parseZone(zone) })
    return padded(shown, DATE_COLUMNS[date] ?? 0)
  }
}

/** Returns how many digits ids have: with marks, more than the given or needed ones. */
function digitsOf(args: BlameArgs, reader: Reader, ranges: readonly BlamedRange[]): number {
  const all = reader.hexLength
  if (args.long || args.digits === 0) return all
  const digits = args.digits ?? neededDigits(reader, ranges)
  if (digits >= all) return Math.min(digits, all + 1)
  const ofIgnored = marksOf(args)
  const marksBoundaries = !args.blank && !args.annotates
  const marks = (range: BlamedRange) =>
    Number(marksBoundaries && range.isBoundary) + ofIgnored(range).length
  // The line with the most marks decides for all.
  return digits + ranges.reduce((most, range) => Math.max(most, marks(range)), 0)
}

/** Returns the digits of the longest of the shortest ids. */
function neededDigits(reader: Reader, ranges: readonly BlamedRange[]): number {
  const ids = new Set(ranges.map(({ commit }) => commit))
  return [...ids].reduce((most, id) => Math.max(most, reader.abbreviate(id, 0).length), 0)
}

function padded(text: string, columns: number): string {
  return text + ' '.repeat(Math.max(columns - columnsOf(text), 0))
}
