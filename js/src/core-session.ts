/** A session in the instance: its number there, its input and its output. */
import * as core from './core.js'

/** How a repository is read. */
export interface SessionOptions {
  readonly memory: number
  /** The most bytes of inflated delta bases; no more than half of the memory. */
  readonly baseCache: number
  readonly verify: 'oid' | 'none'
  readonly objectFormat: 'sha1' | 'sha256' | undefined
}

export type Core = Parameters<Parameters<typeof core.call>[0]>[0]

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

  open({ memory, baseCache, verify, objectFormat }: SessionOptions): void {
    const hash = objectFormat ? HASHES[objectFormat] : 0
    const checked = verify === 'oid' ? 1 : 0
    this.#number = core.call((glue) => glue.open(memory, baseCache, hash, checked))
    this.#epoch = core.currentEpoch()
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
