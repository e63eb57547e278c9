/** Loads the modules: those beside the script of the package, or others of the caller. */

import { full } from './base/lazy.js'
import type { URL } from './base/platform-types.js'
import { checkOptions } from './options/rules.js'
import { LOAD } from './options/tables.js'
import { currentInstance, giveModules, loadReader, wholeInstance } from './session/modules.js'
import type { WasmSource } from './session/wasm-module.js'
import { setScriptForWorkers } from './worker/script.js'

const LOAD_OPTIONS = ['wasm', 'rest', 'reader', 'worker', 'preload']

/** The options of {@link load}. */
export interface LoadOptions {
  /** The full module, `packlens_bg.wasm`: compiled, its bytes, a response, or its address. */
  readonly wasm?: WasmSource | undefined
  /**
   * The rest of the full module, `packlens_rest.wasm`: as `wasm`. It has what compares, searches
   * and checks: diffs, blame, `grep`, archives, status, `indexPack`, `fsck` and others, and is
   * loaded once such a call needs it.
   */
  readonly rest?: WasmSource | undefined
  /**
   * The reader, which is loaded first: as `wasm`. Default: if `wasm` is given, there is no
   * reader.
   */
  readonly reader?: WasmSource | undefined
  /** The address of `packlens-worker.js`. */
  readonly worker?: URL | string | undefined
  /**
   * The module to load now. `reader`, the default, answers what a page asks first, and the
   * full module is loaded once a question needs it. `full` loads the full module only, with its rest.
   */
  readonly preload?: 'reader' | 'full' | undefined
}

/** Loads the given modules, or those that `offerBeside` offers. */
export async function loadFrom(
  source: WasmSource | LoadOptions | undefined,
  offerBeside: () => void,
): Promise<void> {
  const given = isOptions(source) ? source : { wasm: source }
  checkOptions('load', given, LOAD)
  const { wasm, rest, reader, worker, preload } = given
  if (worker !== undefined) setScriptForWorkers(absoluteUrl(worker))
  const modules = [wasm, rest, reader].map(absoluteModule)
  if (modules.some((module) => module !== undefined)) {
    const [full, others, first] = modules
    await giveModules({ full, rest: others, reader: first })
  }
  offerBeside()
  if (preload === 'full') await Promise.all([wholeInstance(), full()])
  else await loadReader()
  // Synchronous calls cannot wait for the code of the full module.
  if (currentInstance().isFull) await full()
}

function absoluteModule(source: WasmSource | undefined): WasmSource | undefined {
  return source !== undefined && isAddress(source) ? absoluteUrl(source) : source
}

function isOptions(source: WasmSource | LoadOptions | undefined): source is LoadOptions {
  return typeof source === 'object' && LOAD_OPTIONS.some((name) => name in source)
}

function isAddress(source: WasmSource): source is URL | string {
  return typeof source === 'string' || source instanceof URL
}

/** Resolves an address against the base URL of the page, if there is one. */
function absoluteUrl(address: URL | string): URL {
  return new URL(address, globalThis.document?.baseURI)
}
