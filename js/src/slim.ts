/**
 * Replaces `platform.ts`, `lazy-workers.ts`, `worker-beside.ts` and `rest-beside.ts` in
 * `packlens/slim`, which is one file and looks for no files beside it: its errors say what to give to `load`.
 */
import { PacklensError } from './base/errors.js'
import * as workersFile from './chunks/workers.js'
import type { ModulesBeside } from './session/modules.js'
import { offerModules } from './session/modules.js'
import { withRest } from './session/rest.js'

export { absoluteFiles, absoluteSource, storeFor } from './platform.js'

export const workers = async () => workersFile

export function offerBeside(): void {
  offerModules({
    full: () => notGiven('module', 'load({ wasm: bytes })'),
    whole: wholeBeside,
  })
}

export const wholeBeside: ModulesBeside['whole'] = (full, given) =>
  withRest(full, given ?? (() => notGiven('rest of the module', 'load({ rest: bytes })')))

export function workerBeside(): never {
  return notGiven('worker script', 'load({ worker: url })')
}

export const scriptBeside = workerBeside

function notGiven(what: string, call: string): never {
  const advice = `packlens/slim has no ${what} of its own: await ${call} first`
  throw new PacklensError('BAD_INPUT', advice)
}
