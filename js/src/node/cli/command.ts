/** What every command gets: its environment, and the repository once it asks. */
import type { MaybePromise } from '../../maybe.js'
import { environmentOf } from './environment.js'
import type { Io } from './io.js'
import { Names } from './names.js'
import type { Place } from './place.js'
import { findPlace } from './place.js'
import { openReader, type Reader } from './reader.js'

export interface Opened {
  readonly io: Io
  readonly place: Place
  readonly reader: Reader
  readonly names: Names
}

/** Does a command; returns the exit code, a promise where other threads have a part in it. */
export type Run = (command: Command, args: readonly string[]) => MaybePromise<number>

/** One run of the command line. */
export class Command {
  readonly io: Io
  /** The git directory that was named, as it was. */
  readonly gitDir: string | undefined
  #opened: Opened | undefined

  constructor(io: Io, gitDir: string | undefined) {
    this.io = io
    this.gitDir = gitDir
  }

  /** Finds and opens the repository, the first time. */
  open(): Opened {
    this.#opened ??= this.#open()
    return this.#opened
  }

  close(): void {
    this.#opened?.reader.close()
  }

  #open(): Opened {
    const environment = environmentOf(this.io)
    const place = findPlace(this.io, this.gitDir, environment.places)
    // The folder leads to the git directory and, for a linked worktree, to the common one.
    const reader = openReader(place.gitDir, this.io, environment)
    return { io: this.io, place, reader, names: new Names(this.io, reader, place) }
  }
}
