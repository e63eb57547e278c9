/** `blame`: finds the commits that last changed the lines of a file. */
import { encodeTexts } from '../../base/specs.js'
import { decodeBlamed } from '../../objects/blamed.js'
import { encodedLines } from '../../questions/blame.js'
import type { BlameArgs, Operands } from './blame-args.js'
import { parseArgs } from './blame-args.js'
import { commitReader } from './blame-commits.js'
import { Table } from './blame-default.js'
import { ignoredCommits } from './blame-ignored.js'
import { rangesOf } from './blame-lines.js'
import { Porcelain } from './blame-porcelain.js'
import type { BlamedRange } from './blame-ranges.js'
import { inOrder, rangeOf } from './blame-ranges.js'
import type { Target } from './blame-target.js'
import { findTarget } from './blame-target.js'
import { toBytes } from './bytes.js'
import type { Command, Opened } from './command.js'
import { compileQuickly } from './compiler.js'
import { linesMatching } from './file-lines.js'
import { Lines } from './output.js'

const USAGE = `usage: packlens blame [<options>] [<rev> | <range>] [--] <file>

    -p, --[no-]porcelain  print a format for machines
    --[no-]line-porcelain print it with all facts about each line
    --[no-]incremental    print ranges of lines as they are found
    -L <start>,<end>, -L :<function>
                          only these lines; may be repeated
    -c                    print what 'git annotate' prints
    -l                    print all digits of ids
    -t                    print raw dates
    -s                    print no authors and dates
    -f, --[no-]show-name  print the names of files
    -n, --[no-]show-number
                          print the numbers of lines in their commits
    -e, --[no-]show-email print addresses instead of names
    -b                    print no ids of boundary commits
    --[no-]root           commits without parents are no boundaries
    --[no-]abbrev[=<n>]   print <n> digits of ids
    --date=<format>       how dates are printed
    -w                    ignore white space
    -M[<n>], -C[<n>]      also find lines that were moved or copied
    --first-parent        follow only first parents
    --ignore-rev <rev>    lines of <rev> are guessed to be older ones
    --ignore-revs-file <file>
                          the same, of the ids in a file
    --since=<epoch>, --max-age=<epoch>
                          do not follow lines beyond older commits
    --reverse             find the last commits of lines of <start>..<end>
    --minimal, --diff-algorithm=<algorithm>
    --[no-]indent-heuristic

`

export function blame(command: Command, args: readonly string[]): number {
  const parsed = parseArgs(args, USAGE)
  compileQuickly('walk')
  const opened = command.open()
  const target = findTarget(opened, parsed, parsed.following.reverse === true, USAGE)
  const lines = new Lines(opened.io)
  try {
    print(opened, parsed, target, lines)
  } finally {
    lines.flush()
  }
  return 0
}

function print(opened: Opened, args: BlameArgs & Operands, target: Target, lines: Lines): void {
  const text = target.lines
  const matching = (pattern: string) => linesMatching(opened, target.oid, pattern)
  const asked = rangesOf(args.ranges, { lines: text, shown: target.shown, matching }, USAGE)
  const commits = commitReader(opened)
  const porcelain = new Porcelain(lines, commits)
  const found: BlamedRange[] = []
  const { commit, end, path } = target
  const spec = end === null ? commit : `${commit}..${end}`
  const limits = {
    excluded: encodeTexts(target.excluded),
    ignored: encodeTexts(ignoredCommits(opened, args)),
  }
  const ranges = encodedLines(asked)
  const question = {
    kind: 'blame',
    spec,
    path: toBytes(path),
    ranges,
    ...limits,
    ...args.following,
  } as const
  opened.reader.pages(question, (page) => {
    for (const blamed of decodeBlamed(new Uint8Array(page))) {
      const range = rangeOf(blamed, args.roots)
      if (args.incremental) porcelain.addFound(range)
      else found.push(range)
    }
    // Found lines are printed early, which is what the option is for.
    if (args.incremental) lines.flush()
  })
  if (args.incremental) return
  const sorted = inOrder(found)
  if (args.porcelain || args.linePorcelain) {
    porcelain.addAll(sorted, text, args.linePorcelain)
    return
  }
  const { reader } = opened
  const table = new Table(lines, args, { reader, commits, file: path }, sorted)
  for (const range of sorted) table.add(range, text)
}
