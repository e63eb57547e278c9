/** What `index-pack --strict` says of the objects of a pack. */
import type { PackFinding } from '../../pack-answers.js'
import type { Command } from './command.js'
import { Exit, fatal } from './exit.js'

/** What git cannot read of a commit. */
const UNPARSED = /^((?:bogus commit object|bad tree pointer in commit|bad parents in commit).*)/

/** Takes what is found of a pack, and ends as git does. */
export class Told {
  readonly #command: Command
  #missing = ''
  #wrong: 'object' | 'objects' | undefined

  constructor(command: Command) {
    this.#command = command
  }

  readonly finding = ({ id, severity, oid, message }: PackFinding, late: boolean): void => {
    // Who asked for a part of what there is looks for these elsewhere.
    if (id === 'gitmodulesMissing') {
      this.#missing += `${oid}\n`
      return
    }
    const what = severity === 'error' ? 'error' : 'warning'
    this.#command.io.writeError(`${what}: object ${oid}: ${id}: ${message}\n`)
    if (severity === 'error') this.#wrong = late ? 'objects' : 'object'
  }

  /** Returns what git ends with, where that was told of an object. */
  ended(error: unknown): unknown {
    if (!this.#wrong) {
      const [, what] = (error instanceof Error && UNPARSED.exec(error.message)) || []
      if (what === undefined) return error
      this.#command.io.writeError(`error: ${what.replace(': ', ' ')}\n`)
      return fatal('invalid commit')
    }
    return fatal(`fsck error in ${this.#wrong === 'objects' ? 'pack objects' : 'packed object'}`)
  }

  /** Names the settings that are nowhere, when all is done. */
  tellMissing(): void {
    if (this.#missing !== '') this.#command.io.write(Buffer.from(this.#missing))
  }
}

/** Tells whether there is a repository that may have what a pack lacks. */
export function hasRepository(command: Command): boolean {
  try {
    command.open()
    return true
  } catch (error) {
    if (error instanceof Exit) return false
    throw error
  }
}
