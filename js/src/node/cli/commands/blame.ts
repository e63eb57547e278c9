/** `blame`: finds the commits that last changed the lines of a file. */
import { encodeTexts } from '../../../base/specs.js'
import { decodeBlamed } from '../../../objects/blamed.js'
import { encodedLines } from '../../../questions/blame.js'
import { rangesOf } from '../args/line-ranges.js'
import { compileQuickly } from '../base/compiler.js'
import { Help } from '../base/exit.js'
import { Lines } from '../base/output.js'
import type { BlameArgs, Operands } from '../blame/blame-args.js'
import { parseArgs } from '../blame/blame-args.js'
import { blameColors } from '../blame/blame-colors.js'
import { commitReader } from '../blame/blame-commits.js'
import { configuredBlame } from '../blame/blame-config.js'
import { Table } from '../blame/blame-default.js'
import { ignoredCommits } from '../blame/blame-ignored.js'
import { marksOf } from '../blame/blame-marks.js'
import { Porcelain } from '../blame/blame-porcelain.js'
import type { BlamedRange } from '../blame/blame-ranges.js'
import { inOrder, rangeOf } from '../blame/blame-ranges.js'
import type { Target } from '../blame/blame-target.js'
import { findTarget } from '../blame/blame-target.js'
import type { Command, Opened } from '../opening/command.js'
import { configuredEncoding } from '../pretty/commit-content.js'
import { linesMatching } from '../repository/file-lines.js'
import { toBytes } from '../text/bytes.js'

export function blame(command: Command, args: readonly string[]): number {
  if (args[0] === '-h') throw new Help()
  compileQuickly()
  const opened = command.open()
  const parsed = parseArgs(args, configuredBlame(opened))
  const target = findTarget(opened, parsed, parsed.following.reverse === true)
  const lines = new Lines(opened.io)
  try {
    print(opened, parsed, target, lines)
  } finally {
    lines.flush()
  }
  return 0
}

function print(opened: Opened, args: BlameArgs & Operands, target: Target, lines: Lines): void {
  const colors = blameColors(opened.settings, opened.io, args.coloring)
  const text = target.lines
  const matching = (pattern: string) => linesMatching(opened, target.oid, pattern)
  const asked = rangesOf(args.ranges, { lines: text, shown: target.shown, matching })
  const commits = commitReader(opened, args.encoding ?? configuredEncoding(opened.settings))
  const porcelain = new Porcelain(lines, commits, marksOf(args), opened.quote)
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
  const table = new Table(lines, args, { reader, commits, file: path, colors }, sorted)
  for (const range of sorted) table.add(range, text)
}
