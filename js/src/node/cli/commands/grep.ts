/** `grep`: prints the lines of a tree's files that match. */
import { decodeGrep } from '../../../objects/grep-record.js'
import { Exit, fatal } from '../base/exit.js'
import { Lines } from '../base/output.js'
import type { GrepArgs } from '../grep/grep-args.js'
import { configureGrep, parseGrepArgs } from '../grep/grep-args.js'
import { GrepPrinter } from '../grep/grep-printer.js'
import type { Command, Opened } from '../opening/command.js'
import type { Diagnosis } from '../repository/names.js'
import { pathspecOf } from '../repository/pathspec.js'
import { checkPaths } from '../revisions/path-args.js'
import { bytesOfArgument, toBytes } from '../text/bytes.js'

export function grep(command: Command, args: readonly string[]): number {
  const { parsed, rest } = parseGrepArgs(args, command.io)
  if (parsed.tokens.length === 0) {
    if (rest[0] === '--') rest.shift()
    const [pattern] = rest
    if (pattern === undefined) throw new Exit(128, 'fatal: no pattern given\n')
    rest.shift()
    parsed.tokens.push(`p${bytesOfArgument(pattern)}`)
  }
  const opened = command.open()
  configureGrep(parsed, opened.settings, opened.io)
  const { specs, pathspec } = split(opened, rest)
  if (specs.length === 0) {
    throw fatal('packlens grep searches trees and blobs: name one, such as HEAD')
  }
  const lines = new Lines(opened.io)
  let found = false
  try {
    const printer = new GrepPrinter(lines, parsed, opened)
    for (const spec of specs) {
      found = search(opened, { spec, pathspec }, parsed, printer) || found
      if (found && parsed.quiet) break
    }
  } finally {
    lines.flush()
  }
  return found ? 0 : 1
}

/** Splits operands into revisions and paths, at `--` or at the first that is no revision. */
function split(
  opened: Opened,
  operands: readonly string[],
): { readonly specs: readonly string[]; readonly pathspec: Uint8Array | undefined } {
  const { names } = opened
  const end = operands.indexOf('--')
  const before = end < 0 ? operands : operands.slice(0, end)
  const specs: string[] = []
  for (const operand of before) {
    const spec = bytesOfArgument(operand)
    const found = find(opened, spec)
    if ('why' in found) {
      if (end >= 0) throw fatal(`unable to resolve revision: ${operand}`)
      checkPaths(opened, operands.slice(specs.length), found.why, false)
      break
    }
    names.warn(spec)
    specs.push(spec)
  }
  const paths = end < 0 ? operands.slice(specs.length) : operands.slice(end + 1)
  const { prefix } = opened.place
  if (paths.length === 0 && prefix !== '') paths.push('.')
  return { specs, pathspec: paths.length > 0 ? pathspecOf(opened, paths) : undefined }
}

function find({ names }: Opened, spec: string): { oid: string } | { why: Diagnosis } {
  try {
    return { oid: names.resolve(spec) }
  } catch (error) {
    return { why: names.diagnose(spec, error, true) }
  }
}

function search(
  { reader }: Opened,
  { spec, pathspec }: { readonly spec: string; readonly pathspec: Uint8Array | undefined },
  args: GrepArgs,
  printer: GrepPrinter,
): boolean {
  let found = false
  const question = {
    kind: 'grep',
    spec: toBytes(spec),
    expression: reader.specs(args.tokens),
    pathspec,
    ...args.question,
  } as const
  reader.pages(question, (page) => {
    for (const hit of decodeGrep(new Uint8Array(page))) {
      found = true
      if (!args.quiet) printer.add(spec, hit)
    }
  })
  return found
}
