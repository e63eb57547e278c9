/** Patches of files as they are printed: with other prefixes, signs and colors than the core's. */
import type { CombinedPatch, FilePatch } from '../../../base/types.js'
import { parentFilesOf } from '../../../objects/combined-patch.js'
import type { Option } from '../args/options.js'
import { Exit } from '../base/exit.js'
import type { Opened } from '../opening/command.js'
import { bytesOfArgument, fromBytes, hasHighBytes } from '../text/bytes.js'
import type { DiffArgs } from './diff-args.js'
import { paintedPatch } from './diff-colors.js'
import type { MovedLine } from './moved-lines.js'
import { shownPath } from './relative-args.js'

/** What is printed before paths and lines of patches. */
export interface PatchMarks {
  /** The prefixes of old and of new paths. */
  prefixes: readonly [string, string]
  /** The signs of lines, by git's. */
  signs: Readonly<Record<string, string>>
}

export const PLAIN_MARKS: PatchMarks = { prefixes: ['a/', 'b/'], signs: {} }

// biome-ignore lint/suspicious/noControlCharactersInRegex: colors begin with one
const HUNKS = /^(?:\x1b\[36m)?@@ |^GIT binary patch$/m

/** The sign of a line, after its color. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: colors begin with one
const SIGN = /^((?:\x1b\[[\d;]*m)?)([-+ ])/gm

const MOVED = /^((?:rename|copy) (?:from|to) )/

const PREFIXES = /^(---|\+\+\+) ("?)([ab])\//

/** What patches are printed with. */
type Printing = Pick<Opened, 'reader' | 'quote'>

/** Returns the patch of a file, or a part of it, as it is printed. */
export function patchText(
  { reader, quote }: Printing,
  args: DiffArgs,
  patch: FilePatch,
  bytes = fromBytes(patch.bytes),
  moved?: readonly MovedLine[],
): string {
  const { palette, words, marks } = args
  const hasWords = (words.wordDiff ?? 'none') !== 'none' && patch.dissimilarity === null
  const isShown = isPlain(marks) && hasPlainPaths(quote, patch.oldPathBytes, patch.pathBytes)
  const prefixed = isShown ? bytes : withNames(bytes, patch, args, quote)
  const colors = palette && { palette, hasWords, spaceErrors: args.spaceErrors, moved }
  const text = colors ? paintedPatch(reader, patch, prefixed, colors) : prefixed
  return hasWords || Object.keys(marks.signs).length === 0 ? text : withSigns(text, marks.signs)
}

/** Whether paths have the prefixes that the core gives them. */
function isPlain({ prefixes: [from, to] }: PatchMarks): boolean {
  return from === PLAIN_MARKS.prefixes[0] && to === PLAIN_MARKS.prefixes[1]
}

/** Whether the core quotes paths as they are shown: it knows nothing of `core.quotePath`. */
function hasPlainPaths(quote: Printing['quote'], ...paths: readonly Uint8Array[]): boolean {
  return paths.map(fromBytes).every((path) => !hasHighBytes(path) || quote(path) !== path)
}

/** Gives the header of a patch names with other prefixes, and quoted as paths are. */
function withNames(
  text: string,
  { oldPathBytes, pathBytes, oldMode, newMode }: FilePatch,
  args: DiffArgs,
  quote: Printing['quote'],
): string {
  const { prefixes } = args.marks
  const [old, now] = [shownPath(args, oldPathBytes), shownPath(args, pathBytes)]
  const [from, to] = args.reverse ? [prefixes[1], prefixes[0]] : prefixes
  const names = [quote(from + old), quote(to + now)] as const
  // Only the lines before the hunks, which a word may color, have prefixes.
  const hunks = HUNKS.exec(text)?.index ?? text.length
  const lines = text.slice(0, hunks).split('\n')
  const shown = lines.map((line, at) => {
    if (at === 0 && line !== '') return `diff --git ${names.join(' ')}`
    if (line.startsWith('Binary files ')) {
      const sides = [
        oldMode === null ? '/dev/null' : names[0],
        newMode === null ? '/dev/null' : names[1],
      ]
      return `Binary files ${sides.join(' and ')} differ`
    }
    const [, moved] = MOVED.exec(line) ?? []
    if (moved !== undefined) return moved + quote(moved.endsWith('from ') ? old : now)
    const [, sign, , letter] = PREFIXES.exec(line) ?? []
    if (sign === undefined) return line
    const name = prefixes[letter === 'a' ? 0 : 1] + (sign === '---' ? old : now)
    // Programs that read patches end a name at a tab, not at a space.
    return `${sign} ${quote(name)}${name.includes(' ') ? '\t' : ''}`
  })
  return shown.join('\n') + text.slice(hunks)
}

/** Gives the lines of hunks other signs, behind their colors. */
function withSigns(text: string, signs: PatchMarks['signs']): string {
  const start = HUNKS.exec(text)?.index ?? text.length
  const hunks = text.slice(start)
  const signed = hunks.replace(SIGN, (_, color: string, sign: string) => {
    return color + (signs[sign] ?? sign)
  })
  return text.slice(0, start) + signed
}

/** Gives the names in the patch of a merge other prefixes. The files of parents may be named, too. */
export function mergeText(
  { quote }: Pick<Opened, 'quote'>,
  patch: CombinedPatch,
  { marks, namesParents }: DiffArgs,
): string {
  const { bytes, pathBytes } = patch
  const text = fromBytes(bytes)
  const olds = namesParents ? parentFilesOf(patch) : []
  const all = [pathBytes, ...olds.map((old) => old.pathBytes)]
  if (isPlain(marks) && hasPlainPaths(quote, ...all)) return text
  const { prefixes } = marks
  const hunks = text.search(/^@@@/m)
  const head = hunks < 0 ? text : text.slice(0, hunks)
  let line = 0
  const ofPath = head.replace(/^(diff --(?:cc|combined)) .*/, (_, verb: string) => {
    return `${verb} ${quote(fromBytes(pathBytes))}`
  })
  const named = ofPath.replace(/^(---|\+\+\+) (.*)$/gm, (shown, sign: string, name: string) => {
    const path = sign === '---' ? (olds[line++]?.pathBytes ?? pathBytes) : pathBytes
    if (name === '/dev/null') return shown
    return `${sign} ${quote(prefixes[sign === '---' ? 0 : 1] + fromBytes(path))}`
  })
  return named + text.slice(head.length)
}

export function markOptions(args: Pick<DiffArgs, 'marks'>): Option[] {
  const prefixes = (of: (before: PatchMarks['prefixes']) => PatchMarks['prefixes']) => {
    args.marks = { ...args.marks, prefixes: of(args.marks.prefixes) }
  }
  const sign = (long: string, git: string): Option => ({
    ...{ long: `output-indicator-${long}`, value: 'required' },
    set(value = '') {
      if (value.length > 1) {
        throw new Exit(129, `error: output-indicator-${long} expects a character, got '${value}'\n`)
      }
      args.marks = { ...args.marks, signs: { ...args.marks.signs, [git]: value } }
    },
  })
  return [
    {
      ...{ long: 'src-prefix', value: 'required' },
      set: (value = '') => prefixes(([, to]) => [bytesOfArgument(value), to]),
    },
    {
      ...{ long: 'dst-prefix', value: 'required' },
      set: (value = '') => prefixes(([from]) => [from, bytesOfArgument(value)]),
    },
    { long: 'no-prefix', set: () => prefixes(() => ['', '']) },
    { long: 'default-prefix', set: () => prefixes(() => PLAIN_MARKS.prefixes) },
    sign('new', '+'),
    sign('old', '-'),
    sign('context', ' '),
  ]
}
