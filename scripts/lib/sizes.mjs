// Sizes of the package: the files that a page fetches, and those that npm installs.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { distDir, root } from './paths.mjs'
import { Failure, outputOf } from './shell.mjs'

/**
 * The most bytes after gzip, of all published files before it: budgets of a release, and of the
 * build before wasm-opt, which tests see.
 */
export const BUDGETS = {
  'wasm/packlens_reader.wasm': { release: 141_650, built: 144_500 },
  'wasm/packlens_bg.wasm': { release: 457_750, built: 470_000 },
  'wasm/packlens_rest.wasm': { release: 285_700, built: 290_300 },
  'open and read, minified': { release: 25_000, built: 25_000 },
  'packlens.js': { release: 26_900, built: 26_900 },
  'packlens-slim.js': { release: 63_700, built: 63_700 },
  'packlens-worker.js': { release: 36_250, built: 36_250 },
  'packlens-isomorphic-git.js': { release: 11_800, built: 11_800 },
  // Of the package alone: `npm run build` makes the viewer, tests of the package do not need it.
  published: { release: 3_586_000, built: 4_100_000 },
  'the viewer of `serve`': { release: 221_000, built: 221_000 },
}

/** The published file that is the viewer. */
export const VIEWER = 'dist/node/cli/viewer.json.br'

/** Returns the rows of `npm run size`: names, bytes, and bytes after gzip and brotli. */
export async function sizes() {
  const file = (name) => readFileSync(path.join(distDir, name))
  const rows = [
    ['wasm/packlens_reader.wasm', withoutNames(file('wasm/packlens_reader.wasm'))],
    ['wasm/packlens_bg.wasm', withoutNames(file('wasm/packlens_bg.wasm'))],
    ['wasm/packlens_rest.wasm', withoutNames(file('wasm/packlens_rest.wasm'))],
    ['open and read, minified', await minified("export { open } from './packlens.js'")],
    ['packlens.js', file('packlens.js')],
    ['packlens-slim.js', file('packlens-slim.js')],
    ['packlens-worker.js', file('packlens-worker.js')],
    ['packlens-isomorphic-git.js', file('packlens-isomorphic-git.js')],
  ]
  return rows.map(([name, bytes]) => ({
    name,
    bytes: bytes.length,
    gzip: gzipSync(bytes, { level: 9 }).length,
    brotli: brotliCompressSync(bytes).length,
  }))
}

export async function printSizes() {
  printRow(['', 'bytes', 'gzip', 'brotli'])
  const rows = await sizes()
  for (const { name, bytes, gzip, brotli } of rows) printRow([name, bytes, gzip, brotli])
  const files = publishedFiles()
  const isViewer = (file) => file.path === VIEWER
  const sum = (files) => files.reduce((sum, { size }) => sum + size, 0)
  const [total, viewer] = [
    sum(files.filter((file) => !isViewer(file))),
    sum(files.filter(isViewer)),
  ]
  printRow([`published, ${files.length} files`, total + viewer])
  printRow(['of these the viewer', viewer])
  const all = [
    ...rows,
    { name: 'published', gzip: total },
    { name: 'the viewer of `serve`', gzip: viewer },
  ]
  const over = all.find(({ name, gzip }) => gzip > (BUDGETS[name]?.release ?? gzip))
  if (over) throw new Failure(`${over.name} is over its budget: see scripts/lib/sizes.mjs`)
}

/** Bundles a page that opens repositories: unused exports removed, minified. */
async function minified(entry) {
  // No package may be installed yet when this file is read.
  const { build } = await import('rolldown')
  const virtual = {
    name: 'entry',
    resolveId: (id) => (id === 'entry' ? path.join(distDir, 'entry.js') : null),
    load: (id) => (id === path.join(distDir, 'entry.js') ? entry : null),
  }
  const { output } = await build({
    input: 'entry',
    platform: 'browser',
    write: false,
    plugins: [virtual],
    treeshake: { moduleSideEffects: false },
    output: { minify: true, comments: false },
    logLevel: 'silent',
  })
  // Files that are loaded on demand are in chunks that the first one does not import.
  const chunks = new Map(output.map((chunk) => [chunk.fileName, chunk]))
  const first = new Set(output.filter(({ isEntry }) => isEntry).map(({ fileName }) => fileName))
  for (const name of first) for (const other of chunks.get(name).imports) first.add(other)
  return Buffer.concat([...first].map((name) => Buffer.from(chunks.get(name).code)))
}

/** Returns a module without its custom sections: wasm-opt drops the names of functions. */
export function withoutNames(module) {
  const kept = [module.subarray(0, 8)]
  for (let at = 8; at < module.length; ) {
    let end = at + 1
    let size = 0
    for (let shift = 0; ; shift += 7) {
      const byte = module[end++]
      size |= (byte & 0x7f) << shift
      if (byte < 0x80) break
    }
    if (module[at] !== 0) kept.push(module.subarray(at, end + size))
    at = end + size
  }
  return Buffer.concat(kept)
}

function publishedFiles() {
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm'
  const json = outputOf(npm, ['pack', root, '--dry-run', '--json', '--ignore-scripts'])
  if (json === null) throw new Failure('npm pack fails: see npm pack --dry-run')
  return JSON.parse(json)[0].files
}

function printRow([name, ...sizes]) {
  const cells = sizes.map((size) => size.toLocaleString('en').padStart(11))
  console.log(`${name.padEnd(26)}${cells.join('')}`)
}
