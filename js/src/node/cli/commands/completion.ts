/** `completion`: prints a script by which a shell completes command lines of packlens. */
import type { MaybePromise } from '../../../base/maybe.js'
import { parseOptions } from '../args/options.js'
import { fatal, Misused } from '../base/exit.js'
import type { Command } from '../opening/command.js'

export function completion({ io }: Command, args: readonly string[]): MaybePromise<number> {
  const [shell, ...more] = parseOptions([], args)
  if (shell === undefined || more.length > 0) throw new Misused()
  return import('../help/help.js').then(({ completionScript }) => {
    const script = completionScript(shell)
    if (script === null) throw fatal(`packlens has scripts for bash, zsh and fish, not '${shell}'`)
    io.write(Buffer.from(script))
    return 0
  })
}
