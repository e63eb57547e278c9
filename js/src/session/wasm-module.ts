/** The compiled module, wherever a caller or a bundler put it. */
import { PacklensError } from '../base/errors.js'
import type { Response, URL, WasmModule } from '../base/platform-types.js'
import { described, NOT_COMPILED, unloaded } from './load-failure.js'

/** The forms in which a caller may give a module. */
export type WasmSource =
  | WasmModule
  | ArrayBuffer
  | ArrayBufferView<ArrayBuffer>
  | URL
  | Response
  | string

/** Compiles a module in any form. @throws as {@link compiledAt}, `BAD_INPUT` if it is none */
export async function compiled(source: WasmSource): Promise<WebAssembly.Module> {
  if (source instanceof WebAssembly.Module) return source
  if (typeof source === 'string' || source instanceof URL) return compiledAt(source)
  if (isResponse(source)) return received(source, source.url)
  return compiledBytes(bytesOf(source), `the module given to \`load\` ${NOT_COMPILED}`)
}

/**
 * The modules that this thread or a worker of it has compiled, by their addresses: later workers
 * get them, together with what the engine has made of their code meanwhile.
 */
export const compiledModules = new Map<string, WebAssembly.Module>()

let tell: ((url: string, module?: WebAssembly.Module) => void) | undefined

/** Has a worker tell its page of each module that it compiles, and when to forget all. */
export function whenCompiled(then: typeof tell): void {
  tell = then
}

/** Forgets the modules, because one does not fit: the server has files of another version now. */
export function forgetCompiled(): void {
  compiledModules.clear()
  tell?.('')
}

/**
 * Compiles the module at an address; apart from {@link compiled}, because a page that gives no
 * modules needs only this. @throws `NETWORK` if it cannot be fetched, `BAD_INPUT` if it is none
 */
export async function compiledAt(address: string | URL): Promise<WebAssembly.Module> {
  const url = `${address}`
  const known = compiledModules.get(url)
  if (known) return known
  const response = await fetch(url).catch((cause) => {
    throw new PacklensError('NETWORK', unloaded(url, 'could not be fetched'), { cause })
  })
  const module = await received(response, url)
  compiledModules.set(url, module)
  tell?.(url, module)
  return module
}

async function received(response: Response, url: string): Promise<WebAssembly.Module> {
  const { status, ok } = response
  const isStreamed = response.headers.get('content-type') === 'application/wasm'
  if (ok && isStreamed && WebAssembly.compileStreaming) {
    try {
      return await WebAssembly.compileStreaming(response)
    } catch (cause) {
      const what = `answered ${status}, application/wasm, and ${NOT_COMPILED}`
      throw new PacklensError('NETWORK', unloaded(url, what), { status, cause })
    }
  }
  const bytes = new Uint8Array(await response.arrayBuffer())
  const what = unloaded(url, described(response, bytes))
  if (!ok) throw new PacklensError('NETWORK', what, { status })
  return compiledBytes(bytes, what)
}

async function compiledBytes(
  bytes: Uint8Array<ArrayBuffer>,
  what: string,
): Promise<WebAssembly.Module> {
  try {
    return await WebAssembly.compile(bytes)
  } catch (cause) {
    throw new PacklensError('BAD_INPUT', what, { cause })
  }
}

function bytesOf(source: ArrayBuffer | ArrayBufferView<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  if (source instanceof ArrayBuffer) return new Uint8Array(source)
  if (ArrayBuffer.isView(source)) {
    return new Uint8Array(source.buffer, source.byteOffset, source.byteLength)
  }
  const what = 'the module must be a WebAssembly.Module, bytes, a Response or an address'
  throw new PacklensError('BAD_INPUT', what)
}

function isResponse(source: object): source is Response {
  return typeof Response === 'function' && source instanceof Response
}
