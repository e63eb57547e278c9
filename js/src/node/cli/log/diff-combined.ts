/** `diff` of more than two trees: how the first of them differs from all others. */

import type { Option } from '../args/options.js'
import { outputOf } from '../diff/diff-args.js'
import type { PrintedTrees } from '../diff/diff-printer.js'
import { printMerge, printMergeTables } from '../diff/merge-printer.js'
import type { Opened } from '../opening/command.js'
import type { Revision } from '../revisions/revisions.js'
import { PlainLines } from './log-lines.js'

/** How merges are shown; `null` if no option says it. */
export interface CombinedArgs {
  combined: 'combined' | 'dense' | null
}

/** Returns the options about merges. Two trees are none: there git ignores these options. */
export function combinedOptions(args: PrintedTrees & CombinedArgs): Option[] {
  return [
    { short: 'c', set: () => (args.combined = 'combined') },
    { long: 'cc', set: () => (args.combined = 'dense') },
    { short: 'm', set: () => undefined },
    { long: 'combined-all-paths', set: () => (args.namesParents = true) },
  ]
}

/** Prints how one tree differs from several. */
export function printCombined(
  opened: Opened,
  args: PrintedTrees & CombinedArgs,
  revisions: readonly Revision[],
  write: (bytes: Uint8Array) => void,
): void {
  // The parents of `<commit>^@` are none that is compared with others.
  const found = revisions.findIndex(({ isParent }) => isParent !== true)
  const at = Math.max(found, 0)
  const result = revisions[at]?.oid ?? ''
  const parents = revisions.filter((_, place) => place !== at).map(({ oid }) => oid)
  const lines = outputOf(args, { ...opened.io, write })
  const separated = printMergeTables(opened, args, [parents[0] ?? null, result], lines)
  if (args.raw || args.nameOnly || args.nameStatus || args.patch) {
    const dense = args.combined !== 'combined'
    const how = { before: '', dense, parents, separated, lines: new PlainLines(lines) }
    printMerge(opened, args, result, how)
  }
  lines.flush()
}
