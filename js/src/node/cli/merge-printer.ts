/** Prints how a merge differs from all of its parents: `-c` and `--cc`. */
import type { CombinedPatch } from '../../base/types.js'
import { statusOf } from '../../objects/change.js'
import { decodeCombined } from '../../objects/combined-patch.js'
import { fromBytes, quotePath } from './bytes.js'
import { letterOf, modeText } from './change-text.js'
import type { Opened } from './command.js'
import { patchesAsked } from './diff-args.js'
import type { PrintedTrees } from './diff-printer.js'
import { Lines } from './output.js'

/** Prints a merge, after the line of its id. */
export function printMerge(
  opened: Opened,
  args: PrintedTrees,
  commit: string,
  { before, dense }: { before: string; dense: boolean },
): void {
  const { algorithm, context, whitespace, withoutIndentHeuristic } = patchesAsked(args)
  // Here git does not look at --abbrev.
  const abbrev = args.fullIndex ? undefined : 0
  const asked = { algorithm, context, whitespace, withoutIndentHeuristic, abbrev, dense }
  const question = { kind: 'combinedPatches', spec: commit, ...asked } as const
  const end = args.nulTerminated ? '\0' : '\n'
  const { raw, nameOnly, nameStatus } = args
  const patches: string[] = []
  const lines = new Lines(opened.io)
  // git prints the id of each merge.
  lines.add(before)
  const isListed = raw || nameOnly || nameStatus
  opened.reader.pages(question, (page) => {
    for (const file of decodeCombined(new Uint8Array(page))) {
      if (isListed) lines.add(lineOf(opened, args, file, end))
      if (args.patch) patches.push(fromBytes(file.bytes))
    }
  })
  if (isListed && args.patch && patches.length > 0) lines.add(end)
  for (const patch of patches) lines.add(patch)
  lines.flush()
}

function lineOf(
  { reader }: Opened,
  { nameOnly, nameStatus, nulTerminated, digits }: PrintedTrees,
  { pathBytes, mode, oid, parents }: CombinedPatch,
  end: string,
): string {
  const path = nulTerminated ? fromBytes(pathBytes) : quotePath(fromBytes(pathBytes))
  if (nameOnly) return path + end
  const letters = parents.map((parent) => letterOf(statusOf([parent.mode, mode]))).join('')
  const line = `${letters}${nulTerminated ? '\0' : '\t'}${path}${end}`
  if (nameStatus) return line
  const sides = [...parents, { mode, oid }]
  const modes = sides.map((side) => modeText(side.mode))
  const oids = sides.map((side) => {
    const whole = side.oid ?? '0'.repeat(reader.hexLength)
    return digits === null ? whole : reader.abbreviate(whole, digits)
  })
  return `${':'.repeat(parents.length)}${modes.join(' ')} ${oids.join(' ')} ${line}`
}
