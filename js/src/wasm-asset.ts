/** The type of the import `packlens/packlens_bg.wasm`. */
import type { WasmSource } from './session/wasm-module.js'

/** The URL of the module, or the module itself, depending on bundler and runtime. */
declare const source: WasmSource

export default source
