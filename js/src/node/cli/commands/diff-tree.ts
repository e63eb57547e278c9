/** `diff-tree`: compares two trees, or a commit with its parent. */

import { parseOptions } from '../args/options.js'
import { cutAtNul, readRequests } from '../args/requests.js'
import { compileQuickly } from '../base/compiler.js'
import { fatal, Help, Misused } from '../base/exit.js'
import { diffPalette } from '../color/color-config.js'
import {
  caseOption,
  clearFormats,
  diffOptions,
  hasFormat,
  newDiffArgs,
  outputOf,
  refuseParentPaths,
  settle,
} from '../diff/diff-args.js'
import { configure } from '../diff/diff-config.js'
import type { PrintedTrees, Trees } from '../diff/diff-printer.js'
import { ChangePrinter } from '../diff/diff-printer.js'
import { firstChange, isOfTree } from '../diff/first-change.js'
import { printMerge, printMergeTables } from '../diff/merge-printer.js'
import { soughtFilter } from '../diff/sought-objects.js'
import { PlainLines } from '../log/log-lines.js'
import { ShownCommits, shownOptions } from '../log/shown-commits.js'
import type { Command, Opened } from '../opening/command.js'
import { PrettyArgs } from '../pretty/pretty-args.js'
import { commitOf } from '../repository/commits.js'
import { pathspecOf } from '../repository/pathspec.js'
import { mergeBase, splitArguments } from '../revisions/revision-args.js'
import { fromBytes } from '../text/bytes.js'

interface Parsed extends PrintedTrees {
  /** How a merge is compared with all parents. */
  merges: 'combined' | 'dense' | 'separate' | null
  root: boolean
  commitId: boolean
  mergeBase: boolean
  stdin: boolean
  /** Commits are shown as `log` does, not only their ids. */
  showsCommits: boolean
  /** What shows them. */
  shown: ShownCommits | null
  exitCode: boolean
  quiet: boolean
  /** Whether the last two trees that were compared differ. */
  hasChanges: boolean
}

export function diffTree(command: Command, args: readonly string[]): number {
  const parsed: Parsed = {
    ...{ recursive: false, showTrees: false, root: false, commitId: true, merges: null },
    ...{ mergeBase: false, stdin: false, exitCode: false, quiet: false, hasChanges: false },
    ...{ showsCommits: false, shown: null },
    ...newDiffArgs(),
  }
  if (args[0] === '-h') throw new Help()
  compileQuickly()
  const opened = command.open()
  configure(parsed, opened)
  const pretty = new PrettyArgs(opened, false, true)
  const dashes = args.indexOf('--')
  const [before, after] = dashes < 0 ? [args, []] : [args.slice(0, dashes), args.slice(dashes + 1)]
  const merges = (merges: Parsed['merges']) => {
    // As in git, a later option about merges takes back what was asked of their paths.
    Object.assign(parsed, { merges, namesParents: false })
  }
  const rest = parseOptions(
    [
      { short: 'r', set: () => (parsed.recursive = true) },
      { short: 't', set: () => (parsed.recursive = parsed.showTrees = true) },
      { long: 'root', set: () => (parsed.root = true) },
      { short: 'm', set: () => merges('separate') },
      { long: 'stdin', set: () => (parsed.stdin = true) },
      { short: 'c', set: () => merges('combined') },
      { long: 'cc', set: () => merges('dense') },
      { long: 'combined-all-paths', set: () => (parsed.namesParents = true) },
      { long: 'merge-base', set: () => (parsed.mergeBase = true) },
      { long: 'exit-code', set: () => (parsed.exitCode = true) },
      { long: 'quiet', set: () => (parsed.quiet = parsed.exitCode = true) },
      {
        ...{ short: 's', long: 'no-patch' },
        set() {
          clearFormats(parsed)
          parsed.isSilent = true
        },
      },
      { long: 'no-commit-id', set: () => (parsed.commitId = false) },
      ...shownOptions(pretty, () => (parsed.showsCommits = true)),
      caseOption(parsed),
      ...diffOptions(parsed),
    ],
    before,
  )
  parsed.filter = soughtFilter(opened, parsed, parsed.filter ?? null)
  refuseParentPaths(parsed, parsed.merges === 'combined' || parsed.merges === 'dense')
  if (parsed.quiet) clearFormats(parsed)
  const isChosen = hasFormat(parsed)
  parsed.isSilent = parsed.quiet || (parsed.isSilent === true && !isChosen)
  const palette = diffPalette(opened.settings)
  settle(parsed, opened.io, { palette, isStrict: !parsed.stdin })
  // Of commits that are no merges, too.
  if (parsed.merges === 'dense' && !isChosen && !parsed.isSilent) parsed.patch = true
  if (rest.length === 0 && !parsed.stdin) throw new Misused()
  const { revisions, paths } = splitArguments(opened, rest, dashes >= 0)
  const all = [...paths, ...after]
  if (all.length > 0) parsed.pathspec = pathspecOf(opened, all)
  if (parsed.showsCommits && parsed.commitId) {
    if (parsed.exitCode) throw fatal('packlens does not support --pretty with --exit-code')
    const merges = parsed.merges ?? 'off'
    parsed.shown = new ShownCommits(opened, parsed, { pretty, merges, showsRoot: parsed.root })
  }
  const trees = revisions.map(({ oid }) => oid)
  if (revisions[1]?.excluded) trees.reverse()
  if (trees.length > 0) printNamed(opened, parsed, trees)
  if (parsed.stdin) {
    for (const line of readRequests(opened.io, false)) {
      answerLine(opened, parsed, cutAtNul(line).toString('latin1'))
    }
  }
  const isDifferent = parsed.exitCode && parsed.hasChanges
  return (isDifferent ? 1 : 0) | (parsed.check?.hasErrors ? 2 : 0)
}

