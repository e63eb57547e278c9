/** Chooses changes by their kind: `--diff-filter`. */
import type { FileChange } from '../../../base/types.js'
import { Exit, fatal } from '../base/exit.js'
import { letterOf } from './change-text.js'

/** What decides on a change. */
export type ChangeKind = Pick<FileChange, 'status' | 'oldOid' | 'newOid' | 'dissimilarity'>

/** Returns whether a change is chosen. */
export type DiffFilter = (change: ChangeKind) => boolean

const LETTERS = 'ABCDMRTUX'

/** Parses the letters of kinds: those of lower case are left out, from all if no others are given. */
export function parseDiffFilter(text: string): DiffFilter {
  if (text.includes('*')) throw fatal(`packlens does not support --diff-filter=${text}`)
  for (const letter of text) {
    if (LETTERS.includes(letter.toUpperCase())) continue
    throw new Exit(129, `error: unknown change class '${letter}' in --diff-filter=${text}\n`)
  }
  const wanted = [...text].filter((letter) => letter === letter.toUpperCase())
  const chosen = new Set(wanted.length > 0 ? wanted : LETTERS)
  for (const letter of text) {
    if (letter !== letter.toUpperCase()) chosen.delete(letter.toUpperCase())
  }
  return (change) => {
    const isRewritten = change.status === 'modified' && change.dissimilarity !== null
    return chosen.has(isRewritten ? 'B' : letterOf(change.status))
  }
}
