/** The first change of two trees: where git stops when only the exit code is asked for. */
import type { FileChange } from '../../../base/types.js'
import { decodeChanges } from '../../../objects/change.js'
import type { Opened } from '../opening/command.js'
import type { PrintedTrees, Trees } from './diff-printer.js'

const TREE = 0o040000

/** Returns the first change; where objects are looked for, it may be that of a tree. */
export function firstChange(
  { reader }: Opened,
  { pathspec, reverse, showTrees, sought }: PrintedTrees,
  trees: Trees,
): FileChange | null {
  const [old, now] = trees.map((tree) => tree ?? undefined)
  const ends = reverse ? { old: now, new: old } : { old, new: now }
  const asked = { recursive: true, trees: showTrees || sought.length > 0, pathspec }
  let first: FileChange | null = null
  reader.pages({ kind: 'diff', ...ends, ...asked }, (page) => {
    for (const change of decodeChanges(new Uint8Array(page), undefined)) first ??= change
  })
  return first
}

export function isOfTree({ oldMode, newMode }: FileChange): boolean {
  return oldMode === TREE || newMode === TREE
}
