#!/usr/bin/env node
// Builds a bench of benches/ and runs it natively and as WebAssembly with SIMD.
//
//   npm run bench:rust -- inflate --git-dir DIR [--rounds N]
//   npm run bench:rust -- appender [--mib N]
import { readdirSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { inRoot, targetDir, wasiTarget } from './lib/paths.mjs'
import { addRustTargets } from './lib/setup.mjs'
import { run, runNode } from './lib/shell.mjs'

const usage = 'npm run bench:rust -- inflate --git-dir DIR [--rounds N] | appender [--mib N]'

/**
 * A pack is read into memory: enough of it from the start, since growing by so
 * much in one step ends Node 20 now and then, in its garbage collector.
 */
const wasmFlags = '-C target-feature=+simd128 -C link-arg=--initial-memory=671088640'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    'git-dir': { type: 'string' },
    rounds: { type: 'string', default: '5' },
    mib: { type: 'string', default: '1024' },
  },
})
const args = argumentsOf(positionals[0])
if (!args) {
  console.error(`usage: ${usage}`)
  process.exit(2)
}
await addRustTargets([wasiTarget])
const name = `bench-${positionals[0]}`
const manifest = inRoot('benches', positionals[0], 'Cargo.toml')
const build = ['build', '--release', '--locked', '--quiet', '--manifest-path', manifest]
await run('cargo', build)
await run('cargo', [...build, '--target', wasiTarget], {
  env: { CARGO_TARGET_WASM32_WASIP1_RUSTFLAGS: wasmFlags },
})
console.log('Native')
await run(path.join(targetDir, 'release', name), args)
console.log(`\nWebAssembly, Node ${process.versions.node}`)
const runner = inRoot('scripts', 'wasi-run.mjs')
await runNode('--no-warnings', [
  runner,
  path.join(targetDir, wasiTarget, 'release', `${name}.wasm`),
  ...args,
])

function argumentsOf(bench) {
  if (bench === 'appender') return [values.mib]
  const gitDir = values['git-dir']
  if (bench !== 'inflate' || !gitDir) return null
  const folder = path.resolve(gitDir, 'objects', 'pack')
  const pack = readdirSync(folder).find((file) => file.endsWith('.pack'))
  if (!pack) return null
  const file = path.join(folder, pack)
  return [file, file.replace(/pack$/, 'idx'), values.rounds]
}
