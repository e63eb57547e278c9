/** The lines that `-L` names: git-blame(1). */
import { type Exit, fatal, Misused } from '../base/exit.js'
import type { LineMatch } from '../repository/file-lines.js'

/** A file whose lines are named. */
export interface NamedFile {
  readonly lines: readonly string[]
  /** The path in messages. */
  readonly shown: string
  /** Returns the lines that a basic regular expression matches, in order. */
  matching(pattern: string): readonly LineMatch[]
}

/** The first and the last line, from 1; a missing one is 0. */
interface LineRange {
  readonly start: number
  readonly end: number
}

const NUMBER = /^[ \t\n\v\f\r]*[+-]?[0-9]+/
/** A pattern between slashes; a backslash hides a slash. */
const PATTERN = /^\/((?:\\.|[^\\/])*)\//s
const FUNCTION = /^:((?:\\.|[^\\:])+)$/s
/** The beginning of a function, in any language. */
const HEADING = /^[A-Za-z_$]/

/**
 * Returns the ranges that the texts name as pairs of lines that the file has.
 *
 * @throws Exit as git does
 */
export function rangesOf(
  texts: readonly string[],
  file: NamedFile,
): [first: number, last: number][] {
  const pairs: [number, number][] = []
  const count = file.lines.length
  // Patterns are sought after the range before.
  let anchor = 1
  for (const text of texts) {
    const { start, end } = rangeOf(text, file, anchor)
    if (start > count) {
      throw fatal(`file ${file.shown} has only ${count} line${count === 1 ? '' : 's'}`)
    }
    const last = end < 1 || end > count ? count : end
    if (last > 0) pairs.push([Math.max(start, 1), last])
    anchor = last + 1
  }
  return pairs
}

function rangeOf(text: string, file: NamedFile, anchor: number): LineRange {
  const isFromTop = /^\^[/:]/.test(text)
  const [named, from] = isFromTop ? [text.slice(1), 1] : [text, anchor]
  if (named.startsWith(':')) {
    const [, pattern] = FUNCTION.exec(named) ?? []
    if (pattern === undefined) throw new Misused()
    return functionOf(pattern, file, from)
  }
  const [start, afterStart] = startOf(named, file, from)
  if (afterStart === '') return { start, end: 0 }
  if (!afterStart.startsWith(',')) throw new Misused()
  const [end, afterEnd] = endOf(afterStart.slice(1), file, start)
  if (afterEnd !== '') throw new Misused()
  return end !== 0 && end < start ? { start: end, end: start } : { start, end }
}

/** Returns the function whose heading matches: up to the next heading. */
function functionOf(pattern: string, file: NamedFile, from: number): LineRange {
  const isHeading = (number: number) => HEADING.test(file.lines[number - 1] ?? '')
  const start = matchesFrom(pattern, file, from).find(isHeading)
  if (start === undefined) throw noMatch(pattern, from, 'no match')
  const next = file.lines.findIndex((line, at) => at >= start && HEADING.test(line))
  return { start, end: next < 0 ? file.lines.length : next }
}

function startOf(text: string, file: NamedFile, from: number): [start: number, rest: string] {
  const pattern = PATTERN.exec(text)
  if (pattern) return [lineOf(pattern[1] ?? '', file, from), text.slice(pattern[0].length)]
  const found = NUMBER.exec(text)?.[0]
  if (found === undefined) return [0, text]
  return [positive(found), text.slice(found.length)]
}

function endOf(text: string, file: NamedFile, start: number): [end: number, rest: string] {
  const pattern = PATTERN.exec(text)
  if (pattern) return [lineOf(pattern[1] ?? '', file, start + 1), text.slice(pattern[0].length)]
  const isRelative = /^[+-]/.test(text)
  const found = NUMBER.exec(isRelative ? text.slice(1) : text)?.[0]
  if (found === undefined) return [0, text]
  const rest = text.slice(found.length + (isRelative ? 1 : 0))
  if (!isRelative) return [positive(found), rest]
  const count = text.startsWith('-') ? -Number(found) : Number(found)
  if (count === 0) throw fatal('-L invalid empty range')
  return [Math.max(start + count + (count > 0 ? -1 : 1), 1), rest]
}

/** Returns the lines from one on that match; to git a text ends at its first zero byte. */
function matchesFrom(pattern: string, file: NamedFile, from: number): number[] {
  const last = file.lines.findIndex((line, at) => at >= from - 1 && line.includes('\0')) + 1
  const zero = file.lines[last - 1]?.indexOf('\0') ?? 0
  const matches = file.matching(pattern).filter(({ line, end }) => {
    return line >= from && (last === 0 || line < last || (line === last && end <= zero))
  })
  return matches.map(({ line }) => line)
}

/** Returns the first line from one on that matches. */
function lineOf(pattern: string, file: NamedFile, from: number): number {
  const [first] = matchesFrom(pattern, file, from)
  if (first === undefined) throw noMatch(pattern, from, 'No match')
  return first
}

function noMatch(pattern: string, from: number, what: string): Exit {
  return fatal(`-L parameter '${pattern}' starting at line ${from}: ${what}`)
}

function positive(text: string): number {
  const number = Number(text)
  if (number > 0) return number
  throw fatal(`-L invalid line number: ${number === 0 ? 0 : number}`)
}
