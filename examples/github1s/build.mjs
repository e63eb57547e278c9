#!/usr/bin/env node
// Adds the adapter to a copy of github1s: node build.mjs DIR
import { copyFileSync, existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const extension = path.join(process.argv[2] ?? '', 'extensions', 'github1s')
if (!existsSync(path.join(extension, 'src', 'adapters'))) {
  console.error('node build.mjs DIR: a copy of the repository of github1s')
  process.exit(2)
}
await build({
  entryPoints: [fileURLToPath(new URL('adapter.ts', import.meta.url))],
  outfile: path.join(extension, 'src', 'adapters', 'packlens', 'index.js'),
  bundle: true,
  format: 'esm',
  // github1s' own files and VS Code stay what they are there.
  external: ['vscode', '../types'],
})
const { resolve } = createRequire(import.meta.url)
for (const name of ['packlens_bg.wasm', 'packlens_rest.wasm']) {
  copyFileSync(resolve(`packlens/${name}`), path.join(extension, 'assets', name))
}
