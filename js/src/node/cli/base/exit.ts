/** Ends commands early, with git's exit codes and messages. */
import type { PacklensError } from '../../../base/errors.js'
import { gitMessageOf } from './git-messages.js'

/** Ends the command with an exit code, and `message` on standard error. */
export class Exit extends Error {
  readonly code: number
  /** An option that the command does not have: options like it are suggested. */
  readonly unknown: string | undefined

  constructor(code: number, message = '', unknown?: string) {
    super(message)
    this.code = code
    this.unknown = unknown
  }
}

/** Returns the exit for an option that `log` or `reflog` does not have. */
export function unrecognized(arg: string): Exit {
  return new Exit(128, `fatal: unrecognized argument: ${arg}\n`, arg)
}

/** Returns the exit that git calls a fatal error. */
export function fatal(what: string): Exit {
  return new Exit(128, `fatal: ${what}\n`)
}

/** Ends a command that was called wrongly: after the message comes the usage of the command. */
export class Misused extends Exit {
  constructor(message = '', unknown?: string) {
    super(129, message, unknown)
  }
}

/** Returns the exit for options or arguments that do not belong together. */
export function misused(what: string): Misused {
  return new Misused(`fatal: ${what}\n\n`)
}

/** Ends a command whose help was asked for. */
export class Help extends Error {}

/** Returns the exit for an error of the core, with a hint if more memory may help. */
export function failed(error: PacklensError): Exit {
  const forMemory = error.code === 'LIMIT' && error.message.includes('memory')
  const hint = forMemory ? '\nhint: PACKLENS_MEMORY=1g lets it use so much memory' : ''
  return fatal(`${gitMessageOf(error)}${hint}`)
}
