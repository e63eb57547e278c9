/**
 * The modules of this thread. The reader answers what a page asks first. The full module
 * answers everything, and is loaded once a question needs it. Its rest is a file of its own, which is
 * loaded into the same instance once a question needs that: see `rest.ts`.
 */
import { fullNotLoaded, PacklensError } from '../base/errors.js'
import { loadedFull } from '../base/lazy.js'
import type { MaybePromise } from '../base/maybe.js'
import { isPromise, whenReady } from '../base/maybe.js'
import type { URL } from '../base/platform-types.js'
import { Instance } from './instance.js'
import type { WasmSource } from './wasm-module.js'
import { compiled, compiledAt } from './wasm-module.js'

export type Compiled = WebAssembly.Module | BufferSource

/** Modules that a caller gave: compiled, or their addresses. */
export interface GivenModules {
  readonly reader?: WebAssembly.Module | string | undefined
  readonly full?: WebAssembly.Module | string | undefined
  readonly rest?: WebAssembly.Module | string | undefined
}

/** Functions that load the modules which the package has beside its script. */
export interface ModulesBeside {
  readonly reader?: () => MaybePromise<Compiled>
  readonly full: () => MaybePromise<Compiled>
  /** Adds the rest to the instance of the full module: that which a caller gave, if there is one. */
  readonly whole: (
    full: () => MaybePromise<Instance>,
    given: (() => MaybePromise<Compiled>) | undefined,
  ) => MaybePromise<Instance>
}

let beside: ModulesBeside | undefined
let given: GivenModules | undefined
let reader: Instance | undefined
let full: Instance | undefined
let readerLoading: Promise<void> | undefined
let fullLoading: Promise<Instance> | undefined

/** Sets where the package has its modules. Modules that a caller gave take precedence. */
export function offerModules(modules: ModulesBeside): void {
  beside ??= modules
}

/**
 * Sets the modules that a caller gives. Replaces earlier ones, whose address may be wrong. Bytes
 * and responses are compiled at once.
 */
export async function giveModules(modules: {
  readonly reader?: WasmSource | undefined
  readonly full?: WasmSource | undefined
  readonly rest?: WasmSource | undefined
}): Promise<void> {
  const [reader, full, rest] = await Promise.all(
    [modules.reader, modules.full, modules.rest].map(compiledOrAddress),
  )
  given = {
    reader: reader ?? given?.reader,
    full: full ?? given?.full,
    rest: rest ?? given?.rest,
  }
}

/** Returns the modules that a caller gave; workers use them too. */
export function givenModules(): GivenModules | undefined {
  return given
}

/** Returns the instance for new sessions: that of the full module, once it is loaded. */
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
  // Node downloads nothing, and a caller may give the full module only.
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
 * Returns the instance of the full module; loads the module if needed.
 *
 * @throws `NETWORK` if it cannot be fetched. The next call tries again.
 */
export function fullInstance(): MaybePromise<Instance> {
  if (full) return full
  if (fullLoading) return fullLoading
  const source = given?.full ?? beside?.full
  if (source === undefined) throw notGiven()
  const load = whenReady(obtained(source), (module) => {
    full ??= new Instance(module, true)
    // Sessions keep their instance of the reader until they have answered their questions.
    reader = undefined
    return full
  })
  if (!isPromise(load)) return load
  fullLoading = load.catch(notLoaded).finally(() => {
    fullLoading = undefined
  })
  return fullLoading
}

/** Returns the instance of the full module with its rest; loads what is missing. */
export function wholeInstance(): MaybePromise<Instance> {
  if (!beside) throw notGiven()
  const rest = given?.rest
  return beside.whole(fullInstance, rest === undefined ? rest : () => obtained(rest))
}

/** Begins to load the full module. If that fails, the question that needs the module reports it. */
export function beginFull(load = fullInstance): void {
  const loading = load()
  if (isPromise(loading)) loading.catch(() => {})
}

/** As {@link beginFull}, with the rest. */
export function beginWhole(): void {
  beginFull(wholeInstance)
}

/**
 * Returns the code of the calls that only the full module answers, without a promise.
 *
 * @throws `BAD_INPUT` if it or the module is not loaded; both continue to load, for later calls
 */
export function fullNow(): ReturnType<typeof loadedFull> {
  beginFull()
  const code = loadedFull()
  if (full) return code
  throw fullNotLoaded()
}

function notGiven(): PacklensError {
  return new PacklensError('BAD_INPUT', 'the full module is not loaded: await load() first')
}

function notLoaded(error: unknown): never {
  // Without a reader, the full module is the first one that is loaded.
  if (!reader || !(error instanceof PacklensError)) throw error
  const { code, message, status } = error
  const what = `this needs the full module, which did not load: ${message}`
  throw new PacklensError(code, what, { cause: error, status })
}

function obtained(
  source: WebAssembly.Module | string | (() => MaybePromise<Compiled>),
): MaybePromise<Compiled> {
  if (typeof source === 'function') return source()
  return typeof source === 'string' ? compiledAt(source) : source
}

async function compiledOrAddress(
  source: WasmSource | undefined,
): Promise<WebAssembly.Module | string | undefined> {
  if (source === undefined || typeof source === 'string') return source
  return source instanceof URL ? `${source as URL}` : compiled(source)
}
