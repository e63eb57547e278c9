// Makes a copy of the package whose module traps on request, for tests/node/trap.test.ts.
import { copyFileSync, cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { filesUnder, fingerprint, recall, remember } from './fingerprint.mjs'
import { distDir, glueDir, targetDir, wasmTarget } from './paths.mjs'
import { note } from './report.mjs'
import { run } from './shell.mjs'
import { withoutNames } from './sizes.mjs'
import { bind, bindingsTool, split } from './wasm.mjs'

const folder = path.join(targetDir, 'trap')
/** A folder of its own: cargo locks a folder while it compiles, and other steps compile too. */
const built = path.join(targetDir, 'trap-build')
const module = path.join(built, wasmTarget, 'debug', 'packlens_wasm.wasm')

/** Requires a built package and bindings tool. */
export async function buildTrapPackage() {
  const options = ['--locked', '--target', wasmTarget, '--target-dir', built]
  await run('cargo', ['build', ...options, '-p', 'packlens-wasm', '--features', 'test-trap'])
  const inputs = fingerprint([module, bindingsTool, ...filesUnder(distDir)])
  if (recall('trap').inputs === inputs) return
  note('package that traps (target/trap)')
  const dist = path.join(folder, 'dist')
  const wasm = path.join(dist, path.basename(glueDir))
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  writeFileSync(path.join(folder, 'package.json'), '{ "type": "module" }\n')
  cpSync(distDir, dist, { recursive: true })
  const { module: trapping } = await bind(module, path.join(targetDir, 'bindings', 'trap'))
  await split(module, trapping, wasm)
  // Chromium instantiates no module over 8 MB at once, as a page does after a trap.
  const at = (name) => path.join(wasm, `packlens_${name}.wasm`)
  for (const name of ['bg', 'rest']) writeFileSync(at(name), withoutNames(readFileSync(at(name))))
  // A page loads the reader first: here both are the same module.
  copyFileSync(at('bg'), at('reader'))
  remember('trap', { inputs })
}
