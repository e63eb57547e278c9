// How large the package is: what a page has to fetch, and what npm installs.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { distDir, root } from './paths.mjs'
import { Failure, outputOf } from './shell.mjs'

/** What a page fetches: the package for pages, its worker if there is one, the module. */
const fetched = ['wasm/packlens_bg.wasm', 'packlens.js', 'packlens-worker.js']

export function printSizes() {
  printRow(['', 'bytes', 'gzip', 'brotli'])
  for (const name of fetched) {
    const bytes = readFileSync(path.join(distDir, name))
    const sizes = [bytes, gzipSync(bytes, { level: 9 }), brotliCompressSync(bytes)]
    printRow([name, ...sizes.map(({ length }) => length)])
  }
  const files = publishedFiles()
  const total = files.reduce((sum, { size }) => sum + size, 0)
  printRow([`published, ${files.length} files`, total])
}

function publishedFiles() {
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm'
  const json = outputOf(npm, ['pack', root, '--dry-run', '--json', '--ignore-scripts'])
  if (json === null) throw new Failure('npm pack fails: see npm pack --dry-run')
  return JSON.parse(json)[0].files
}

function printRow([name, ...sizes]) {
  const cells = sizes.map((size) => size.toLocaleString('en').padStart(11))
  console.log(`${name.padEnd(24)}${cells.join('')}`)
}
