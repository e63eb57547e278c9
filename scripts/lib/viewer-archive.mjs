// Packs the built viewer into one file of the package, from which `packlens serve` serves it.
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { buildDemo } from './demo.mjs'
import { filesUnder, fingerprint, recall, remember } from './fingerprint.mjs'
import { distDir, inRoot, targetDir, viewerArchive } from './paths.mjs'
import { Failure } from './shell.mjs'

const viewer = path.join(targetDir, 'demo')
const modules = ['packlens_bg', 'packlens_reader', 'packlens_rest'].map((name) => `${name}.wasm`)

/** Builds the viewer with this package, and writes the archive. */
export async function buildViewer() {
  const built = [...filesUnder(distDir).filter((file) => file !== viewerArchive), ...sources()]
  const inputs = fingerprint(built)
  if (recall('viewer').inputs === inputs && existsSync(viewerArchive) && existsSync(viewer)) return
  await buildDemo()
  const archive = { texts: {}, modules: {} }
  for (const file of filesUnder(viewer).sort(byKindAndLength)) {
    const name = path.relative(viewer, file).replaceAll(path.sep, '/')
    // The repository that is shown first.
    if (name.startsWith('repository/')) continue
    if (name.endsWith('.wasm')) archive.modules[name] = moduleOf(file)
    else archive.texts[name] = readFileSync(file, 'utf8')
  }
  writeFileSync(viewerArchive, brotliCompressSync(JSON.stringify(archive)))
  remember('viewer', { inputs })
}

/**
 * Orders files of a kind by length, the longest first, which makes the archive the smallest. By their
 * names, which are those of their contents' hashes, its size would change with any of them.
 */
function byKindAndLength(one, other) {
  const kinds = [one, other].map((file) => path.extname(file))
  const [length, otherLength] = [one, other].map((file) => statSync(file).size)
  if (kinds[0] !== kinds[1]) return kinds[0] < kinds[1] ? -1 : 1
  return otherLength - length || (one < other ? -1 : 1)
}

/** The files that the viewer is built of, beside the package. */
function sources() {
  const parts = [inRoot('demo', 'src'), inRoot('examples', 'data-source')].flatMap(filesUnder)
  const own = ['demo/index.html', 'demo/vite.config.ts', 'package-lock.json']
  return [
    ...parts,
    ...own.map((name) => inRoot(name)),
    inRoot('scripts', 'lib', 'viewer-archive.mjs'),
  ]
}

/** Returns the name of the package's module that a file is a copy of. */
function moduleOf(file) {
  const bytes = readFileSync(file)
  const name = modules.find((one) => readFileSync(path.join(distDir, 'wasm', one)).equals(bytes))
  if (!name) throw new Failure(`${file} is not a module of dist: build the viewer again`)
  return name
}
