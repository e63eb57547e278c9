/** The moved lines of all patches of a comparison. */
import type { FilePatch } from '../../../base/types.js'
import { fromBytes } from '../text/bytes.js'
import { splitAt } from './diff-colors.js'
import type { MovedArgs } from './moved-args.js'
import { type MovedLine, markMoved } from './moved-lines.js'

/** Returns patches with the lines of their hunks: a line may have been moved from another file. */
export function withMoved(
  patches: readonly FilePatch[],
  asked: MovedArgs['moved'],
): (readonly [patch: FilePatch, moved: readonly MovedLine[]])[] {
  const all = patches.map((patch) => {
    const [, hunks] = splitAt(fromBytes(patch.bytes), '@@')
    return hunks.split('\n').slice(0, -1)
  })
  // Before the hunks of each file is a line that is not compared.
  const marked = markMoved(
    all.flatMap((lines) => ['', ...lines]),
    asked,
  )
  let at = 0
  return patches.map((patch, number) => {
    const start = at + 1
    at = start + (all[number]?.length ?? 0)
    return [patch, marked.slice(start, at)] as const
  })
}
