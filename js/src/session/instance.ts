/**
 * An instance of one of the two modules: asking it, and replacing it should it ever trap. The
 * only file that looks into its memory or calls it.
 */
import { PacklensError } from '../base/errors.js'
import type { Glue } from '../wasm/packlens.js'
import { instantiate } from '../wasm/packlens.js'
import { NOT_COMPILED } from './load-failure.js'
import { forgetCompiled } from './wasm-module.js'

export type { Glue }

export class Instance {
  readonly #glue: Glue
  /** Whether it is of the full module, not of the reader. */
  readonly isFull: boolean
  /** Adds the rest to a new instance of the full module, once it was added. */
  addRest: ((glue: Glue) => void) | undefined
  #memory: WebAssembly.Memory
  #epoch = 0

  constructor(module: WebAssembly.Module | BufferSource, isFull: boolean) {
    try {
      this.#glue = instantiate(module)
    } catch (cause) {
      forgetCompiled()
      // WebKit compiles what the page's policy forbids to run.
      throw new PacklensError('NETWORK', `the module ${NOT_COMPILED}`, { cause })
    }
    this.isFull = isFull
    this.#memory = this.#glue.wasm_memory()
  }

  /** A number that changes when the instance is replaced, and its state is lost. */
  get epoch(): number {
    return this.#epoch
  }

  get memorySize(): number {
    return this.#memory.buffer.byteLength
  }

  /** Returns a view of memory, valid until the next call. */
  view(place: number, length: number): Uint8Array<ArrayBuffer> {
    return new Uint8Array(this.#memory.buffer as ArrayBuffer, place, length)
  }

  /** Returns a copy of memory in an `ArrayBuffer` of its own. */
  copy(place: number, length: number): ArrayBuffer {
    return (this.#memory.buffer as ArrayBuffer).slice(place, place + length)
  }

  /**
   * Calls the instance. If it traps, the instance is replaced, and the call fails with
   * `INTERNAL`. Sessions notice the new epoch, and begin anew.
   */
  call<T>(ask: (glue: Glue) => T): T {
    try {
      return ask(this.#glue)
    } catch (error) {
      if (error instanceof PacklensError) throw error
      this.#replace()
      throw new PacklensError(
        'INTERNAL',
        'packlens failed; the next call runs on a fresh instance',
        {
          cause: error,
        },
      )
    }
  }

  #replace(): void {
    this.#glue.reset()
    this.addRest?.(this.#glue)
    this.#memory = this.#glue.wasm_memory()
    this.#epoch++
  }
}
