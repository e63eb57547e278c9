/**
 * The WebAssembly instance: loading it, asking it, and replacing it should it
 * ever trap. The only file that looks into its memory or calls it.
 */
import { PacklensError } from './errors.js'
import * as glue from './wasm/packlens.js'
import type { WasmSource } from './wasm-module.js'
import { compiled } from './wasm-module.js'

let memory: WebAssembly.Memory | undefined
let epoch = 0
let given: WebAssembly.Module | undefined

/** Loads the module, unless that was done; one that is `given` is for workers too. */
export async function loadCore(source: WasmSource, { isGiven = true } = {}): Promise<void> {
  const module = await compiled(source)
  if (isGiven) given ??= module
  if (memory) return
  // The glue makes one instance, however many ask for it at the same time.
  await glue.default({ module_or_path: module })
  memory ??= glue.wasm_memory() as WebAssembly.Memory
}

/** Loads the module at once, from its bytes or compiled. */
export function loadCoreSync(source: () => WebAssembly.Module | BufferSource): void {
  if (memory) return
  glue.initSync({ module: source() })
  memory = glue.wasm_memory() as WebAssembly.Memory
}

/** The module that was given; `undefined` where each thread finds it beside its script. */
export function moduleForWorkers(): WebAssembly.Module | undefined {
  return given
}

export function isLoaded(): boolean {
  return memory !== undefined
}

/** Returns a view of memory, good until the next call. */
export function view(place: number, length: number): Uint8Array<ArrayBuffer> {
  return new Uint8Array(loadedMemory().buffer as ArrayBuffer, place, length)
}

/** Returns a copy of memory in an `ArrayBuffer` of its own. */
export function copy(place: number, length: number): ArrayBuffer {
  return (loadedMemory().buffer as ArrayBuffer).slice(place, place + length)
}

export function memorySize(): number {
  return loadedMemory().buffer.byteLength
}

/** Changes whenever the instance was replaced: what it held is gone. */
export function currentEpoch(): number {
  return epoch
}

/**
 * Calls the instance. If it traps it is replaced, and the call fails with
 * `INTERNAL`; sessions notice by the epoch and begin anew.
 */
export function call<T>(ask: (core: typeof glue) => T): T {
  loadedMemory()
  try {
    return ask(glue)
  } catch (error) {
    if (error instanceof PacklensError) throw error
    replaceInstance()
    throw new PacklensError('INTERNAL', 'packlens failed within; the next call starts afresh', {
      cause: error,
    })
  }
}

function replaceInstance(): void {
  glue.__wbg_reset_state()
  memory = glue.wasm_memory() as WebAssembly.Memory
  epoch++
}

function loadedMemory(): WebAssembly.Memory {
  if (!memory) {
    throw new PacklensError('BAD_INPUT', 'the module is not loaded: await load() first')
  }
  return memory
}
