/** How commands end early: with git's exit codes and messages. */
import type { PacklensError } from '../../errors.js'
import { inWordsOfGit } from './words.js'

/** Ends the command with an exit code, saying `message` on standard error. */
export class Exit extends Error {
  readonly code: number

  constructor(code: number, message = '') {
    super(message)
    this.code = code
  }
}

/** git's way to say that it cannot go on. */
export function fatal(what: string): Exit {
  return new Exit(128, `fatal: ${what}\n`)
}

/** The command was called in a way that makes no sense; `usage` says how to. */
export function misused(what: string, usage: string): Exit {
  return new Exit(129, `fatal: ${what}\n\n${usage}`)
}

/** What the core could not do; more memory may help. */
export function failed(error: PacklensError): Exit {
  const forMemory = error.code === 'LIMIT' && error.message.includes('memory')
  const hint = forMemory ? '\nhint: PACKLENS_MEMORY=1g lets it use so much memory' : ''
  return fatal(`${inWordsOfGit(error)}${hint}`)
}
