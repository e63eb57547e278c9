/** `diff-tree`: compares two trees, or a commit with its parent. */
import type { Command, Opened } from './command.js'
import { commitOf } from './commits.js'
import { compileQuickly } from './compiler.js'
import { caseOption, diffOptions, hasFormat, newDiffArgs } from './diff-args.js'
import type { PrintedTrees, Trees } from './diff-printer.js'
import { ChangePrinter } from './diff-printer.js'
import { Exit, fatal } from './exit.js'
import { PlainLines } from './log-lines.js'
import { printMerge, printMergeTables } from './merge-printer.js'
import { parseOptions } from './options.js'
import { Lines } from './output.js'
import { pathspecOf } from './pathspec.js'
import { cutAtNul, readRequests } from './requests.js'
import { mergeBase, splitArguments } from './revision-args.js'

const USAGE = `usage: packlens diff-tree [<options>] <tree-ish> <tree-ish> [--] [<path>...]
   or: packlens diff-tree [<options>] <commit> [--] [<path>...]

    -r                    recurse into subtrees
    -t                    show trees when recursing
    --root                compare the first commit with the empty tree
    --no-commit-id        do not print the id of the commit
    -m                    compare a merge with each of its parents
    -c, --cc              compare a merge with all of its parents
    --stdin               compare what the lines of standard input name: <commit>, or
                          <commit> <parent>..., or <tree> <tree>
    --merge-base          compare with the merge base of the two commits
    -p, -u, --patch       print patches
    --raw                 print modes and ids
    --patch-with-raw      print both
    --numstat             print numbers of lines
    --stat[=<width>[,<name-width>[,<count>]]]
                          print a table of changed files
    --shortstat           print the sums of the table
    --summary             print created, deleted and renamed files
    --compact-summary     print the table, with created and deleted files and modes
    --patch-with-stat     print the table and patches
    -X<params>, --dirstat[=<params>]
                          print shares of directories; <params> are changes, lines or files,
                          cumulative, and the least percentage
    --cumulative, --dirstat-by-file[=<params>]
    --check               print what is added with conflict markers or errors of white space
    --diff-filter=<kinds> print only changes of these kinds, or with small letters others
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
    --word-diff[=<mode>]  compare words of changed lines; <mode> is plain, color, porcelain, none
    --word-diff-regex=<regex>
                          the expression finds words
    --color-words[=<regex>]
                          compare words, and print them in colors
    --color[=always|never|auto], --no-color
                          print colors; auto prints none
    --src-prefix=<prefix>, --dst-prefix=<prefix>, --no-prefix, --default-prefix
    --output-indicator-new=<char>, --output-indicator-old=<char>, --output-indicator-context=<char>
    -I<regex>, --ignore-matching-lines=<regex>
                          leave out changes of lines in which the expression is found
    -W, --[no-]function-context
                          print whole functions around changes
    -R                    compare the new tree with the old one
    -D, --irreversible-delete
                          print no lines of deleted files
    --binary              print contents of binary files in patches
    --[no-]indent-heuristic
    -M, --find-renames[=<n>]
    -C, --find-copies[=<n>], --find-copies-harder
    -B, --break-rewrites[=<n>[/<m>]]
    -l<n>                 look for renames among at most <n> files
    --no-renames, --[no-]rename-empty
    -S<string>            print files in which the string occurs another number of times
    -G<regex>             print files with changed lines that have the expression
    --pickaxe-regex       -S takes an extended regular expression
    --pickaxe-all         print all files if one is found
    -i                    -S and -G ignore case

`

interface Parsed extends PrintedTrees {
  /** How a merge is compared with all parents. */
  merges: 'combined' | 'dense' | 'separate' | null
  root: boolean
  commitId: boolean
  mergeBase: boolean
  stdin: boolean
}

export function diffTree(command: Command, args: readonly string[]): number {
  const parsed: Parsed = {
    ...{ recursive: false, showTrees: false, root: false, commitId: true, merges: null },
    ...{ mergeBase: false, stdin: false },
    ...newDiffArgs(),
  }
  const dashes = args.indexOf('--')
  const [before, after] = dashes < 0 ? [args, []] : [args.slice(0, dashes), args.slice(dashes + 1)]
  const rest = parseOptions(
    [
      { short: 'r', set: () => (parsed.recursive = true) },
      { short: 't', set: () => (parsed.recursive = parsed.showTrees = true) },
      { long: 'root', set: () => (parsed.root = true) },
      { short: 'm', set: () => (parsed.merges = 'separate') },
      { long: 'stdin', set: () => (parsed.stdin = true) },
      { short: 'c', set: () => (parsed.merges = 'combined') },
      { long: 'cc', set: () => (parsed.merges = 'dense') },
      { long: 'merge-base', set: () => (parsed.mergeBase = true) },
      { long: 'no-commit-id', set: () => (parsed.commitId = false) },
      caseOption(parsed),
      ...diffOptions(parsed),
    ],
    before,
    USAGE,
  )
  const isChosen = hasFormat(parsed)
  // Of commits that are no merges, too.
  if (parsed.merges === 'dense' && !isChosen) parsed.patch = true
  if (rest.length === 0 && !parsed.stdin) throw new Exit(129, USAGE)
  compileQuickly('walk')
  const opened = command.open()
  const { revisions, paths } = splitArguments(opened, rest, dashes >= 0)
  const all = [...paths, ...after]
  if (all.length > 0) parsed.pathspec = pathspecOf(opened, all)
  const trees = revisions.map(({ oid }) => oid)
  if (revisions[1]?.excluded) trees.reverse()
  if (trees.length > 0) printNamed(opened, parsed, trees)
  if (parsed.stdin) {
    for (const line of readRequests(opened.io, false)) {
      answerLine(opened, parsed, cutAtNul(line).toString('latin1'))
    }
  }
  return parsed.check?.hasErrors ? 2 : 0
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
    if (given.length > 1 && (parsed.merges === 'combined' || parsed.merges === 'dense')) {
      throw fatal('packlens does not support parents of --stdin with -c or --cc')
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
  const line = parsed.commitId ? `${commit}${parsed.nulTerminated ? '\0' : '\n'}` : ''
  if (parents.length > 1 && parsed.merges !== 'separate') {
    if (parsed.merges) printCombined(opened, parsed, commit)
    return
  }
  if (parents.length === 0 && parsed.root) printTrees(opened, parsed, line, [null, commit])
  for (const parent of parents) printTrees(opened, parsed, line, [parent, commit])
}

function printTrees(opened: Opened, parsed: Parsed, line: string, trees: Trees): void {
  const lines = new Lines(opened.io)
  lines.keepsColors = parsed.color
  new ChangePrinter(opened, parsed, () => line, lines).print(trees)
  lines.flush()
}

function printCombined(opened: Opened, parsed: Parsed, commit: string): void {
  if (parsed.filter) throw fatal('packlens does not support --diff-filter with -c or --cc')
  const dense = parsed.merges === 'dense'
  if (!hasFormat(parsed)) parsed[dense ? 'patch' : 'raw'] = true
  const lines = new Lines(opened.io)
  lines.keepsColors = parsed.color
  if (parsed.commitId) lines.add(`${commit}${parsed.nulTerminated ? '\0' : '\n'}`)
  const separated = printMergeTables(opened, parsed, [`${commit}^`, commit], lines)
  if (parsed.raw || parsed.nameOnly || parsed.nameStatus || parsed.patch) {
    const how = { before: '', dense, separated, lines: new PlainLines(lines) }
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
