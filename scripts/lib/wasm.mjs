// From the Rust crate to js/src/wasm: module, bindings, and wasm-opt for a release.
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fingerprint, recall, remember } from './fingerprint.mjs'
import { cacheDir, glueDir, inRoot, onWindows, targetDir, wasmTarget } from './paths.mjs'
import { note } from './report.mjs'
import { npmInto, run, runNode } from './shell.mjs'

const binaryenVersion = '132.0.0'
export const bindingsTool = path.join(targetDir, 'tools', `wasm-bindgen${onWindows ? '.exe' : ''}`)
const compiledModule = path.join(targetDir, wasmTarget, 'release', 'packlens_wasm.wasm')
const packagedModule = path.join(glueDir, 'packlens_bg.wasm')
/** The flags that bindings are made with stand in this file. */
const flagsFile = inRoot('scripts', 'lib', 'wasm.mjs')
const glueFiles = ['packlens.js', 'packlens.d.ts', 'packlens_bg.wasm', 'packlens_bg.wasm.d.ts'].map(
  (name) => path.join(glueDir, name),
)

export async function buildBindingsTool() {
  if (!existsSync(bindingsTool))
    note('bindings tool (cargo build, about half a minute the first time)')
  await cargoBuild(['--profile', 'tools', '-p', 'packlens-bindgen'])
}

export async function buildWasm({ release = false } = {}) {
  if (!existsSync(compiledModule)) note('WebAssembly module (cargo build, about half a minute)')
  await cargoBuild(['--release', '--target', wasmTarget, '-p', 'packlens-wasm'])
  const source = sourceOfBindings()
  if (isFresh(source, release)) return
  note('bindings (js/src/wasm)')
  await writeBindings()
  if (release) await optimise()
  remember('bindings', { source, glue: fingerprint(glueFiles), optimised: release })
}

/** The package says itself where its module is: a default would be resolved by bundlers too. */
export function bindingOptions(folder) {
  const target = ['--target', 'web', '--omit-default-module-path']
  return [...target, '--out-dir', folder, '--out-name', 'packlens']
}

function cargoBuild(args) {
  return run('cargo', ['build', '--locked', ...args])
}

async function writeBindings() {
  mkdirSync(glueDir, { recursive: true })
  await run(bindingsTool, [compiledModule, ...bindingOptions(glueDir)])
}

async function optimise() {
  const folder = path.join(cacheDir, 'binaryen')
  const wasmOpt = path.join(folder, 'node_modules', 'binaryen', 'bin', 'wasm-opt')
  if (!existsSync(wasmOpt)) {
    note('wasm-opt (npm package binaryen)')
    await npmInto(folder, `binaryen@${binaryenVersion}`)
  }
  note('wasm-opt -O3')
  // What has one caller only stays on its own: engines compile a function as a whole
  // again once a part of it is hot.
  const flags = ['-O3', '--one-caller-inline-max-function-size=200']
  await runNode(wasmOpt, [...flags, packagedModule, '-o', packagedModule])
}

/** The compiled module by its content: cargo touches it more often than it changes it. */
function sourceOfBindings() {
  const hash = createHash('sha256').update(readFileSync(compiledModule))
  return hash.update(fingerprint([bindingsTool, flagsFile])).digest('hex')
}

function isFresh(source, release) {
  const last = recall('bindings')
  if (release && !last.optimised) return false
  return last.source === source && last.glue === fingerprint(glueFiles)
}
