/** Adds the rest of the full module, its second file, to its instance. */

import { PacklensError } from '../base/errors.js'
import type { MaybePromise } from '../base/maybe.js'
import { isPromise, whenReady } from '../base/maybe.js'
import type { Glue, Instance } from './instance.js'
import type { Compiled } from './modules.js'
import { forgetCompiled } from './wasm-module.js'

let loading: Promise<WebAssembly.Module> | undefined

/**
 * Returns the instance of the full module with its rest. Both are loaded at the same time.
 *
 * @throws `NETWORK` if one of them cannot be fetched, `BAD_INPUT` if they are of different versions
 */
export function withRest(
  full: () => MaybePromise<Instance>,
  rest: () => MaybePromise<Compiled>,
): MaybePromise<Instance> {
  const instance = full()
  if (!isPromise(instance) && instance.addRest) return instance
  const module = loading ?? whenReady(loaded(rest), compiledNow)
  if (isPromise(module)) {
    const ended = () => {
      loading = undefined
    }
    loading ??= module.finally(ended)
    // What fails first is reported; the other one must not be reported by the platform.
    loading.catch(() => {})
  }
  return whenReady(instance, (instance) =>
    whenReady(loading ?? module, (module) => {
      if (!instance.addRest) add(instance, module)
      return instance
    }),
  )
}

function loaded(rest: () => MaybePromise<Compiled>): MaybePromise<Compiled> {
  const source = rest()
  return isPromise(source) ? source.catch(notLoaded) : source
}

function notLoaded(error: unknown): never {
  if (!(error instanceof PacklensError)) throw error
  const { code, message, status } = error
  const what = `this needs the rest of the full module, which did not load: ${message}`
  throw new PacklensError(code, what, { cause: error, status })
}

function add(instance: Instance, module: WebAssembly.Module): void {
  const addTo = (glue: Glue): void => {
    // By this name the file imports what the first one exports.
    new WebAssembly.Instance(module, { 0: glue.exports() })
    glue.set_rest(true)
  }
  try {
    // Not within `call`, which would replace the instance: a file that does not fit leaves it as it is.
    addTo(instance.call((glue) => glue))
  } catch (cause) {
    forgetCompiled()
    const what = 'the rest of the full module is of another version: serve files of one version'
    throw new PacklensError('BAD_INPUT', what, { cause })
  }
  instance.addRest = addTo
}

function compiledNow(source: Compiled): WebAssembly.Module {
  return source instanceof WebAssembly.Module ? source : new WebAssembly.Module(source)
}
