/** `diff-tree`: compares two trees, or a commit with its parent. */
import { bytesOfArgument, textOfBytes } from './bytes.js'
import type { Command, Opened } from './command.js'
import { commitOf } from './commits.js'
import { compileQuickly } from './compiler.js'
import { diffOptions, newDiffArgs } from './diff-args.js'
import type { PrintedTrees, Trees } from './diff-printer.js'
import { ChangePrinter } from './diff-printer.js'
import { Exit, fatal } from './exit.js'
import { PlainLines } from './log-lines.js'
import { printMerge } from './merge-printer.js'
import { parseOptions } from './options.js'
import { Lines } from './output.js'
import { findRevisions, unknownArgument } from './revisions.js'

const USAGE = `usage: packlens diff-tree [<options>] <tree-ish> <tree-ish>
   or: packlens diff-tree [<options>] <commit>

    -r                    recurse into subtrees
    -t                    show trees when recursing
    --root                compare the first commit with the empty tree
    --no-commit-id        do not print the id of the commit
    -c, --cc              compare a merge with all of its parents
    -p, -u, --patch       print patches
    --raw                 print modes and ids
    --patch-with-raw      print both
    --numstat             print numbers of lines
    --stat[=<width>[,<name-width>[,<count>]]]
                          print a table of changed files
    --shortstat           print the sums of the table
    --summary             print created, deleted and renamed files
    --patch-with-stat     print the table and patches
    --name-only           print names
    --name-status         print names and what happened
    -z                    terminate entries with NUL byte
    --full-index          print all digits of ids in patches
    --abbrev[=<n>]        print <n> digits of ids
    -U<n>, --unified=<n>  print <n> lines around changes
    --inter-hunk-context=<n>
    --minimal, --patience, --histogram, --diff-algorithm=<algorithm>
    -w, --ignore-all-space
    -b, --ignore-space-change
    --ignore-space-at-eol
    --ignore-cr-at-eol
    --ignore-blank-lines
    --[no-]indent-heuristic
    -M, --find-renames[=<n>]
    -C, --find-copies[=<n>], --find-copies-harder
    -B, --break-rewrites[=<n>[/<m>]]
    -l<n>                 look for renames among at most <n> files
    --no-renames, --[no-]rename-empty

`

interface Parsed extends PrintedTrees {
  /** How a merge is compared with all parents. */
  merges: 'combined' | 'dense' | null
  root: boolean
  commitId: boolean
}

export function diffTree(command: Command, args: readonly string[]): number {
  const parsed: Parsed = {
    ...{ recursive: false, showTrees: false, root: false, commitId: true, merges: null },
    ...newDiffArgs(),
  }
  const rest = parseOptions(
    [
      { short: 'r', set: () => (parsed.recursive = true) },
      { short: 't', set: () => (parsed.recursive = parsed.showTrees = true) },
      { long: 'root', set: () => (parsed.root = true) },
      { short: 'c', set: () => (parsed.merges = 'combined') },
      { long: 'cc', set: () => (parsed.merges = 'dense') },
      { long: 'no-commit-id', set: () => (parsed.commitId = false) },
      ...diffOptions(parsed),
    ],
    args,
    USAGE,
  )
  const shown = [parsed.nameOnly, parsed.nameStatus].filter(Boolean)
  if (shown.length > 1) {
    throw fatal("options '--name-only' and '--name-status' cannot be used together")
  }
  // Names exclude everything else, in git.
  if (shown.length === 1) {
    parsed.raw = parsed.patch = parsed.numstat = false
    parsed.stat = parsed.shortstat = parsed.summary = false
  }
  if (rest.length === 0) throw new Exit(129, USAGE)
  if (rest.length > 2) throw fatal('packlens diff-tree does not support paths')
  compileQuickly('walk')
  const opened = command.open()
  const [first = '', second] = rest.map((arg) => named(opened, arg))
  if (second !== undefined) {
    printTrees(opened, parsed, '', [first, second])
    return 0
  }
  const commit = commitOf(opened, first)
  if (commit === null) return 0
  if (parsed.merges && opened.reader.find(`${commit}^2`) !== null) {
    printCombined(opened, parsed, commit)
    return 0
  }
  const old = oldOf(opened, parsed, commit)
  if (old === undefined) return 0
  const line = parsed.commitId ? `${commit}${parsed.nulTerminated ? '\0' : '\n'}` : ''
  printTrees(opened, parsed, line, [old, commit])
  return 0
}

function printTrees(opened: Opened, parsed: Parsed, line: string, trees: Trees): void {
  const lines = new Lines(opened.io)
  new ChangePrinter(opened, parsed, () => line, lines).print(trees)
  lines.flush()
}

function printCombined(opened: Opened, parsed: Parsed, commit: string): void {
  if (parsed.numstat || parsed.stat || parsed.shortstat || parsed.summary) {
    throw fatal('packlens diff-tree does not support --numstat and its like with -c or --cc')
  }
  const dense = parsed.merges === 'dense'
  if (!(parsed.raw || parsed.nameOnly || parsed.nameStatus || parsed.patch)) {
    parsed[dense ? 'patch' : 'raw'] = true
  }
  const before = parsed.commitId ? `${commit}${parsed.nulTerminated ? '\0' : '\n'}` : ''
  const lines = new Lines(opened.io)
  printMerge(opened, parsed, commit, { before, dense, lines: new PlainLines(lines) })
  lines.flush()
}

function named(opened: Opened, arg: string): string {
  const name = bytesOfArgument(arg)
  const found = findRevisions(opened, name)
  if (found.kind === 'one' && !found.revision.excluded) {
    opened.names.warn(name)
    return found.revision.oid
  }
  if (found.kind === 'none') {
    if (found.why.errors !== '') opened.io.writeError(found.why.errors)
    throw unknownArgument(textOfBytes(name), found.why.path)
  }
  throw fatal(`packlens diff-tree does not support '${arg}': name two trees`)
}

/** Returns what a commit is compared with; `undefined` if git prints nothing for it. */
function oldOf({ reader }: Opened, { root }: Parsed, commit: string): string | null | undefined {
  const parent = reader.find(`${commit}^1`)
  if (parent === null) return root ? null : undefined
  return reader.find(`${commit}^2`) === null ? parent : undefined
}
