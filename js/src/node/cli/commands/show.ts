/** `show`: shows objects: commits with their patches, tags, trees and blobs. */

import { compileQuickly } from '../base/compiler.js'
import { fatal, Help } from '../base/exit.js'
import { LogCommand } from '../log/log-command.js'
import type { LogPrinter } from '../log/log-printer.js'
import { LIMITING } from '../log/reflog-log.js'
import { readTree } from '../objects/trees.js'
import type { Command } from '../opening/command.js'
import { fromBytes } from '../text/bytes.js'

export function show(command: Command, args: readonly string[]): number {
  if (args.includes('-h') || args.includes('--help')) throw new Help()
  compileQuickly()
  const opened = command.open()
  const run = new LogCommand(opened, args, { name: 'show', merges: 'dense', showsPatch: true })
  const { revisions } = run.commits
  if (!revisions.given) {
    const oid = opened.reader.find('HEAD')
    if (oid === null) throw fatal("bad default revision 'HEAD'")
    revisions.add('HEAD')
  }
  if (revisions.isRange) {
    run.walk()
    return run.exit
  }
  if (run.commits.hasGraph) {
    if (run.walksReflogs) throw fatal(LIMITING)
    throw fatal("options '--no-walk' and '--graph' cannot be used together")
  }
  const printer = run.printer()
  const shown = new Set<string>()
  for (const { name, oid } of revisions.objects) showObject(run, printer, shown, name, oid)
  run.lines.flush()
  return run.exit
}

/** Shows an object; of a tag also what it points at. Each commit is shown once. */
function showObject(
  run: LogCommand,
  printer: LogPrinter,
  shown: Set<string>,
  name: string,
  first: string,
): void {
  const { reader, io } = run.opened
  for (let oid: string | null = first; oid !== null; ) {
    const type = reader.info(oid)?.type
    if (type === 'commit') {
      // Without a walk there are no reflogs to walk, and git shows no commits then.
      if (!run.walksReflogs && !shown.has(oid) && run.commits.selects(oid))
        printer.print({ ...run.single(oid), source: name })
      shown.add(oid)
      return
    }
    if (type === 'blob') {
      run.lines.flush()
      reader.stream(oid, (chunk) => io.write(chunk))
      return
    }
    if (type === 'tree') {
      printer.separate()
      run.lines.addUnprefixed(`${printer.heading(`tree ${name}`)}\n\n`)
      for (const { name, type } of readTree(reader, oid) ?? []) {
        run.lines.addUnprefixed(`${name}${type === 'tree' ? '/' : ''}\n`)
      }
      return
    }
    if (type === undefined) throw fatal(`bad object ${name}`)
    oid = showTag(run, printer, oid)
  }
}

/** Shows a tag; returns what it points at. */
function showTag(run: LogCommand, printer: LogPrinter, oid: string): string | null {
  const content = run.opened.reader.read(oid, ({ data }) => fromBytes(data)) ?? ''
  const end = content.indexOf('\n\n')
  const header = end < 0 ? content : content.slice(0, end + 1)
  const value = (key: string) => new RegExp(`^${key} (.*)$`, 'm').exec(header)?.[1] ?? ''
  printer.separate()
  run.lines.addUnprefixed(`${printer.heading(`tag ${value('tag')}`)}\n`)
  run.lines.addUnprefixed(printer.tagger(value('tagger')))
  run.lines.addUnchanged(end < 0 ? '' : content.slice(end + 1))
  const target = value('object')
  return target === '' ? null : target
}
