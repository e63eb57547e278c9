/** `log`: shows commits and what they changed, the newest first. */
import { textOfBytes } from './bytes.js'
import type { Command, Opened } from './command.js'
import { compileQuickly } from './compiler.js'
import { fatal, Help } from './exit.js'
import { LogCommand } from './log-command.js'
import { readRef } from './refnames.js'

export function log(command: Command, args: readonly string[]): number {
  if (args.includes('-h') || args.includes('--help')) throw new Help()
  compileQuickly('walk')
  const opened = command.open()
  const run = new LogCommand(opened, args, { name: 'log', merges: 'off', showsPatch: false })
  if (!run.commits.revisions.given && run.commits.revisions.specs.length === 0) {
    if (opened.reader.find('HEAD') === null) throw noCommits(opened)
    run.commits.revisions.add('HEAD')
  }
  run.walk()
  return run.exit
}

function noCommits({ reader }: Opened) {
  const branch = readRef(reader, 'HEAD')?.target?.replace(/^refs\/heads\//, '') ?? 'HEAD'
  return fatal(`your current branch '${textOfBytes(branch)}' does not have any commits yet`)
}
