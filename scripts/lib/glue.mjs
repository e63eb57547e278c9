// Turns the script of wasm-bindgen, which holds one instance, into a function that makes
// any number of instances: the reader's, the full module's, and new ones after a trap.
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { Failure } from './shell.mjs'

/** Writes packlens.js and packlens.d.ts; both modules must have the same exports and imports. */
export function writeGlue(full, reader, folder) {
  const [script, other] = [full, reader].map((made) => readFileSync(made.script, 'utf8'))
  if (script !== other) throw new Failure('the reader and the full module have other bindings')
  writeFileSync(path.join(folder, 'packlens.js'), factory(script))
  writeFileSync(path.join(folder, 'packlens.d.ts'), declarations(readFileSync(full.types, 'utf8')))
}

/** The part of the script that loads a module, which the package does itself. */
const LOADING = [/^function __wbg_finalize_init\b/m, /^export \{/m]

/**
 * A function of the script that only calls the module's own. The guard before the call is for
 * modules that ask to be replaced, which these do not.
 */
const CALL =
  /^export function (\w+)\((.*)\) \{\n( {4}let ret;\n)? {4}__wbg_call_guard\(\);\n {4}(ret = )?wasm\.\1\(\2\);\n( {4}return ret( >>> 0| !== 0)?;\n)?\}\n/gm
const DOCS = /^\/\*\*\n(?: \*.*\n)+(?=export function )/gm
const GUARD = /^function __wbg_call_guard\(\) \{[^}]*\}\s*\}\n/m

function factory(script) {
  const calls = []
  let body = script.replace(DOCS, '').replace(CALL, (_, name, args, __, ___, ____, as = '') => {
    calls.push(`${name}: (${args}) => wasm.${name}(${args})${as},`)
    return ''
  })
  const others = Array.from(body.matchAll(/^export function (\w+)/gm), ([, name]) => name)
  const isGuarded = /__wbg_reinit_scheduled = true/.test(body.replace(GUARD, ''))
  if (calls.length === 0 || isGuarded || `${others}` !== '__wbg_reset_state' || !GUARD.test(body)) {
    throw new Failure('wasm-bindgen writes another script than before')
  }
  body = body.replace(GUARD, '')
  const [start, end] = LOADING.map((part) => body.search(part))
  if (start < 0 || end < start) throw new Failure('wasm-bindgen writes another script than before')
  body = body.slice(0, start) + body.slice(end)
  body = body
    .replace(/^\/\* @ts-self-types.*\n/m, '')
    .replace(/^export (?=function)/gm, '')
    .replace(/^export \{.*\n/m, '')
    .replace(/\n{3,}/g, '\n\n')
  return `/** Makes an instance of a module. */
export function instantiate(module) {
${body.trim()}
wasmModule = module instanceof WebAssembly.Module ? module : new WebAssembly.Module(module)
const reset = () => {
__wbg_reset_state()
wasm.set_rest(false)
}
reset()
return {
reset,
exports: () => wasm,
${calls.join('\n')}
}
}
`
}

function declarations(types) {
  const functions = types.slice(0, types.search(/^export type InitInput/m))
  const methods = functions.match(/^(\/\*\*[\s\S]*?\*\/\n)?export function .*;$/gm) ?? []
  const members = methods
    .filter((method) => !method.includes('__wbg_reset_state'))
    .map((method) => method.replace('export function ', ''))
  return `/** An instance of a module, as wasm-bindgen declares its functions. */
export interface Glue {
${members.join('\n')}
/** Returns all exports of the module, which its second file imports. */
exports(): WebAssembly.Exports;
/** Replaces the instance, which loses all state and the second file. */
reset(): void;
}

/** Makes an instance of a module. */
export function instantiate(module: WebAssembly.Module | BufferSource): Glue
`
}
