/** Prints how a merge differs from all of its parents: `-c` and `--cc`. */
import type { CombinedPatch } from '../../../base/types.js'
import { statusOf } from '../../../objects/change.js'
import { decodeCombined, parentFilesOf } from '../../../objects/combined-patch.js'
import { fatal } from '../base/exit.js'
import { RESET } from '../color/palette.js'
import type { LogLines } from '../log/log-lines.js'
import type { Opened } from '../opening/command.js'
import { fromBytes, toBytes } from '../text/bytes.js'
import { ordered } from './change-order.js'
import { letterOf, modeText, shortenedId } from './change-text.js'
import { depthAsked } from './depth-args.js'
import { abbrevAsked, patchesAsked } from './diff-args.js'
import { paintedMerge } from './diff-colors.js'
import type { ChangeKind, DiffFilter } from './diff-filter.js'
import { ChangePrinter, type PrintedTrees, type Trees } from './diff-printer.js'
import { mergeText } from './patch-text.js'
import { prefixOf } from './relative-args.js'

/** The first lines of a patch, that about modes, and the rest. */
const MODES = /^(diff[^\n]*\nindex[^\n]*\n)(mode [^\n]*\n)([\s\S]*)$/

export interface MergePrinting {
  /** The line of the merge's id. */
  readonly before: string
  readonly dense: boolean
  /** Other parents than the commit's own. */
  readonly parents?: readonly string[]
  readonly lines: Pick<LogLines, 'add' | 'addUnprefixed'>
  /** Whether patches are separated from what was printed before. */
  readonly separated?: boolean
}

/** Prints the tables of a merge, which are about its first parent; returns whether any is asked. */
export function printMergeTables(
  opened: Opened,
  args: PrintedTrees,
  trees: Trees,
  lines: Pick<LogLines, 'add'>,
): boolean {
  const { numstat, stat, shortstat, summary, dirStat } = args
  const isCounted = numstat || stat || shortstat || summary || dirStat !== null
  if (isCounted) {
    const tables = { ...args, raw: false, patch: false, nameOnly: false, nameStatus: false }
    new ChangePrinter(opened, tables, () => '', lines).print(trees)
  }
  return isCounted
}

/** Prints a merge, after the line of its id. */
export function printMerge(
  opened: Opened,
  args: PrintedTrees,
  commit: string,
  { before, dense, parents = [], lines, separated = false }: MergePrinting,
): void {
  const { algorithm, context, whitespace, withoutIndentHeuristic, pathspec } = patchesAsked(args)
  if (args.ignoredLines.length > 0) {
    throw fatal("combined diff and '--ignore-matching-lines' cannot be used together")
  }
  if (args.order?.start !== undefined) {
    throw fatal('packlens does not support --rotate-to and --skip-to with -c or --cc')
  }
  if (depthAsked(args) !== undefined) {
    throw fatal('packlens does not support --max-depth with -c or --cc')
  }
  // Here git does not look at --abbrev.
  const abbrev = abbrevAsked({ fullIndex: args.fullIndex, digits: args.defaultDigits })
  const texts = { algorithm, context, whitespace, withoutIndentHeuristic }
  const attributes = opened.attributes.tree
  const chosen = { ...args.renames, ...args.pickaxe, pathspec, attributes }
  const asked = { ...texts, ...chosen, abbrev, dense, namesParents: args.namesParents }
  // git looks at --relative only where it compares with one parent after the other.
  const { renames = 'none', splitScore } = args.renames
  const { pickaxe } = args.pickaxe
  const isTransformed = renames !== 'none' || splitScore !== undefined || pickaxe !== undefined
  const isOneByOne = isTransformed || args.choosesKinds === true
  // Otherwise git ignores it.
  if (args.reverse && isOneByOne) throw fatal('packlens does not support such -R with -c or --cc')
  const relative = toBytes(isOneByOne ? prefixOf(args) : '')
  const others = { relative, parents: opened.reader.specs(parents) }
  const question = { kind: 'combinedPatches', spec: commit, ...asked, ...others } as const
  const end = args.nulTerminated ? '\0' : '\n'
  const { raw, nameOnly, nameStatus } = args
  const patches: string[] = []
  let hasFiles = false
  // git prints the id of each merge.
  lines.add(before)
  const isListed = raw || nameOnly || nameStatus
  const use = (file: CombinedPatch) => {
    if (!isChosen(file, args.filter, isOneByOne)) return
    hasFiles = true
    if (isListed) {
      const line = lineOf(opened, args, file, end)
      // git draws no graph beside names.
      if (nameOnly || nameStatus) lines.addUnprefixed(line)
      else lines.add(line)
    }
    if (args.patch) patches.push(mergeText(opened, file, args))
  }
  ordered(args.order, use, (found) => {
    opened.reader.pages(question, (page) => {
      for (const file of decodeCombined(new Uint8Array(page))) found(file)
    })
  })
  if ((isListed || separated) && args.patch && hasFiles) lines.add(end)
  const { palette } = args
  const shown = (part: string) => (palette ? paintedMerge(palette, part) : part)
  for (const patch of patches) {
    const [, head = patch, modes = '', rest = ''] = MODES.exec(patch) ?? []
    lines.add(shown(head))
    // git draws no graph beside the line about modes, and ends a color there that it has not set.
    if (modes !== '') lines.addUnprefixed(palette ? modes.replace('\n', `${RESET}\n`) : modes)
    lines.add(shown(rest))
  }
}

/**
 * Returns whether a filter chooses a file: its changes from all parents where git compares with one
 * after the other, otherwise one of them.
 */
function isChosen(
  file: CombinedPatch,
  filter: DiffFilter | null | undefined,
  isOneByOne: boolean,
): boolean {
  if (!filter) return true
  const { oid, parents } = file
  const changes = parents.map((parent, at): ChangeKind => {
    const status = statusFrom(file, at)
    return { status, oldOid: parent.oid, newOid: oid, dissimilarity: null }
  })
  return isOneByOne ? changes.every(filter) : changes.some(filter)
}

/** Returns what happened to the file of a parent. */
function statusFrom(file: CombinedPatch, at: number): ReturnType<typeof statusOf> {
  const record = parentFilesOf(file)[at]?.record
  if (record === 'renamed' || record === 'copied') return record
  return statusOf([file.parents[at]?.mode ?? null, file.mode])
}

function lineOf(
  opened: Opened,
  { nameOnly, nameStatus, namesParents, nulTerminated, digits }: PrintedTrees,
  file: CombinedPatch,
  end: string,
): string {
  const { pathBytes, mode, oid, parents } = file
  const files = parentFilesOf(file)
  const separator = nulTerminated ? '\0' : '\t'
  const named = [...(namesParents ? files : []), { pathBytes }].map((one) => {
    const path = fromBytes(one.pathBytes)
    return nulTerminated ? path : opened.quote(path)
  })
  const paths = named.join(separator)
  if (nameOnly) return paths + end
  const letters = parents.map((_, at) => letterOf(statusFrom(file, at)))
  const line = `${letters.join('')}${separator}${paths}${end}`
  if (nameStatus) return line
  const sides = [...parents, { mode, oid }]
  const modes = sides.map((side) => modeText(side.mode))
  const oids = sides.map((side) => {
    const whole = side.oid ?? '0'.repeat(opened.reader.hexLength)
    return digits === null ? whole : shortenedId(opened, whole, digits)
  })
  return `${':'.repeat(parents.length)}${modes.join(' ')} ${oids.join(' ')} ${line}`
}
