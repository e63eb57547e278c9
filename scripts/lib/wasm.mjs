// Builds js/src/wasm from the Rust crate: two modules, of which the full one is cut in two files,
// their bindings, and wasm-opt for a release.
import { createHash } from 'node:crypto'
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { fingerprint, recall, remember } from './fingerprint.mjs'
import { writeGlue } from './glue.mjs'
import { cacheDir, glueDir, inRoot, onWindows, targetDir, wasmTarget } from './paths.mjs'
import { note } from './report.mjs'
import { npmInto, run, runNode } from './shell.mjs'

const binaryenVersion = '132.0.0'
const tool = (name) => path.join(targetDir, 'tools', `${name}${onWindows ? '.exe' : ''}`)
export const bindingsTool = tool('wasm-bindgen')
export const splitTool = tool('packlens-split')

/** The modules: how cargo builds each, and its name in the package. */
const MODULES = {
  full: { profile: 'release', features: [], env: {}, file: 'packlens_bg.wasm' },
  reader: {
    profile: 'reader',
    features: ['--features', 'reader'],
    // Instead of `.cargo/config.toml`: its limit of inlining would replace those of the levels
    // `s` and `z`, which are lower.
    env: { RUSTFLAGS: '-C target-feature=+simd128' },
    file: 'packlens_reader.wasm',
  },
}

/** What few pages need of the full module, which is loaded into the same instance. */
const REST = 'packlens_rest.wasm'

/** The files that hold the flags of the bindings. */
const settings = ['wasm.mjs', 'glue.mjs'].map((name) => inRoot('scripts', 'lib', name))
const glueFiles = [
  ...['packlens.js', 'packlens.d.ts'],
  ...Object.values(MODULES).map(({ file }) => file),
  REST,
].map((name) => path.join(glueDir, name))

export async function buildBindingsTool() {
  if (!existsSync(bindingsTool))
    note('bindings tool (cargo build, about half a minute the first time)')
  const tools = ['-p', 'packlens-bindgen', '-p', 'packlens-split']
  await cargoBuild(['--profile', 'tools', ...tools])
}

export async function buildWasm({ release = false } = {}) {
  for (const [name, { profile, features, env }] of Object.entries(MODULES)) {
    if (!existsSync(compiled(profile)))
      note(`WebAssembly module, ${name} (cargo build, about half a minute)`)
    const target = ['--target', wasmTarget, '-p', 'packlens-wasm']
    await cargoBuild(['--profile', profile, ...target, ...features], env)
  }
  const source = sourceOfBindings()
  if (isFresh(source, release)) return
  note('bindings (js/src/wasm)')
  rmSync(glueDir, { recursive: true, force: true })
  mkdirSync(glueDir, { recursive: true })
  const made = {}
  for (const [name, { profile, file }] of Object.entries(MODULES)) {
    made[name] = await bind(compiled(profile), path.join(targetDir, 'bindings', name))
    copyFileSync(made[name].module, path.join(glueDir, file))
  }
  await split(compiled(MODULES.full.profile), made.full.module, glueDir)
  for (const file of release ? [MODULES.reader.file, MODULES.full.file, REST] : []) {
    await optimise(path.join(glueDir, file))
  }
  writeGlue(made.full, made.reader, glueDir)
  remember('bindings', { source, glue: fingerprint(glueFiles), optimised: release })
}

/** Cuts the full module in two files in a folder: as it was linked, and with its bindings. */
export async function split(linked, bound, folder) {
  const files = [MODULES.full.file, REST].map((name) => path.join(folder, name))
  await run(splitTool, [linked, bound, ...files])
}

/** Makes the bindings of a module in a folder; returns the paths of the written files. */
export async function bind(module, folder) {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  // The package passes the module's address: bundlers would resolve a default too.
  // The names of functions stay as they were linked: tools/split looks for them.
  const flags = ['--target', 'web', '--omit-default-module-path', '--no-demangle']
  await run(bindingsTool, [module, ...flags, '--out-dir', folder, '--out-name', 'packlens'])
  const at = (name) => path.join(folder, name)
  return { script: at('packlens.js'), types: at('packlens.d.ts'), module: at('packlens_bg.wasm') }
}

function compiled(profile) {
  return path.join(targetDir, wasmTarget, profile, 'packlens_wasm.wasm')
}

function cargoBuild(args, env = {}) {
  return run('cargo', ['build', '--locked', ...args], { env })
}

async function optimise(module) {
  const folder = path.join(cacheDir, 'binaryen')
  const wasmOpt = path.join(folder, 'node_modules', 'binaryen', 'bin', 'wasm-opt')
  if (!existsSync(wasmOpt)) {
    note('wasm-opt (npm package binaryen)')
    await npmInto(folder, `binaryen@${binaryenVersion}`)
  }
  note(`wasm-opt -O3 ${path.basename(module)}`)
  // A function with one caller is not inlined, because engines compile a whole function
  // again once a part of it is hot.
  const flags = ['-O3', '--one-caller-inline-max-function-size=200', '--strip-producers']
  await runNode(wasmOpt, [...flags, module, '-o', module])
}

/** Cached by content, because cargo touches the modules more often than it changes them. */
function sourceOfBindings() {
  const hash = createHash('sha256')
  for (const { profile } of Object.values(MODULES)) hash.update(readFileSync(compiled(profile)))
  return hash.update(fingerprint([bindingsTool, splitTool, ...settings])).digest('hex')
}

function isFresh(source, release) {
  const last = recall('bindings')
  if (release && !last.optimised) return false
  return last.source === source && last.glue === fingerprint(glueFiles)
}
