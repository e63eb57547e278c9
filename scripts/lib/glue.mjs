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

/** Parts of the script that load a module, which the package does itself. */
const LOADING = [
  [/^async function __wbg_load\b/m, /^function initSync\b/m],
  [/^let __wbg_init_promise;/m, /^export \{/m],
]

function factory(script) {
  const names = Array.from(script.matchAll(/^export function (\w+)/gm), ([, name]) => name)
  let body = script
  for (const [from, to] of LOADING) {
    const [start, end] = [body.search(from), body.search(to)]
    if (start < 0 || end < start)
      throw new Failure('wasm-bindgen writes another script than before')
    body = body.slice(0, start) + body.slice(end)
  }
  body = body
    .replace(/^\/\* @ts-self-types.*\n/m, '')
    .replace(/^export (?=function)/gm, '')
    .replace(/^export \{.*\n/m, '')
  return `/** Makes an instance of a module. */
export function instantiate(module) {
${body.trim()}
initSync({ module })
return { ${names.join(', ')} }
}
`
}

function declarations(types) {
  const functions = types.slice(0, types.search(/^export type InitInput/m))
  const methods = functions.match(/^(\/\*\*[\s\S]*?\*\/\n)?export function .*;$/gm) ?? []
  const members = methods.map((method) => method.replace('export function ', ''))
  return `/** An instance of a module, as wasm-bindgen declares its functions. */
export interface Glue {
${members.join('\n')}
}

/** Makes an instance of a module. */
export function instantiate(module: WebAssembly.Module | BufferSource): Glue
`
}
