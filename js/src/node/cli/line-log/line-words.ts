/** Hunks of `log -L` in which words are compared, not lines: those that the core prints of files are whole. */
import { decodeTextPatch } from '../../../objects/patch.js'
import { PALETTE, RESET } from '../color/palette.js'
import type { WordsAsked } from '../diff/word-args.js'
import type { Reader } from '../repository/reader.js'
import { fromBytes, toBytes } from '../text/bytes.js'
import type { LineHunk } from './line-hunks.js'

export interface LineWords extends WordsAsked {
  /** Whether output has the colors that the core gives to words. */
  readonly hasColors: boolean
}

/** Returns a hunk as the core prints it for the options of `words`. */
export function hunkOfWords(reader: Reader, hunk: LineHunk, words: LineWords): string {
  let text = headerOf(hunk, words)
  let [old, now] = ['', '']
  const addChange = () => {
    if (old !== '' || now !== '') text += changeOf(reader, [old, now], words)
    old = now = ''
  }
  for (const line of hunk.lines) {
    const content = `${line.slice(1)}\n`
    if (line.startsWith('-')) old += content
    else if (line.startsWith('+')) now += content
    else if (line.startsWith(' ')) {
      addChange()
      text += contextOf(line, words)
    }
  }
  addChange()
  return text
}

function headerOf({ position, heading }: LineHunk, { hasColors }: LineWords): string {
  if (!hasColors) return `${position}${heading}\n`
  const shown = heading === '' ? '' : ` ${RESET}${heading.slice(1)}${RESET}`
  return `${PALETTE.frag}${position}${RESET}${shown}\n`
}

/**
 * Returns the words of lines that replace others. Only one that lacks a line feed has itself among
 * these, which is then taken as unchanged.
 */
function changeOf(
  reader: Reader,
  [old, now]: readonly [string, string],
  { hasColors, ...words }: LineWords,
): string {
  if (old === now) return unchanged(now, words)
  // All lines are shown.
  const how = { ...words, wordColors: hasColors, context: 2 ** 31 - 1 }
  const texts = { old: toBytes(old), new: toBytes(now) }
  let text = ''
  reader.pages({ kind: 'textPatch', ...texts, ...how }, (page) => {
    const patch = fromBytes(decodeTextPatch(new Uint8Array(page), true).bytes)
    text += patch.slice(patch.indexOf('\n') + 1)
  })
  return text
}

function unchanged(text: string, { wordDiff }: WordsAsked): string {
  return wordDiff === 'porcelain' ? text.replace(/^(.*)\n/gm, asPorcelain) : text
}

function asPorcelain(_: string, line: string): string {
  return line === '' ? '~\n' : ` ${line}\n~\n`
}

function contextOf(line: string, { wordDiff, hasColors }: LineWords): string {
  const isPorcelain = wordDiff === 'porcelain'
  const [, content = '', end = ''] = /^.(.*?)(\r?)$/s.exec(line) ?? []
  const reset = hasColors && (isPorcelain || content !== '') ? RESET : ''
  return `${isPorcelain ? ' ' : ''}${content}${reset}${end}\n${isPorcelain ? '~\n' : ''}`
}