/** Prints what the revisions of the command line differ in. */
function printNamed(opened: Opened, parsed: Parsed, trees: string[]): void {
  const [first = '', second] = trees
  if (parsed.mergeBase) {
    if (trees.length !== 2) throw fatal('--merge-base only works with two commits')
    trees[0] = mergeBase(opened, first, second ?? '')
  }
  // git prints nothing for more trees, such as those of a...b.
  if (trees.length > 2) return
  if (second !== undefined) {
    printTrees(opened, parsed, '', [trees[0] ?? '', second])
    return
  }
  const commit = commitOf(opened, first)
  if (commit !== null) printCommit(opened, parsed, commit, parentsOf(opened, commit))
}

/** Answers a line of standard input; prints it if it begins with no id. */
function answerLine(opened: Opened, parsed: Parsed, line: string): void {
  const { io, reader } = opened
  const id = new RegExp(`^[0-9a-f]{${reader.hexLength}}`, 'i')
  const oid = id.exec(line)?.[0].toLowerCase()
  if (oid === undefined) {
    io.write(Buffer.from(`${line}\n`, 'latin1'))
    return
  }
  const rest = line.slice(oid.length)
  const info = reader.info(oid)
  if (info?.type === 'commit') {
    const given: string[] = []
    for (let left = rest; /^\s/.test(left) && id.test(left.slice(1)); ) {
      given.push(left.slice(1, oid.length + 1).toLowerCase())
      left = left.slice(oid.length + 1)
    }
    printCommit(opened, parsed, oid, given.length > 0 ? given : parentsOf(opened, oid))
  } else if (info?.type === 'tree') {
    const other = /^\s/.test(rest) && rest.length === oid.length + 1 ? id.exec(rest.slice(1)) : null
    if (!other) {
      io.writeError('error: Need exactly two trees, separated by a space\n')
      return
    }
    const second = other[0].toLowerCase()
    const type = reader.info(second)?.type
    if (type === undefined) return
    if (type !== 'tree') {
      io.writeError(`error: Object ${second} not a tree\n`)
      return
    }
    io.write(Buffer.from(`${oid} ${second}\n`))
    printTrees(opened, parsed, '', [oid, second])
  } else if (info) {
    io.writeError(`error: Object ${oid} is a ${info.type}, not a commit or tree\n`)
  }
}

