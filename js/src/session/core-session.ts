/** A session in an instance of the core: its number, its input and its output. */
import { PacklensError } from '../base/errors.js'
import { type OpenQuestion, Status } from '../base/protocol.js'
import type { Glue, Instance } from './instance.js'
import { encodeQuestion } from './question.js'

/** The options of a session. */
export interface SessionOptions {
  readonly memory: number
  /** The most bytes of cached delta bases, inflated; at most half of `memory`. */
  readonly baseCache: number
  readonly verify: 'oid' | 'crc' | 'none'
  readonly objectFormat: 'sha1' | 'sha256' | undefined
  readonly environment?: RepositoryEnvironment | undefined
  /** Answers every question before the call returns, as {@link inOneTurn} does. */
  readonly inOneTurn?: true | undefined
}

/** The settings that git takes from environment variables. */
export type RepositoryEnvironment = Omit<
  OpenQuestion,
  'kind' | 'baseCache' | 'verify' | 'objectFormat' | 'alternates' | 'alternatesBase' | 'separator'
> & {
  /** The directories that objects are borrowed from. */
  readonly alternates?: Alternates | undefined
}

/** A list of directories as git writes them, with comments and quotes. */
export interface Alternates {
  readonly text: string
  /** The character between two directories. */
  readonly separator: string
  /** The directory that relative paths start from. */
  readonly base: string
}

/** The functions of the core. */
export type Core = Glue

/**
 * Thrown for a question that the reader does not answer; the full module is asked then, with its
 * rest if `rest` is true.
 */
export class NeedsFullModule extends Error {
  readonly rest: boolean

  constructor(rest = false) {
    super()
    this.rest = rest
  }
}

export class CoreSession {
  readonly instance: Instance
  #number = -1
  #epoch = -1

  constructor(instance: Instance) {
    this.instance = instance
  }

  /** The number of the session in the instance. */
  get number(): number {
    return this.#number
  }

  get epoch(): number {
    return this.#epoch
  }

  /** False until the session is opened, and once the instance was replaced. */
  get isCurrent(): boolean {
    return this.#epoch === this.instance.epoch
  }

  open({ memory, baseCache, verify, objectFormat, environment }: SessionOptions): void {
    const { alternates, ...others } = environment ?? {}
    const question = encodeQuestion({
      kind: 'open',
      baseCache,
      verify,
      objectFormat,
      ...(alternates && {
        alternates: alternates.text,
        alternatesBase: alternates.base,
        separator: alternates.separator.charCodeAt(0),
      }),
      ...others,
    })
    const number = this.instance.call((glue) => glue.open(memory))
    this.#number = number
    try {
      const status = this.instance.call((glue) => {
        this.input(glue, ...question)
        return glue.ask(number)
      })
      if (status === Status.missing) throw new NeedsFullModule()
      if (status !== Status.done)
        throw new PacklensError('INTERNAL', 'the core rejected the options')
    } catch (error) {
      // A session without its options must answer no question.
      this.instance.call((glue) => glue.close(number))
      throw error
    }
    this.#epoch = this.instance.epoch
  }

  close(): void {
    if (this.isCurrent) this.instance.call((glue) => glue.close(this.#number))
  }

  get oidLength(): number {
    return this.instance.call((glue) => glue.oid_length(this.#number))
  }

  /** Writes pieces, one after the other, where the core reads its input. */
  input(glue: Core, ...pieces: readonly Uint8Array[]): void {
    const length = pieces.reduce((sum, piece) => sum + piece.byteLength, 0)
    const place = glue.input(this.#number, length)
    if (place === 0) {
      const what = `a request of ${length} bytes exceeds \`memory\`: request less at once, or raise it`
      throw new PacklensError('LIMIT', what)
    }
    const input = this.instance.view(place, length)
    let at = 0
    for (const piece of pieces) {
      input.set(piece, at)
      at += piece.byteLength
    }
  }

  /** Returns a copy of the output. */
  output(): Uint8Array<ArrayBuffer> {
    const [place, length] = this.#outputPlace()
    return new Uint8Array(this.instance.copy(place, length))
  }

  /** As {@link CoreSession.output}, and counts the output as returned to the caller. */
  takeOutput(): ArrayBuffer {
    const [place, length] = this.#outputPlace()
    this.instance.call((glue) => glue.count_output(this.#number, length))
    return this.instance.copy(place, length)
  }

  /** Returns a view of the output, valid until the next call. */
  viewOutput(): Uint8Array<ArrayBuffer> {
    const [place, length] = this.#outputPlace()
    this.instance.call((glue) => glue.count_output(this.#number, length))
    return this.instance.view(place, length)
  }

  #outputPlace(): [place: number, length: number] {
    return this.instance.call((glue) => [
      glue.output(this.#number),
      glue.output_length(this.#number),
    ])
  }
}
