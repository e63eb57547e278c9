/** The rest of the full module in a browser: the file beside the script, if a caller gave no other. */

import type { ModulesBeside } from './modules.js'
import { withRest } from './rest.js'
import { compiledAt } from './wasm-module.js'

export const wholeBeside: ModulesBeside['whole'] = (full, given) =>
  withRest(full, given ?? (() => compiledAt(new URL('./wasm/packlens_rest.wasm', import.meta.url))))
