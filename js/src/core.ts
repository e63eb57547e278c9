/**
 * The WebAssembly instance: loading it, asking it, and replacing it should it
 * ever trap. The only file that looks into its memory or calls it.
 */
import { PacklensError } from './errors.js'
import * as glue from './wasm/packlens.js'

/** Status numbers, as in `crate/wasm/src/status.rs`. */
export const Status = { done: 0, missing: 1, failed: 2, more: 3, closed: 16 } as const

let memory: WebAssembly.Memory | undefined
let epoch = 0
let given: WebAssembly.Module | string | undefined

/** What the module may be given as. */
export type WasmSource = WebAssembly.Module | BufferSource | URL | Response | string

/** Loads the module, unless that was done. */
export async function loadCore(source?: WasmSource): Promise<void> {
  if (source === undefined && memory) return
  const lasts = source === undefined ? undefined : await lasting(source)
  if (!memory) {
    // The glue makes one instance, however many ask for it at the same time.
    await glue.default(lasts === undefined ? undefined : { module_or_path: lasts })
    memory ??= glue.wasm_memory() as WebAssembly.Memory
  }
  if (lasts !== undefined && !(lasts instanceof Response)) given ??= lasts
}

/** Loads the module at once, from its bytes or compiled. */
export function loadCoreSync(source: () => WebAssembly.Module | BufferSource): void {
  if (memory) return
  glue.initSync({ module: source() })
  memory = glue.wasm_memory() as WebAssembly.Memory
}

/** What the module was given as; `undefined` if it lies beside the script. */
export function moduleForWorkers(): WebAssembly.Module | string | undefined {
  return given
}

/** Makes of a source what can be given again, and to a worker too. */
async function lasting(source: WasmSource): Promise<WebAssembly.Module | string | Response> {
  if (typeof source === 'string' || source instanceof URL) {
    return new URL(source, globalThis.document?.baseURI).href
  }
  if (source instanceof WebAssembly.Module) return source
  // The glue says what is wrong with a response that is.
  if (source instanceof Response && !source.ok) return source
  const bytes = source instanceof Response ? await source.arrayBuffer() : source
  return WebAssembly.compile(bytes)
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
