/** The colors of patches: those that git has without settings. */
import type { FilePatch } from '../../../base/types.js'
import { PALETTE, type Palette, painted, RESET } from '../color/palette.js'
import type { Reader } from '../repository/reader.js'
import type { MovedLine } from './moved-lines.js'
import type { LineKind } from './space-error-args.js'
import { isBlank, newBlankEnd, spaceErrorsOf } from './whitespace.js'
import { contentsOf } from './written-contents.js'

/** The first line of a hunk, and what follows its last `@@`. */
const HUNK = /^(@@+ .*? @@+)(?: (.*))?$/

/** Returns a text in a color, without one if it is empty. */
function paintedLine(color: string, text: string): string {
  if (text === '') return ''
  const line = text.replace(/\r$/, '')
  return painted(color, line) + text.slice(line.length)
}

/** Returns the signs of a table in their colors. */
export const paintedSigns = (palette: Palette, plus: string, minus: string): string =>
  paintedLine(palette.new, plus) + paintedLine(palette.old, minus)

/** Returns both sizes of a binary file in their colors. */
export const paintedSizes = (palette: Palette, old: number, now: number): string =>
  ` ${paintedLine(palette.old, String(old))} -> ${paintedLine(palette.new, String(now))} bytes`

export interface PatchColors {
  readonly palette: Palette
  /** Whether words are compared, which the core has colored. */
  readonly hasWords: boolean
  /** The lines whose errors of white space have a color. */
  readonly spaceErrors: ReadonlySet<LineKind>
  /** Which lines of the hunks were moved, if that was looked for. */
  readonly moved?: readonly MovedLine[] | undefined
}

/** Returns the patch of a file in colors. */
export function paintedPatch(
  reader: Reader,
  patch: FilePatch,
  text: string,
  { palette, hasWords, spaceErrors, moved = [] }: PatchColors,
): string {
  // The core knows only git's own colors.
  const start = hasWords ? `${PALETTE.frag}@@` : '@@'
  const [head, hunks] = splitAt(text, start)
  if (hasWords) return paintedHead(palette, head) + recolored(palette, hunks)
  const looksForEnd = spaceErrors.has('new') && /^\+[ \t\r]*$/m.test(hunks)
  const blankEnd = looksForEnd ? newBlankEnd(...contentsOf(reader, patch)) : null
  let place = 0
  const shown = (kind: LineKind, line: string) => {
    const color = kind === 'context' ? palette.context : colorOf(palette, kind, moved[place])
    if (spaceErrors.has(kind) && !line.startsWith('\\'))
      return withSpaceErrors(palette, color, line)
    return kind === 'context' ? paintedContext(palette, line, 1) : paintedLine(color, line)
  }
  let [old, now] = [0, 0]
  return (
    paintedHead(palette, head) +
    eachLine(hunks, (line, at) => {
      place = at
      const sign = line.charAt(0)
      if (sign === '@') {
        ;[old = 0, now = 0] = (/-(\d+)\S* \+(\d+)/.exec(line) ?? []).slice(1).map(Number)
        return paintedPlace(palette, line)
      }
      if (sign === '+') {
        const isEnd = blankEnd !== null && blankEnd[0] <= old && blankEnd[1] <= now
        now++
        return isEnd && isBlank(line.slice(1))
          ? paintedLine(palette.whitespace, line)
          : shown('new', line)
      }
      if (sign === '-') old++
      else if (sign === ' ') [old, now] = [old + 1, now + 1]
      return shown(sign === '-' ? 'old' : 'context', line)
    })
  )
}

/** Returns the color of an added or a removed line. */
function colorOf(palette: Palette, kind: 'old' | 'new', line: MovedLine | undefined): string {
  if (!line || line.moved === 'not') return palette[kind]
  const alternative = line.moved === 'alternative' ? 'Alternative' : ''
  return palette[`${kind}Moved${alternative}${line.isDimmed ? 'Dimmed' : ''}`]
}

/** Replaces the colors that the core gives to words, and to the places of hunks. */
function recolored(palette: Palette, hunks: string): string {
  const names = ['old', 'new', 'frag'] as const
  if (names.every((name) => palette[name] === PALETTE[name])) return hunks
  const colors = new Map(names.map((name) => [PALETTE[name], palette[name]]))
  // biome-ignore lint/suspicious/noControlCharactersInRegex: colors begin with one
  return hunks.replace(/\x1b\[3[126]m/g, (color) => colors.get(color) ?? color)
}

/** Returns the patch of a merge in colors. */
export function paintedMerge(palette: Palette, text: string): string {
  const [head, hunks] = splitAt(text, '@@@')
  const parents = (/^@+/.exec(hunks)?.[0].length ?? 1) - 1
  return (
    paintedHead(palette, head) +
    eachLine(hunks, (line) => {
      const signs = line.slice(0, parents)
      if (signs.startsWith('@')) return paintedPlace(palette, line)
      if (signs.includes('-')) return paintedLine(palette.old, line)
      return signs.includes('+')
        ? paintedLine(palette.new, line)
        : paintedContext(palette, line, parents)
    })
  )
}

/** Splits a text at the first line that begins so. */
export function splitAt(text: string, start: string): [string, string] {
  if (text.startsWith(start)) return ['', text]
  const at = text.indexOf(`\n${start}`) + 1
  return at === 0 ? [text, ''] : [text.slice(0, at), text.slice(at)]
}

function eachLine(text: string, use: (line: string, at: number) => string): string {
  const lines = text.split('\n')
  const rest = lines.pop() ?? ''
  return lines.map((line, at) => `${use(line, at)}\n`).join('') + rest
}

/** The names of the files, without what follows them of binary files. */
function paintedHead(palette: Palette, text: string): string {
  const binary = /^(?:GIT binary patch|Binary files )/m.exec(text)
  const at = binary?.index ?? text.length
  const shown = eachLine(text.slice(0, at), (line) => {
    // The tab that ends a name with spaces has no color.
    const name = line.replace(/\t$/, '')
    return paintedLine(palette.meta, name) + line.slice(name.length)
  })
  return shown + text.slice(at)
}

function paintedPlace(palette: Palette, line: string): string {
  const [, place = line, heading] = HUNK.exec(line) ?? []
  const shown =
    heading === undefined ? '' : painted(palette.context, ' ') + painted(palette.func, heading)
  return `${palette.frag}${place}${RESET}${shown}`
}

function paintedContext(palette: Palette, line: string, signs: number): string {
  if (line.startsWith('\\')) return paintedLine(palette.context, line)
  const text = line.slice(signs).replace(/\r$/, '')
  return painted(palette.context, line.slice(0, signs) + text) + line.slice(signs + text.length)
}

/** Returns a line with its errors of white space. */
export function withSpaceErrors(palette: Palette, color: string, line: string): string {
  const text = line.slice(1)
  const { end, beforeTab } = spaceErrorsOf(text)
  let [shown, at] = [paintedLine(color, line.charAt(0)), 0]
  for (const [start, until] of beforeTab) {
    // Tabs between such runs have no color.
    shown += `${text.slice(at, start)}${palette.whitespace}${text.slice(start, until)}${RESET}`
    at = until
  }
  const [tabs = ''] = /^\t*/.exec(text.slice(at, end)) ?? []
  shown += tabs
  at += tabs.length
  const rest = text.slice(at, end)
  shown += rest === '' ? '' : painted(color, rest)
  return shown + (end < text.length ? `${palette.whitespace}${text.slice(end)}${RESET}` : '')
}
