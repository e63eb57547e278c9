/** Where the package finds its module and its worker, if not beside the script. */

import { isLoaded, loadCore } from './core.js'
import { checkOptions } from './options/rules.js'
import { LOAD } from './options/tables.js'
import type { URL } from './platform-types.js'
import type { WasmSource } from './wasm-module.js'
import { setScriptForWorkers } from './worker/script.js'

/** What {@link load} may be given: the module alone, or also where the worker's script is. */
export interface LoadOptions {
  /** The module: compiled, its bytes, a response, or its address. */
  readonly wasm?: WasmSource | undefined
  /** The address of `packlens-worker.js`. */
  readonly worker?: URL | string | undefined
}

/** Loads what is given, else what `beside` loads. */
export async function loadFrom(
  source: WasmSource | LoadOptions | undefined,
  beside: () => unknown,
): Promise<void> {
  const given = isOptions(source) ? source : { wasm: source }
  checkOptions('load', given, LOAD)
  const { wasm, worker } = given
  if (worker !== undefined) setScriptForWorkers(absolute(worker))
  if (wasm !== undefined) await loadCore(isAddress(wasm) ? absolute(wasm) : wasm)
  else if (!isLoaded()) await beside()
}

function isOptions(source: WasmSource | LoadOptions | undefined): source is LoadOptions {
  return typeof source === 'object' && ('wasm' in source || 'worker' in source)
}

function isAddress(source: WasmSource): source is URL | string {
  return typeof source === 'string' || source instanceof URL
}

/** As the page would write it: relative to that. */
function absolute(address: URL | string): URL {
  return new URL(address, globalThis.document?.baseURI)
}
