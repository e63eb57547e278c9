/** `log`: shows commits and what they changed, the newest first. */

import { compileQuickly } from '../base/compiler.js'
import { fatal, Help } from '../base/exit.js'
import { LogCommand } from '../log/log-command.js'
import type { Command, Opened } from '../opening/command.js'
import { readRef } from '../refs/refnames.js'
import { textOfBytes } from '../text/bytes.js'

export function log(command: Command, args: readonly string[]): number {
  if (args.includes('-h') || args.includes('--help')) throw new Help()
  compileQuickly()
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