/** Prints what a commit changes, compared with these parents. */
function printCommit(opened: Opened, parsed: Parsed, commit: string, parents: string[]): void {
  if (parsed.shown) {
    parsed.shown.print(commit, parents)
    return
  }
  const line = parsed.commitId ? `${commit}${parsed.nulTerminated ? '\0' : '\n'}` : ''
  if (parents.length > 1 && parsed.merges !== 'separate') {
    if (parsed.merges) printCombined(opened, parsed, commit, parents)
    return
  }
  if (parents.length === 0 && parsed.root) printTrees(opened, parsed, line, [null, commit])
  for (const parent of parents) printTrees(opened, parsed, line, [parent, commit])
}

function printTrees(opened: Opened, parsed: Parsed, line: string, trees: Trees): void {
  // Of trees after such that differ git looks at nothing with --quiet, and takes them for the same
  // unless lines decide.
  if (parsed.quiet && parsed.hasChanges && !parsed.filter) {
    parsed.hasChanges = choosesLines(parsed)
    return
  }
  const lines = outputOf(parsed, opened.io)
  // With --quiet git stops at the first change, whether it is then chosen or not.
  const chooses = parsed.pickaxe.pickaxe !== undefined || parsed.sought.length > 0
  const stops = parsed.quiet && chooses && !parsed.choosesKinds
  const first = stops ? firstChange(opened, parsed, trees) : null
  if (first && isOfTree(first)) {
    // A tree has no text.
    parsed.hasChanges = parsed.filter?.(first) ?? false
    return
  }
  const pathspec = first && opened.reader.specs([`:(literal)${fromBytes(first.pathBytes)}`])
  const args = pathspec ? { ...parsed, pathspec } : parsed
  const hasFiles = new ChangePrinter(opened, args, () => line, lines).print(trees)
  lines.flush()
  // Where lines decide, trees with the same files leave the answer of those before.
  if (!parsed.exitCode || (!hasFiles && choosesLines(parsed))) return
  parsed.hasChanges = hasFiles && hasChangedLines(opened, parsed, trees)
}

/** Whether not every line that differs counts. */
function choosesLines({ ignoredLines, spaces }: Parsed): boolean {
  return spaces.size > 0 || ignoredLines.length > 0
}

/** Whether changed files differ in lines that count. */
function hasChangedLines(opened: Opened, parsed: Parsed, trees: Trees): boolean {
  if (!choosesLines(parsed)) return true
  const patches = { ...parsed, isSilent: false }
  clearFormats(patches)
  patches.patch = true
  let isFound = false
  const add = (text: string) => {
    if (text !== '') isFound = true
  }
  new ChangePrinter(opened, patches, () => '', { add }).print(trees)
  return isFound
}

function printCombined(
  opened: Opened,
  parsed: Parsed,
  commit: string,
  parents: readonly string[],
): void {
  const dense = parsed.merges === 'dense'
  if (!hasFormat(parsed) && !parsed.isSilent) parsed[dense ? 'patch' : 'raw'] = true
  const lines = outputOf(parsed, opened.io)
  if (parsed.commitId) lines.add(`${commit}${parsed.nulTerminated ? '\0' : '\n'}`)
  const separated = printMergeTables(opened, parsed, [parents[0] ?? null, commit], lines)
  if (parsed.raw || parsed.nameOnly || parsed.nameStatus || parsed.patch) {
    const how = { before: '', dense, parents, separated, lines: new PlainLines(lines) }
    printMerge(opened, parsed, commit, how)
  }
  lines.flush()
}

/** Returns the parents of a commit. */
function parentsOf({ reader }: Opened, commit: string): string[] {
  const parents: string[] = []
  for (;;) {
    const parent = reader.find(`${commit}^${parents.length + 1}`)
    if (parent === null) return parents
    parents.push(parent)
  }
}
