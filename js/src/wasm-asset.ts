/** What an import of `packlens/packlens_bg.wasm` gives. */
import type { WasmSource } from './wasm-module.js'

/** The address of the module, or the module itself: as bundler and runtime have it. */
declare const source: WasmSource

export default source
