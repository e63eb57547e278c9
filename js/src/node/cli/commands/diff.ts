/** `diff`: compares the trees of two commits, or two blobs. */

import { parseOptions } from '../args/options.js'
import { compileQuickly } from '../base/compiler.js'
import { fatal, Help, Misused } from '../base/exit.js'
import { configuredWhen, diffPalette } from '../color/color-config.js'
import {
  caseOption,
  diffOptions,
  hasFormat,
  newDiffArgs,
  outputOf,
  refuseParentPaths,
  settle,
} from '../diff/diff-args.js'
import { configureForUsers } from '../diff/diff-config.js'
import type { PrintedTrees } from '../diff/diff-printer.js'
import { ChangePrinter } from '../diff/diff-printer.js'
import { columnsOfTerminal } from '../diff/diff-stat.js'
import { soughtFilter } from '../diff/sought-objects.js'
import { type CombinedArgs, combinedOptions, printCombined } from '../log/diff-combined.js'
import type { Command, Opened } from '../opening/command.js'
import { pathspecOf } from '../repository/pathspec.js'
import type { Arguments } from '../revisions/revision-args.js'
import { mergeBase, splitArguments } from '../revisions/revision-args.js'

interface Parsed extends PrintedTrees, CombinedArgs {
  mergeBase: boolean
  exitCode: boolean
  quiet: boolean
  silent: boolean
}

export function diff(command: Command, args: readonly string[]): number {
  const parsed: Parsed = {
    ...newDiffArgs(),
    ...{ recursive: true, showTrees: false, digits: 0, renames: { renames: 'renames' } },
    combined: null,
    ...{ mergeBase: false, exitCode: false, quiet: false, silent: false },
  }
  if (args[0] === '-h') throw new Help()
  compileQuickly()
  const opened = command.open()
  configureForUsers(parsed, opened)
  parsed.colorWhen = configuredWhen(opened.settings)
  const dashes = args.indexOf('--')
  const [before, after] = dashes < 0 ? [args, []] : [args.slice(0, dashes), args.slice(dashes + 1)]
  const unsupported = (long: string) => ({
    ...{ long, set: () => fatalOf(`packlens diff does not support --${long}: name two commits`) },
  })
  const rest = parseOptions(
    [
      // Directories are always entered.
      { short: 'r', set: () => undefined },
      { short: 't', set: () => (parsed.showTrees = true) },
      { long: 'merge-base', set: () => (parsed.mergeBase = true) },
      { long: 'exit-code', set: () => (parsed.exitCode = true) },
      { long: 'quiet', set: () => (parsed.quiet = parsed.exitCode = true) },
      { short: 's', long: 'no-patch', set: () => (parsed.silent = true) },
      ...['cached', 'staged', 'no-index'].map(unsupported),
      caseOption(parsed),
      ...combinedOptions(parsed),
      ...diffOptions(parsed),
    ],
    before,
  )
  refuseParentPaths(parsed, parsed.combined !== null)
  // As git, which looks at files only for the exit code.
  if (parsed.exitCode) parsed.showTrees = false
  if (!hasFormat(parsed)) parsed.patch = true
  parsed.filter = soughtFilter(opened, parsed, parsed.filter ?? null)
  const { statWidths } = parsed
  const width = statWidths.width || columnsOfTerminal(opened.io.env)
  parsed.statWidths = { ...statWidths, width }
  settle(parsed, opened.io, { palette: diffPalette(opened.settings), isStrict: true })
  const given = splitArguments(opened, rest, dashes >= 0)
  const paths = [...given.paths, ...after]
  const trees = blobsOf(opened, given, paths) ?? treesOf(opened, given, parsed)
  if (paths.length > 0) parsed.pathspec = pathspecOf(opened, paths)
  let isEmpty = true
  const write = (bytes: Uint8Array) => {
    if (bytes.byteLength > 0) isEmpty = false
    if (!parsed.quiet && !parsed.silent) opened.io.write(bytes)
  }
  if (trees.length > 2) {
    printCombined(opened, parsed, given.revisions, write)
    // git says nothing of such changes by its exit code.
    return 0
  }
  const lines = outputOf(parsed, { ...opened.io, write })
  new ChangePrinter(opened, parsed, () => '', lines).print([trees[0], trees[1]])
  lines.flush()
  const isDifferent = parsed.exitCode && !isEmpty
  return (isDifferent ? 1 : 0) | (parsed.check?.hasErrors ? 2 : 0)
}

function fatalOf(what: string): never {
  throw fatal(what)
}

/** Returns the names of two blobs, if arguments name one. */
function blobsOf(
  { reader }: Opened,
  { revisions }: Arguments,
  paths: readonly string[],
): [old: string, now: string] | null {
  const blobs = revisions.filter(({ oid }) => reader.find(`${oid}^{blob}`) !== null)
  if (blobs.length === 0) return null
  const [, , third] = blobs
  if (third) throw fatal(`more than two blobs given: '${third.name ?? third.oid}'`)
  if (blobs.length !== 2 || revisions.length !== 2 || paths.length > 0) throw new Misused()
  const [one, other] = blobs.map(({ name, oid }) => name ?? oid)
  // Of a range, the end is known first.
  return blobs[1]?.excluded ? [other ?? '', one ?? ''] : [one ?? '', other ?? '']
}

/** Returns the trees that arguments name: two, or more to compare one of them with all others. */
function treesOf(
  opened: Opened,
  { revisions, symmetric, isMixed }: Arguments,
  parsed: Parsed,
): [old: string, now: string, ...others: string[]] {
  if (isMixed) throw new Misused()
  const [first, second, base, ...others] = revisions
  if (!first || !second) {
    throw fatal('packlens diff reads no work tree and no index: name two commits')
  }
  if (symmetric) {
    const name = `${first.name}...${second.name}`
    if (!base) throw fatal(`${name}: no merge base`)
    if (parsed.mergeBase) throw new Misused()
    if (others.length > 0) {
      const what = `warning: ${name}: multiple merge bases, using ${base.oid}\n`
      opened.io.writeError(what)
    }
    return [base.oid, second.oid]
  }
  if (base) {
    if (parsed.mergeBase) throw new Misused()
    return [first.oid, second.oid, base.oid]
  }
  const [one, other] = second.excluded ? [second, first] : [first, second]
  return [parsed.mergeBase ? mergeBase(opened, one.oid, other.oid) : one.oid, other.oid]
}
