/** Finds conflict markers and white space that git calls an error: `--check`. */
import type { FilePatch } from '../../../base/types.js'
import type { Palette } from '../color/palette.js'
import type { Reader } from '../repository/reader.js'
import { fromBytes } from '../text/bytes.js'
import { withSpaceErrors } from './diff-colors.js'
import { newBlankEnd, spaceErrorsOf } from './whitespace.js'
import { contentsOf } from './written-contents.js'

const HUNK = /^@@ -\S+ \+(\d+)/
const CONFLICT = /^([<=>|])\1{6}\s/

/** Returns the lines about what a patch adds; `path` is that of its file, as printed. */
export function spaceCheck(
  reader: Reader,
  patch: FilePatch,
  path: string,
  palette: Palette | null,
): string {
  if (patch.newOid === null || patch.kind !== 'text') return ''
  const lines = fromBytes(patch.bytes).split('\n')
  let text = ''
  let number = 0
  for (const line of lines.slice(lines.findIndex((line) => HUNK.test(line)))) {
    const [, start] = HUNK.exec(line) ?? []
    if (start !== undefined) number = Number(start) - 1
    else if (/^[ +]/.test(line)) number++
    if (!line.startsWith('+')) continue
    const place = `${path}:${number}:`
    if (CONFLICT.test(`${line.slice(1)}\n`)) text += `${place} leftover conflict marker\n`
    const { end, beforeTab } = spaceErrorsOf(line.slice(1))
    const errors = [
      ...(end < line.length - 1 ? ['trailing whitespace'] : []),
      ...(beforeTab.length > 0 ? ['space before tab in indent'] : []),
    ]
    if (errors.length === 0) continue
    const shown = palette ? withSpaceErrors(palette, palette.new, line) : line
    text += `${place} ${errors.join(', ')}.\n${shown}\n`
  }
  const [, blank] = newBlankEnd(...contentsOf(reader, patch)) ?? []
  return text + (blank === undefined ? '' : `${path}:${blank}: new blank line at EOF.\n`)
}
