/** `diff`: compares the trees of two commits. */
import type { Command, Opened } from './command.js'
import { compileQuickly } from './compiler.js'
import { caseOption, diffOptions, newDiffArgs } from './diff-args.js'
import type { PrintedTrees } from './diff-printer.js'
import { ChangePrinter } from './diff-printer.js'
import { Exit, fatal } from './exit.js'
import { parseOptions } from './options.js'
import { Lines } from './output.js'
import { pathspecOf } from './pathspec.js'
import type { Arguments } from './revision-args.js'
import { mergeBase, splitArguments } from './revision-args.js'

const USAGE = `usage: packlens diff [<options>] <commit> <commit> [--] [<path>...]
   or: packlens diff [<options>] <commit>..<commit> [--] [<path>...]
   or: packlens diff [<options>] <commit>...<commit> [--] [<path>...]

    --merge-base          compare with the merge base of the two commits
    --exit-code           exit with 1 if there were differences, otherwise 0
    --quiet               print nothing (implies --exit-code)
    -s, --no-patch        print nothing

The other options are those of 'packlens diff-tree'; renames are found by default.

`

interface Parsed extends PrintedTrees {
  mergeBase: boolean
  exitCode: boolean
  quiet: boolean
  silent: boolean
}

export function diff(command: Command, args: readonly string[]): number {
  const parsed: Parsed = {
    ...newDiffArgs(),
    ...{ recursive: true, showTrees: false, digits: 0, renames: { renames: 'renames' } },
    ...{ mergeBase: false, exitCode: false, quiet: false, silent: false },
  }
  const dashes = args.indexOf('--')
  const [before, after] = dashes < 0 ? [args, []] : [args.slice(0, dashes), args.slice(dashes + 1)]
  const unsupported = (long: string) => ({
    ...{ long, set: () => fatalOf(`packlens diff does not support --${long}: name two commits`) },
  })
  const rest = parseOptions(
    [
      { long: 'merge-base', set: () => (parsed.mergeBase = true) },
      { long: 'exit-code', set: () => (parsed.exitCode = true) },
      { long: 'quiet', set: () => (parsed.quiet = parsed.exitCode = true) },
      { short: 's', long: 'no-patch', set: () => (parsed.silent = true) },
      ...['cached', 'staged', 'no-index'].map(unsupported),
      caseOption(parsed),
      ...diffOptions(parsed),
    ],
    before,
    USAGE,
  )
  const { nameOnly, nameStatus, raw, numstat, stat, shortstat, summary } = parsed
  if (nameOnly && nameStatus) {
    throw fatal("options '--name-only' and '--name-status' cannot be used together")
  }
  if (nameOnly || nameStatus) {
    Object.assign(parsed, { raw: false, patch: false, numstat: false })
    Object.assign(parsed, { stat: false, shortstat: false, summary: false })
  } else if (!(raw || numstat || stat || shortstat || summary)) parsed.patch = true
  compileQuickly('walk')
  const opened = command.open()
  const given = splitArguments(opened, rest, dashes >= 0)
  const trees = treesOf(opened, given, parsed)
  const paths = [...given.paths, ...after]
  if (paths.length > 0) parsed.pathspec = pathspecOf(opened, paths)
  let isEmpty = true
  const write = (bytes: Uint8Array) => {
    if (bytes.byteLength > 0) isEmpty = false
    if (!parsed.quiet && !parsed.silent) opened.io.write(bytes)
  }
  const lines = new Lines({ ...opened.io, write })
  lines.keepsColors = parsed.color
  new ChangePrinter(opened, parsed, () => '', lines).print(trees)
  lines.flush()
  return parsed.exitCode && !isEmpty ? 1 : 0
}

function fatalOf(what: string): never {
  throw fatal(what)
}

/** Returns the two trees that arguments name. */
function treesOf(
  opened: Opened,
  { revisions, symmetric }: Arguments,
  parsed: Parsed,
): [old: string, now: string] {
  const [first, second, base, ...others] = revisions
  if (!first || !second) {
    throw fatal('packlens diff reads no work tree and no index: name two commits')
  }
  if (symmetric) {
    const name = `${first.name}...${second.name}`
    if (!base) throw fatal(`${name}: no merge base`)
    if (parsed.mergeBase) throw new Exit(129, USAGE)
    if (others.length > 0) {
      const what = `warning: ${name}: multiple merge bases, using ${base.oid}\n`
      opened.io.writeError(what)
    }
    return [base.oid, second.oid]
  }
  if (base) throw fatal('packlens diff compares two trees, not more')
  for (const { oid, name } of [first, second]) {
    if (opened.reader.find(`${oid}^{tree}`) !== null) continue
    throw fatal(`packlens diff compares trees, and '${name ?? oid}' is none`)
  }
  const [one, other] = second.excluded ? [second, first] : [first, second]
  return [parsed.mergeBase ? mergeBase(opened, one.oid, other.oid) : one.oid, other.oid]
}
