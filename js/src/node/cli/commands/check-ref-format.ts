/** `check-ref-format`: checks whether git accepts the name of a ref. */

import { fatal, Help, Misused } from '../base/exit.js'
import type { Command } from '../opening/command.js'
import { checkRefname } from '../refs/refname-rules.js'
import { bytesOfArgument, toBytes } from '../text/bytes.js'

export function checkRefFormat(command: Command, args: readonly string[]): number {
  if (args.length === 1 && args[0] === '-h') throw new Help()
  const [first, branch] = args
  if (args.length === 2 && first === '--branch' && branch !== undefined) {
    return checkBranch(command, branch)
  }
  let oneLevel = false
  let pattern = false
  let normalize = false
  let at = 0
  for (; at < args.length && args[at]?.startsWith('-'); at++) {
    const option = args[at]
    if (option === '--normalize' || option === '--print') normalize = true
    else if (option === '--allow-onelevel') oneLevel = true
    else if (option === '--no-allow-onelevel') oneLevel = false
    else if (option === '--refspec-pattern') pattern = true
    else throw new Misused('', option)
  }
  const name = args[at]
  if (name === undefined || at !== args.length - 1) throw new Misused()
  const found = checkRefname(bytesOfArgument(name), { oneLevel, pattern, normalize })
  if (found === null) return 1
  if (normalize) command.io.write(toBytes(`${found}\n`))
  return 0
}

function checkBranch(command: Command, branch: string): number {
  const { io } = command
  const given = bytesOfArgument(branch)
  // Only `@{-<n>}`, a branch that was checked out before, needs a repository.
  const name = branch.startsWith('@{-') ? command.open().reader.interpret(given) : given
  const found = checkRefname(name, { branch: true })
  if (found === null) throw fatal(`'${branch}' is not a valid branch name`)
  io.write(toBytes(`${found}\n`))
  return 0
}
