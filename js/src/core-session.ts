/** A session in the instance: its number there, its input and its output. */
import * as core from './core.js'
import { PacklensError } from './errors.js'

/** How a repository is read. */
export interface SessionOptions {
  readonly memory: number
  /** The most bytes of inflated delta bases; no more than half of the memory. */
  readonly baseCache: number
  readonly verify: 'oid' | 'crc' | 'none'
  readonly objectFormat: 'sha1' | 'sha256' | undefined
  readonly surroundings?: Surroundings | undefined
  /** All that is asked is answered before the call returns, as by {@link inOneTurn}. */
  readonly inOneTurn?: true | undefined
}

/** What a repository does not say itself: what git takes from its environment. */
export interface Surroundings {
  /** The directory of its objects, below the git directory or absolute. */
  readonly objectDirectory?: string | undefined
  /** Directories it borrows objects from. */
  readonly alternates?: Alternates | undefined
  /** What replace refs begin with; empty if they do not count. */
  readonly replaceBase?: string | undefined
  /** The file of shallow commits, and that of grafts; empty if there is none. */
  readonly shallowFile?: string | undefined
  readonly graftFile?: string | undefined
  /** The index that `:path` asks; empty if there is none. */
  readonly indexFile?: string | undefined
  /** Objects that are promised are not told from those that are not there. */
  readonly hidesPromised?: true | undefined
  /** Objects that are nowhere are asked for. */
  readonly fetches?: true | undefined
  /** Commit-graphs are not used. */
  readonly withoutGraphs?: true | undefined
}

/** A list of directories as git writes them, with comments and quotes. */
export interface Alternates {
  readonly text: string
  /** The character between two of them. */
  readonly separator: string
  /** What those that are relative are relative to. */
  readonly base: string
}

/** What each is called by the core: see `surround` in `crate/wasm/src/lib.rs`. */
const SURROUNDINGS = {
  objectDirectory: 0,
  alternates: 1,
  replaceBase: 2,
  shallowFile: 3,
  graftFile: 4,
  hidesPromised: 5,
  fetches: 6,
  withoutGraphs: 7,
  indexFile: 8,
} as const satisfies Record<keyof Surroundings, number>

const encoder = new TextEncoder()

export type Core = Parameters<Parameters<typeof core.call>[0]>[0]

/** What each is called by the core: whatever is not one of them is checked in full. */
const VERIFY = { oid: 0, crc: 1, none: 2 } as const

const HASHES = { sha1: 1, sha256: 2 } as const

export class CoreSession {
  #number = -1
  #epoch = -1

  /** What the instance calls it. */
  get number(): number {
    return this.#number
  }

  get epoch(): number {
    return this.#epoch
  }

  /** False until it is opened, and once the instance was replaced. */
  get isCurrent(): boolean {
    return this.#epoch === core.currentEpoch()
  }

  open({ memory, baseCache, verify, objectFormat, surroundings }: SessionOptions): void {
    const hash = objectFormat ? HASHES[objectFormat] : 0
    const checked = VERIFY[verify]
    this.#number = core.call((glue) => glue.open(memory, baseCache, hash, checked))
    this.#epoch = core.currentEpoch()
    this.surround(surroundings ?? {})
  }

  /** Tells the core what the repository does not say, before it is asked. */
  surround(surroundings: Surroundings): void {
    for (const [name, what] of Object.entries(SURROUNDINGS)) {
      const value = surroundings[name as keyof Surroundings]
      if (value === undefined) continue
      const isList = typeof value === 'object'
      const text = isList ? `${value.base}\0${value.text}` : value === true ? '' : value
      const separator = isList ? value.separator.charCodeAt(0) : 0
      core.call((glue) => {
        this.input(glue, encoder.encode(text))
        glue.surround(this.#number, what, separator)
      })
    }
  }

  close(): void {
    if (this.isCurrent) core.call((glue) => glue.close(this.#number))
  }

  get oidLength(): number {
    return core.call((glue) => glue.hash(this.#number)) === HASHES.sha256 ? 32 : 20
  }

  /** Writes bytes where the core reads its input. */
  input(glue: Core, bytes: Uint8Array): void {
    const place = glue.input(this.#number, bytes.byteLength)
    if (place === 0) {
      const what = `a question of ${bytes.byteLength} bytes takes more memory than allowed: ask for less at once, or raise \`memory\``
      throw new PacklensError('LIMIT', what)
    }
    core.view(place, bytes.byteLength).set(bytes)
  }

  /** Returns a copy of the output. */
  output(): Uint8Array<ArrayBuffer> {
    const [place, length] = this.#outputPlace()
    return new Uint8Array(core.copy(place, length))
  }

  /** As {@link CoreSession.output}, and counts it as handed over. */
  takeOutput(): ArrayBuffer {
    const [place, length] = this.#outputPlace()
    core.call((glue) => glue.count_output(this.#number, length))
    return core.copy(place, length)
  }

  /** Returns a view of the output, good until the next call. */
  viewOutput(): Uint8Array<ArrayBuffer> {
    const [place, length] = this.#outputPlace()
    core.call((glue) => glue.count_output(this.#number, length))
    return core.view(place, length)
  }

  #outputPlace(): [place: number, length: number] {
    return core.call((glue) => [glue.output(this.#number), glue.output_length(this.#number)])
  }
}
