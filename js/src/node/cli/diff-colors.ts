/** The colors of patches: those that git has without settings. */
import type { FilePatch } from '../../base/types.js'
import type { Reader } from './reader.js'
import { isBlank, newBlankEnd, spaceErrorsOf } from './whitespace.js'
import { contentsOf } from './written-contents.js'

export const RESET = '\x1b[m'
export const COMMIT = '\x1b[33m'
const META = '\x1b[1m'
const PLACE = '\x1b[36m'
const OLD = '\x1b[31m'
const NEW = '\x1b[32m'
const ERROR = '\x1b[41m'

/** The first line of a hunk, and what follows its last `@@`. */
const HUNK = /^(@@+ .*? @@+)(?: (.*))?$/

/** Returns a text in a color, without one if it is empty. */
function painted(color: string, text: string): string {
  if (text === '') return ''
  const line = text.replace(/\r$/, '')
  return `${color}${line}${RESET}${text.slice(line.length)}`
}

/** Returns the signs of a table in their colors. */
export const paintedSigns = (plus: string, minus: string): string =>
  painted(NEW, plus) + painted(OLD, minus)

/** Returns both sizes of a binary file in their colors. */
export const paintedSizes = (old: number, now: number): string =>
  ` ${painted(OLD, String(old))} -> ${painted(NEW, String(now))} bytes`

/** Returns the patch of a file in colors; the core has colored its words. */
export function paintedPatch(
  reader: Reader,
  patch: FilePatch,
  text: string,
  hasWords: boolean,
): string {
  const start = hasWords ? `${PLACE}@@` : '@@'
  const [head, hunks] = splitAt(text, start)
  if (hasWords) return paintedHead(head) + hunks
  const blankEnd = /^\+[ \t\r]*$/m.test(hunks) ? newBlankEnd(...contentsOf(reader, patch)) : null
  let [old, now] = [0, 0]
  return (
    paintedHead(head) +
    eachLine(hunks, (line) => {
      const sign = line.charAt(0)
      if (sign === '@') {
        ;[old = 0, now = 0] = (/-(\d+)\S* \+(\d+)/.exec(line) ?? []).slice(1).map(Number)
        return paintedPlace(line)
      }
      if (sign === '+') {
        const isEnd = blankEnd !== null && blankEnd[0] <= old && blankEnd[1] <= now
        now++
        return isEnd && isBlank(line.slice(1)) ? painted(ERROR, line) : paintedAdded(line)
      }
      if (sign === '-') old++
      else if (sign === ' ') [old, now] = [old + 1, now + 1]
      return sign === '-' ? painted(OLD, line) : paintedContext(line, 1)
    })
  )
}

/** Returns the patch of a merge in colors. */
export function paintedMerge(text: string): string {
  const [head, hunks] = splitAt(text, '@@@')
  const parents = (/^@+/.exec(hunks)?.[0].length ?? 1) - 1
  return (
    paintedHead(head) +
    eachLine(hunks, (line) => {
      const signs = line.slice(0, parents)
      if (signs.startsWith('@')) return paintedPlace(line)
      if (signs.includes('-')) return painted(OLD, line)
      return signs.includes('+') ? painted(NEW, line) : paintedContext(line, parents)
    })
  )
}

/** Splits a text at the first line that begins so. */
function splitAt(text: string, start: string): [string, string] {
  if (text.startsWith(start)) return ['', text]
  const at = text.indexOf(`\n${start}`) + 1
  return at === 0 ? [text, ''] : [text.slice(0, at), text.slice(at)]
}

function eachLine(text: string, use: (line: string) => string): string {
  const lines = text.split('\n')
  const rest = lines.pop() ?? ''
  return lines.map((line) => `${use(line)}\n`).join('') + rest
}

/** The names of the files, without what follows them of binary files. */
function paintedHead(text: string): string {
  const binary = /^(?:GIT binary patch|Binary files )/m.exec(text)
  const at = binary?.index ?? text.length
  return eachLine(text.slice(0, at), (line) => painted(META, line)) + text.slice(at)
}

function paintedPlace(line: string): string {
  const [, place = line, heading] = HUNK.exec(line) ?? []
  const shown = heading === undefined ? '' : ` ${RESET}${heading}${RESET}`
  return `${PLACE}${place}${RESET}${shown}`
}

function paintedContext(line: string, signs: number): string {
  if (line.startsWith('\\')) return painted('', line)
  const text = line.slice(signs).replace(/\r$/, '')
  return `${line.slice(0, signs)}${text}${RESET}${line.slice(signs + text.length)}`
}

/** Returns an added line, with its errors of white space. */
export function paintedAdded(line: string): string {
  const text = line.slice(1)
  const { end, beforeTab } = spaceErrorsOf(text)
  let [shown, at] = [painted(NEW, '+'), 0]
  for (const [start, until] of beforeTab) {
    // Tabs between such runs have no color.
    shown += `${text.slice(at, start)}${ERROR}${text.slice(start, until)}${RESET}`
    at = until
  }
  const [tabs = ''] = /^\t*/.exec(text.slice(at, end)) ?? []
  shown += tabs
  at += tabs.length
  const rest = text.slice(at, end)
  shown += rest === '' ? '' : `${NEW}${rest}${RESET}`
  return shown + (end < text.length ? `${ERROR}${text.slice(end)}${RESET}` : '')
}
