/** Ends commands early, with git's exit codes and messages. */
import type { PacklensError } from '../../base/errors.js'
import { gitMessageOf } from './git-messages.js'

/** Ends the command with an exit code, and `message` on standard error. */
export class Exit extends Error {
  readonly code: number

  constructor(code: number, message = '') {
    super(message)
    this.code = code
  }
}

/** Returns the exit that git calls a fatal error. */
export function fatal(what: string): Exit {
  return new Exit(128, `fatal: ${what}\n`)
}

/** Returns the exit for a command that was called wrongly, with its usage. */
export function misused(what: string, usage: string): Exit {
  return new Exit(129, `fatal: ${what}\n\n${usage}`)
}

/** Returns the exit for an error of the core, with a hint if more memory may help. */
export function failed(error: PacklensError): Exit {
  const forMemory = error.code === 'LIMIT' && error.message.includes('memory')
  const hint = forMemory ? '\nhint: PACKLENS_MEMORY=1g lets it use so much memory' : ''
  return fatal(`${gitMessageOf(error)}${hint}`)
}
