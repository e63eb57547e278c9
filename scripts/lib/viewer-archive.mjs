// Packs the built viewer into one file of the package, from which `packlens serve` serves it.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { buildDemo } from './demo.mjs'
import { filesUnder } from './fingerprint.mjs'
import { distDir, targetDir, viewerArchive } from './paths.mjs'
import { Failure } from './shell.mjs'

const viewer = path.join(targetDir, 'demo')
const modules = ['packlens_bg', 'packlens_reader'].map((name) => `${name}.wasm`)

/** Builds the viewer with this package, and writes the archive. */
export async function buildViewer() {
  if (existsSync(viewerArchive)) return
  await buildDemo()
  const archive = { texts: {}, modules: {} }
  for (const file of filesUnder(viewer).sort()) {
    const name = path.relative(viewer, file).replaceAll(path.sep, '/')
    // The repository that is shown first.
    if (name.startsWith('repository/')) continue
    if (name.endsWith('.wasm')) archive.modules[name] = moduleOf(file)
    else archive.texts[name] = readFileSync(file, 'utf8')
  }
  writeFileSync(viewerArchive, brotliCompressSync(JSON.stringify(archive)))
}

/** Returns the name of the package's module that a file is a copy of. */
function moduleOf(file) {
  const bytes = readFileSync(file)
  const name = modules.find((one) => readFileSync(path.join(distDir, 'wasm', one)).equals(bytes))
  if (!name) throw new Failure(`${file} is not a module of dist: build the viewer again`)
  return name
}
