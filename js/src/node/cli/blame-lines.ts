/** The lines that `-L` names: git-blame(1). */
import { Exit, fatal } from './exit.js'

/** The first and the last line, from 1; a missing one is 0. */
export interface LineRange {
  readonly start: number
  readonly end: number
}

const NUMBER = /^[ \t\n\v\f\r]*[+-]?[0-9]+/

/** Parses `<start>,<end>`. @throws Exit as git does; also for patterns, which are unsupported */
export function parseLines(text: string, usage: string): LineRange {
  const [start, afterStart] = startOf(text)
  if (afterStart === '') return { start, end: 0 }
  if (!afterStart.startsWith(',')) throw new Exit(129, usage)
  const [end, afterEnd] = endOf(afterStart.slice(1), start)
  if (afterEnd !== '') throw new Exit(129, usage)
  return end !== 0 && end < start ? { start: end, end: start } : { start, end }
}

function startOf(text: string): [start: number, rest: string] {
  refusePattern(text)
  const found = NUMBER.exec(text)?.[0]
  if (found === undefined) return [0, text]
  return [positive(found), text.slice(found.length)]
}

function endOf(text: string, start: number): [end: number, rest: string] {
  refusePattern(text)
  const isRelative = /^[+-]/.test(text)
  const found = NUMBER.exec(isRelative ? text.slice(1) : text)?.[0]
  if (found === undefined) return [0, text]
  const rest = text.slice(found.length + (isRelative ? 1 : 0))
  if (!isRelative) return [positive(found), rest]
  const count = text.startsWith('-') ? -Number(found) : Number(found)
  if (count === 0) throw fatal('-L invalid empty range')
  return [Math.max(start + count + (count > 0 ? -1 : 1), 1), rest]
}

function positive(text: string): number {
  const number = Number(text)
  if (number > 0) return number
  throw fatal(`-L invalid line number: ${number === 0 ? 0 : number}`)
}

function refusePattern(text: string): void {
  if (/^\^?[/:]/.test(text)) throw fatal(`packlens blame does not support patterns: -L ${text}`)
}

/** Returns ranges as pairs of lines that a file of `count` lines has. @throws Exit if it lacks them */
export function linesWithin(
  ranges: readonly LineRange[],
  count: number,
  file: string,
): [first: number, last: number][] {
  const pairs: [number, number][] = []
  for (const { start, end } of ranges) {
    if (start > count) {
      throw fatal(`file ${file} has only ${count} line${count === 1 ? '' : 's'}`)
    }
    const last = end < 1 || end > count ? count : end
    if (last > 0) pairs.push([Math.max(start, 1), last])
  }
  return pairs
}
