/**
 * Replaces `platform.ts`, `lazy-workers.ts` and `worker-beside.ts` in `packlens/slim`, which is
 * one file and looks for no files beside it: its errors say what to give to `load`.
 */
import { PacklensError } from './base/errors.js'
import * as workersFile from './chunks/workers.js'
import { offerModules } from './session/modules.js'

export { absoluteFiles, absoluteSource, storeFor } from './platform.js'

export const workers = async () => workersFile

export function offerBeside(): void {
  offerModules({ full: () => notGiven('module', 'load({ wasm: bytes })') })
}

export function workerBeside(): never {
  return notGiven('worker script', 'load({ worker: url })')
}

export const scriptBeside = workerBeside

function notGiven(what: string, call: string): never {
  const advice = `packlens/slim has no ${what} of its own: await ${call} first`
  throw new PacklensError('BAD_INPUT', advice)
}
