/** Reports what `index-pack --strict` finds about the objects of a pack. */
import type { PackFinding } from '../../../objects/pack-records.js'
import { Exit, fatal } from '../base/exit.js'
import type { Command } from '../opening/command.js'

/** The messages about commits that git cannot parse. */
const UNPARSED = /^((?:bogus commit object|bad tree pointer in commit|bad parents in commit).*)/

/** Reports the findings about a pack, and ends the command as git does. */
export class StrictReport {
  readonly #command: Command
  #missing = ''
  #wrong: 'object' | 'objects' | undefined

  constructor(command: Command) {
    this.#command = command
  }

  readonly finding = ({ id, severity, oid, message }: PackFinding, late: boolean): void => {
    // No error: a partial clone need not have this blob. Its id is printed at the end, and the
    // caller looks for the blob elsewhere.
    if (id === 'gitmodulesMissing') {
      this.#missing += `${oid}\n`
      return
    }
    const what = severity === 'error' ? 'error' : 'warning'
    this.#command.io.writeError(`${what}: object ${oid}: ${id}: ${message}\n`)
    if (severity === 'error') this.#wrong = late ? 'objects' : 'object'
  }

  /** Returns the error to end with: git's, if an object of the pack was reported as bad. */
  ended(error: unknown): unknown {
    if (!this.#wrong) {
      const [, what] = (error instanceof Error && UNPARSED.exec(error.message)) || []
      if (what === undefined) return error
      this.#command.io.writeError(`error: ${what.replace(': ', ' ')}\n`)
      return fatal('invalid commit')
    }
    return fatal(`fsck error in ${this.#wrong === 'objects' ? 'pack objects' : 'packed object'}`)
  }

  /** Prints the ids of missing `.gitmodules` blobs, once everything else is done. */
  printMissing(): void {
    if (this.#missing !== '') this.#command.io.write(Buffer.from(this.#missing))
  }
}

/** Returns whether there is a repository, which may have objects that a pack lacks. */
export function hasRepository(command: Command): boolean {
  try {
    command.open()
    return true
  } catch (error) {
    if (error instanceof Exit) return false
    throw error
  }
}
