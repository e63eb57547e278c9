/** The first change of two trees: where git stops when only the exit code is asked for. */
import type { FileChange } from '../../../base/types.js'
import { pagesOf } from '../../../engine/local-pages.js'
import { decodeChanges } from '../../../objects/change.js'
import { expectSync } from '../../../session/task.js'
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
  const pages = pagesOf(reader.session, { kind: 'diff', ...ends, ...asked })
  try {
    while (!pages.done) {
      for (const change of decodeChanges(expectSync(pages.next(1, {})), undefined)) return change
    }
  } finally {
    pages.end()
  }
  return null
}

export function isOfTree({ oldMode, newMode }: FileChange): boolean {
  return oldMode === TREE || newMode === TREE
}
