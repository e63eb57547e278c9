/**
 * The modules of this thread. The reader answers what a page asks first. The full module
 * answers everything, and is loaded once a question needs it.
 */
import { PacklensError } from './errors.js'
import { Instance } from './instance.js'
import type { MaybePromise } from './maybe.js'
import { isPromise, whenReady } from './maybe.js'
import type { URL } from './platform-types.js'
import type { WasmSource } from './wasm-module.js'
import { compiled } from './wasm-module.js'

type Compiled = WebAssembly.Module | BufferSource

/** Where a thread gets its modules, if a caller said so: compiled, or by address. */
export interface GivenModules {
  readonly reader?: WebAssembly.Module | string | undefined
  readonly full?: WebAssembly.Module | string | undefined
}

/** How the modules are obtained that the package has beside its script. */
export interface ModulesBeside {
  readonly reader?: () => MaybePromise<Compiled>
  readonly full: () => MaybePromise<Compiled>
}

let beside: ModulesBeside | undefined
let given: GivenModules | undefined
let reader: Instance | undefined
let full: Instance | undefined
let readerLoading: Promise<void> | undefined
let fullLoading: Promise<Instance> | undefined

/** Says where the package has its modules. Those that a caller has given come first. */
export function offerModules(modules: ModulesBeside): void {
  beside ??= modules
}

/**
 * Takes modules that a caller gives, instead of earlier ones: these may be at an address where
 * there is none. Bytes and responses are compiled at once.
 */
export async function giveModules(modules: {
  readonly reader?: WasmSource | undefined
  readonly full?: WasmSource | undefined
}): Promise<void> {
  const [reader, full] = await Promise.all([
    compiledOrAddress(modules.reader),
    compiledOrAddress(modules.full),
  ])
  given = { reader: reader ?? given?.reader, full: full ?? given?.full }
}

/** Returns the modules that a caller has given, which workers are to use too. */
export function givenModules(): GivenModules | undefined {
  return given
}

/** Returns the instance for new sessions: of the full module once that is loaded. */
export function currentInstance(): Instance {
  const instance = full ?? reader
  if (instance) return instance
  throw new PacklensError('BAD_INPUT', 'the module is not loaded: await load() first')
}

/** Loads the reader, unless one of the modules is loaded. */
export function loadReader(): MaybePromise<void> {
  if (full ?? reader) return
  if (readerLoading) return readerLoading
  const source = given?.reader ?? (given?.full === undefined ? beside?.reader : undefined)
  // Where nothing is downloaded, or only the full module was given.
  if (source === undefined) return whenReady(fullInstance(), () => {})
  const load = whenReady(obtained(source), (module) => {
    reader ??= new Instance(module, false)
  })
  if (!isPromise(load)) return
  readerLoading = load.finally(() => {
    readerLoading = undefined
  })
  return readerLoading
}

/**
 * Returns an instance of the full module, which is loaded if it was not before.
 *
 * @throws `NETWORK` if it cannot be fetched. The next call tries again.
 */
export function fullInstance(): MaybePromise<Instance> {
  if (full) return full
  if (fullLoading) return fullLoading
  const source = given?.full ?? beside?.full
  if (source === undefined) {
    throw new PacklensError('BAD_INPUT', 'the full module is not loaded: await load() first')
  }
  const load = whenReady(obtained(source), (module) => {
    full ??= new Instance(module, true)
    // Its sessions keep the reader as long as they answer what they began.
    reader = undefined
    return full
  })
  if (!isPromise(load)) return load
  fullLoading = load.catch(notLoaded).finally(() => {
    fullLoading = undefined
  })
  return fullLoading
}

function notLoaded(error: unknown): never {
  // Without a reader, it is the first module that is loaded.
  if (!reader || !(error instanceof PacklensError)) throw error
  const { code, message, status } = error
  const what = `the reader does not answer this, and the full module is not there: ${message}`
  throw new PacklensError(code, what, { cause: error, status })
}

function obtained(
  source: WebAssembly.Module | string | (() => MaybePromise<Compiled>),
): MaybePromise<Compiled> {
  if (typeof source === 'function') return source()
  return typeof source === 'string' ? compiled(source) : source
}

async function compiledOrAddress(
  source: WasmSource | undefined,
): Promise<WebAssembly.Module | string | undefined> {
  if (source === undefined || typeof source === 'string') return source
  return source instanceof URL ? `${source as URL}` : compiled(source)
}
